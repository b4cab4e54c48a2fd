import MarketModel
import StreamCore

/// The layout in which Bitfinex tells a trade, with or without a number behind: `[7,"te",[1,1618677027100,-0.5,60000],3]`.
enum BitfinexTradeLayout {
    /// `nil` where the message is laid out differently, or is of no channel of trades.
    @inline(__always)
    static func parse(_ bytes: UnsafeRawBufferPointer, _ channels: BitfinexChannels) -> VenueTrade? {
        guard var reader = LayoutReader(bytes), reader.take("["), let channel = reader.unsigned(),
            reader.take(",\"te\",[") || reader.take(",\"tu\",["), let id = reader.unsigned(), reader.take(","),
            let time = reader.unsigned(), time.value <= 1 << 53, reader.take(","), let amount = reader.decimal(),
            reader.take(","), let price = reader.decimal(), reader.take("]")
        else { return nil }
        if reader.take(","), reader.unsigned() == nil { return nil }
        guard reader.take("]"), reader.isAtEnd, let channel = channels[channel.value], channel.kind == .trades,
            channel.slot >= 0
        else { return nil }
        let isSale = amount.value < 0
        var trade = VenueTrade(
            tick: Tick(timestamp: Double(time.value) / 1000, price: price.value, volume: amount.value.magnitude),
            side: isSale ? .sell : .buy, name: id.text, price: price.text,
            volume: amount.text.dropFirst(isSale ? 1 : 0), symbol: .none, id: id.value,
            priceDecimals: price.decimals)
        trade.slot = channel.slot
        return trade
    }
}
