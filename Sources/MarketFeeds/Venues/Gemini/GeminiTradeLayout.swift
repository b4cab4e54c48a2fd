import MarketModel
import StreamCore

/// The layout in which Gemini sends single trades.
enum GeminiTradeLayout {
    /// The trade, or `nil` where the message is laid out differently, whatever it is.
    @inline(__always)
    static func parse(_ bytes: UnsafeRawBufferPointer) -> VenueTrade? {
        guard var reader = LayoutReader(bytes), reader.take("{\"type\":\"trade\",\"symbol\":\""),
            let symbol = reader.string(), reader.take(",\"event_id\":"), let id = reader.unsigned(),
            reader.take(",\"timestamp\":"), let time = reader.unsigned(), time.value <= 1 << 53,
            reader.take(",\"price\":\""), let price = reader.quotedDecimal(), reader.take(",\"quantity\":\""),
            let quantity = reader.quotedDecimal(), reader.take(",\"side\":\""), let side = reader.buyOrSell(),
            reader.take("}"), reader.isAtEnd
        else { return nil }
        return VenueTrade(
            tick: Tick(timestamp: Double(time.value) / 1000, price: price.value, volume: quantity.value), side: side,
            name: id.text, price: price.text, volume: quantity.text, symbol: symbol, id: id.value,
            priceDecimals: price.decimals)
    }
}
