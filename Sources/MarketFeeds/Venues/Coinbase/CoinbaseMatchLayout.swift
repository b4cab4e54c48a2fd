import MarketModel
import StreamCore

/// The layout in which Coinbase Exchange sends matches.
enum CoinbaseMatchLayout {
    /// The trade, or `nil` where the message is laid out differently, whatever it is.
    @inline(__always)
    static func parse(_ bytes: UnsafeRawBufferPointer) -> VenueTrade? {
        guard var reader = LayoutReader(bytes), reader.take("{\"type\":\"match\",\"trade_id\":"),
            let id = reader.unsigned(), reader.take(",\"maker_order_id\":\""), reader.skipString(),
            reader.take(",\"taker_order_id\":\""), reader.skipString(), reader.take(",\"side\":\""),
            let waited = reader.buyOrSell(), reader.take(",\"size\":\""), let size = reader.quotedDecimal(),
            reader.take(",\"price\":\""), let price = reader.quotedDecimal(), reader.take(",\"product_id\":\""),
            let symbol = reader.string(), reader.take(",\"sequence\":"), reader.unsigned() != nil,
            reader.take(",\"time\":\""), let time = reader.quotedTime(), reader.take("}"), reader.isAtEnd
        else { return nil }
        return VenueTrade(
            tick: Tick(timestamp: time, price: price.value, volume: size.value), side: waited.opposite,
            name: id.text, price: price.text, volume: size.text, symbol: symbol, id: id.value,
            priceDecimals: price.decimals)
    }
}
