import MarketModel
import StreamCore

/// The layout in which Binance sends spot trades, raw and combined.
enum BinanceTradeLayout {
    /// The trade, or `nil` where the message is laid out differently, whatever it is.
    static func parse(_ bytes: UnsafeRawBufferPointer) -> VenueTrade? {
        guard var reader = LayoutReader(bytes) else { return nil }
        let isCombined = reader.take("{\"stream\":\"")
        if isCombined {
            guard reader.stringBody() != nil, reader.take(",\"data\":{") else { return nil }
        } else {
            guard reader.take("{") else { return nil }
        }
        guard reader.take("\"e\":\"trade\",\"E\":"), reader.wholeNumber() != nil, reader.take(",\"s\":\""),
            let symbol = reader.stringBody(), reader.take(",\"t\":"), let id = reader.wholeNumber(),
            reader.take(",\"p\":\""), let price = reader.quotedDecimal(), reader.take(",\"q\":\""),
            let quantity = reader.quotedDecimal(), reader.take(",\"T\":"), let time = reader.wholeNumber(),
            time <= 1 << 53, id <= 1 << 53,
            reader.take(",\"m\":"), reader.bool(), reader.take(",\"M\":"), reader.bool(), reader.take("}"),
            !isCombined || reader.take("}"), reader.isAtEnd
        else { return nil }
        return VenueTrade(
            symbol: JSONText(raw: symbol, hasEscapes: false),
            tick: Tick(timestamp: Double(time) / 1000, price: price.value, volume: quantity.value), id: id,
            stream: .trades, priceDecimals: price.decimals)
    }
}
