import MarketFeeds
import MarketModel
import StreamCore

/// Writes the answer of `GET /v1/stocks`: what the tracker's list says about its stocks, and the market that each is.
enum StocksDocument {
    static func write(
        _ part: FeedSet.Part, _ stocks: [TrackedStock], registry: MarketRegistry, into sink: inout [UInt8]
    ) {
        sink.json("{\"stocks\":[")
        for (index, stock) in stocks.enumerated() {
            if index > 0 { sink.json(",") }
            sink.json("{\"symbol\":")
            sink.string(stock.symbol)
            sink.json(",\"market\":")
            sink.string(registry.markets[part.base + index].symbol)
            sink.json(",\"company\":")
            sink.string(stock.company)
            sink.json(",\"description\":")
            sink.string(stock.description)
            sink.json(",\"initial_price\":")
            sink.number(stock.initialPrice)
            sink.json(",\"price\":")
            sink.number(stock.price(delta: stock.initialDelta) ?? stock.initialPrice)
            sink.json(",\"precision\":")
            sink.integer(stock.decimals)
            sink.json("}")
        }
        sink.json("]}")
    }
}
