import MarketFeeds
import MarketModel
import StreamCore

/// Writes the answer of `GET /v1/markets`.
enum MarketsDocument {
    static func write(
        _ summaries: [MarketSummary], registry: MarketRegistry, feeds: [FeedStatus], serverTime: Double,
        into sink: inout [UInt8]
    ) {
        sink.json("{\"markets\":[")
        for (index, summary) in summaries.enumerated() {
            if index > 0 { sink.json(",") }
            market(summary, registry: registry, into: &sink)
        }
        sink.json("],\"timeframes\":[")
        for (index, timeframe) in Timeframe.allCases.enumerated() {
            if index > 0 { sink.json(",") }
            sink.string(timeframe.rawValue)
        }
        sink.json("],\"feed\":")
        let feed = feeds.combined
        sink.string(feed.name)
        sink.json(",\"feed_state\":")
        sink.string(feed.state)
        sink.json(",\"feeds\":[")
        for (index, feed) in feeds.enumerated() {
            if index > 0 { sink.json(",") }
            feed.write(into: &sink)
        }
        sink.json("]")
        sink.json(",\"server_time\":")
        sink.number(serverTime)
        sink.json("}")
    }

    static func market(_ summary: MarketSummary, registry: MarketRegistry, into sink: inout [UInt8]) {
        let market = registry.markets[summary.market]
        sink.json("{\"symbol\":")
        sink.string(market.symbol)
        sink.json(",\"base\":")
        sink.string(market.baseCurrency)
        sink.json(",\"quote\":")
        sink.string(market.quoteCurrency)
        sink.json(",\"precision\":")
        sink.integer(max(market.precision, min(summary.decimals, 12)))
        let feed = registry.feedNames[summary.market]
        if !feed.isEmpty {
            sink.json(",\"feed\":")
            sink.string(feed)
        }
        if summary.feed != .live {
            sink.json(",\"feed_state\":")
            sink.string(summary.feed.name)
            if let reason = summary.feed.reason {
                sink.json(",\"feed_reason\":")
                sink.string(reason)
            }
        }
        if summary.isWaiting { sink.json(",\"waiting\":true") }
        let day = summary.day
        number("price", summary.lastPrice, into: &sink)
        number("timestamp", summary.lastTime, into: &sink)
        if let bid = summary.bid { number("bid", bid, into: &sink) }
        if let ask = summary.ask { number("ask", ask, into: &sink) }
        number("open_24h", day?.open, into: &sink)
        number("high_24h", day?.high, into: &sink)
        number("low_24h", day?.low, into: &sink)
        number("volume_24h", day?.volume, into: &sink)
        number("change_24h", day?.change, into: &sink)
        number("change_percent_24h", day?.changePercent, into: &sink)
        sink.json(",\"sparkline\":[")
        for (index, close) in summary.sparkline.enumerated() {
            if index > 0 { sink.json(",") }
            sink.number(close)
        }
        sink.json("]}")
    }

    private static func number(_ name: StaticString, _ value: Double?, into sink: inout [UInt8]) {
        sink.json(",\"")
        sink.json(name)
        sink.json("\":")
        if let value { sink.number(value) } else { sink.json("null") }
    }
}

/// Writes the answer of `GET /v1/stocks`: the stocks in the tracker's list, and the market of each.
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
