import MarketModel
import StreamCore

/// The layout in which Bitstamp sends trades.
enum BitstampTradeLayout {
    /// The trade, or `nil` where the message is laid out differently, whatever it is.
    @inline(__always)
    static func parse(_ bytes: UnsafeRawBufferPointer) -> VenueTrade? {
        guard var reader = LayoutReader(bytes), reader.take("{\"data\":{\"id\":"), let id = reader.unsigned(),
            reader.take(",\"timestamp\":\""), reader.skipString(), reader.take(",\"amount\":"),
            reader.decimal() != nil, reader.take(",\"amount_str\":\""), let amount = reader.quotedDecimal(),
            reader.take(",\"price\":"), reader.decimal() != nil, reader.take(",\"price_str\":\""),
            let price = reader.quotedDecimal(), reader.take(",\"type\":"), let type = reader.unsigned(),
            reader.take(",\"microtimestamp\":\""), let time = reader.quotedDecimal(),
            reader.take(",\"buy_order_id\":"), reader.unsigned() != nil, reader.take(",\"sell_order_id\":"),
            reader.unsigned() != nil, reader.take("},\"channel\":\"live_trades_"), let symbol = reader.string(),
            reader.take(",\"event\":\"trade\"}"), reader.isAtEnd
        else { return nil }
        return VenueTrade(
            tick: Tick(timestamp: time.value / 1_000_000, price: price.value, volume: amount.value),
            side: type.value == 0 ? .buy : type.value == 1 ? .sell : .unknown, name: id.text, price: price.text,
            volume: amount.text, symbol: symbol, id: id.value, priceDecimals: price.decimals)
    }
}
