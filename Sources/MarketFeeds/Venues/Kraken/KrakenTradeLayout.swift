import MarketModel
import StreamCore

/// The layout in which Kraken sends trades, one or many.
enum KrakenTradeLayout {
    /// Whether the message is laid out so; otherwise the batch has no trades, whatever the message is.
    static func parse(_ bytes: UnsafeRawBufferPointer, into batch: inout VenueBatch) -> Bool {
        guard var reader = LayoutReader(bytes), reader.take("{\"channel\":\"trade\",\"type\":\""),
            reader.take("update\"") || reader.take("snapshot\""), reader.take(",\"data\":[")
        else { return false }
        repeat {
            guard let trade = trade(&reader) else {
                batch.trades.removeAll(keepingCapacity: true)
                return false
            }
            batch.trades.append(trade)
        } while reader.take(",")
        guard reader.take("]}"), reader.isAtEnd else {
            batch.trades.removeAll(keepingCapacity: true)
            return false
        }
        return true
    }

    @inline(__always)
    private static func trade(_ reader: inout LayoutReader) -> VenueTrade? {
        guard reader.take("{\"symbol\":\""), let symbol = reader.string(), reader.take(",\"side\":\""),
            let side = reader.buyOrSell(), reader.take(",\"price\":"), let price = reader.decimal(),
            reader.take(",\"qty\":"), let quantity = reader.decimal(), reader.take(",\"ord_type\":\""),
            reader.skipString(), reader.take(",\"trade_id\":"), let id = reader.unsigned(),
            reader.take(",\"timestamp\":\""), let time = reader.quotedTime(), reader.take("}")
        else { return nil }
        return VenueTrade(
            tick: Tick(timestamp: time, price: price.value, volume: quantity.value), side: side, name: id.text,
            price: price.text, volume: quantity.text, symbol: symbol, id: id.value, priceDecimals: price.decimals)
    }
}
