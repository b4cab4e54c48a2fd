import MarketModel
import StreamCore

/// The layout in which Advanced Trade sends trades, one or many.
enum CoinbaseAdvancedLayout {
    /// Whether the message is laid out so; otherwise the batch has no trades, whatever the message is.
    static func parse(_ bytes: UnsafeRawBufferPointer, into batch: inout VenueBatch) -> Bool {
        guard var reader = LayoutReader(bytes), reader.take("{\"channel\":\"market_trades\",\"timestamp\":\""),
            reader.skipString(), reader.take(",\"sequence_num\":"), reader.unsigned() != nil,
            reader.take(",\"events\":[{\"type\":\""), reader.skipString(), reader.take(",\"trades\":[")
        else { return false }
        repeat {
            guard let trade = trade(&reader) else { return nothing(&batch) }
            batch.trades.append(trade)
        } while reader.take(",")
        guard reader.take("]}]}"), reader.isAtEnd else { return nothing(&batch) }
        batch.isNewestFirst = true
        return true
    }

    private static func nothing(_ batch: inout VenueBatch) -> Bool {
        batch.trades.removeAll(keepingCapacity: true)
        return false
    }

    @inline(__always)
    private static func trade(_ reader: inout LayoutReader) -> VenueTrade? {
        guard reader.take("{\"product_id\":\""), let symbol = reader.string(), reader.take(",\"trade_id\":\""),
            let id = reader.unsigned(), reader.take("\",\"price\":\""), let price = reader.quotedDecimal(),
            reader.take(",\"size\":\""), let size = reader.quotedDecimal(), reader.take(",\"time\":\""),
            let time = reader.quotedTime(), reader.take(",\"side\":\""), let waited = side(&reader), reader.take("}")
        else { return nil }
        return VenueTrade(
            tick: Tick(timestamp: time, price: price.value, volume: size.value), side: waited.opposite, name: id.text,
            price: price.text, volume: size.text, symbol: symbol, id: id.value, priceDecimals: price.decimals)
    }

    @inline(__always)
    private static func side(_ reader: inout LayoutReader) -> VenueTrade.Side? {
        if reader.take("BUY\"") { return .buy }
        return reader.take("SELL\"") ? .sell : nil
    }
}
