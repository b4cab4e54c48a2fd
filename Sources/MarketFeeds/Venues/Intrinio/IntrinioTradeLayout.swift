import MarketModel
import StreamCore

/// The layout in which Intrinio's readmes have the last price of a security.
enum IntrinioTradeLayout {
    /// The trade, or `nil` where the message is laid out differently, whatever it is.
    @inline(__always)
    static func parse(_ bytes: UnsafeRawBufferPointer) -> VenueTrade? {
        guard var reader = LayoutReader(bytes), reader.take("{\"topic\":\""), reader.skipString(),
            reader.take(",\"event\":\"quote\",\"payload\":{\"type\":\"last\",\"timestamp\":"),
            let time = reader.decimal(), reader.take(",\"ticker\":\""), let symbol = reader.string(),
            reader.take(",\"size\":"), let size = reader.decimal(), reader.take(",\"price\":"),
            let price = reader.decimal(), reader.take("},\"ref\":null}"), reader.isAtEnd
        else { return nil }
        return VenueTrade(
            tick: Tick(timestamp: time.value, price: price.value, volume: size.value), side: .unknown, name: .none,
            price: price.text, volume: size.text, symbol: symbol, id: 0, priceDecimals: price.decimals)
    }
}
