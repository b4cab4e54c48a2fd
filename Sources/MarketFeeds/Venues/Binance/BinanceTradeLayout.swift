import MarketModel
import StreamCore

/// The layout in which Binance sends spot trades, raw and combined.
enum BinanceTradeLayout {
    /// The trade, or `nil` where the message is laid out differently, whatever it is.
    @inline(__always)
    static func parse(_ bytes: UnsafeRawBufferPointer) -> VenueTrade? {
        guard var reader = LayoutReader(bytes) else { return nil }
        let isCombined = reader.take("{\"stream\":\"")
        if isCombined {
            guard reader.skipString(), reader.take(",\"data\":{") else { return nil }
        } else {
            guard reader.take("{") else { return nil }
        }
        guard reader.take("\"e\":\"trade\",\"E\":"), reader.unsigned() != nil, reader.take(",\"s\":\""),
            let symbol = reader.string(), reader.take(",\"t\":"), let id = reader.unsigned(),
            reader.take(",\"p\":\""), let price = reader.quotedDecimal(), reader.take(",\"q\":\""),
            let quantity = reader.quotedDecimal(), reader.take(",\"T\":"), let time = reader.unsigned(),
            time.value <= 1 << 53, reader.take(",\"m\":"), let isSale = reader.bool(), reader.take(",\"M\":"),
            reader.bool() != nil, reader.take("}"), !isCombined || reader.take("}"), reader.isAtEnd
        else { return nil }
        return VenueTrade(
            tick: Tick(timestamp: Double(time.value) / 1000, price: price.value, volume: quantity.value),
            side: isSale ? .sell : .buy, name: id.text, price: price.text, volume: quantity.text, symbol: symbol,
            id: id.value, priceDecimals: price.decimals)
    }
}
