import MarketModel
import StreamCore

/// The layout in which Bybit's documentation has trades, one or many.
enum BybitTradeLayout {
    /// Whether the message is laid out so; otherwise the batch has no trades, whatever the message is.
    static func parse(_ bytes: UnsafeRawBufferPointer, into batch: inout VenueBatch) -> Bool {
        guard var reader = LayoutReader(bytes), reader.take("{\"topic\":\"publicTrade."), reader.skipString(),
            reader.take(",\"type\":\""), reader.skipString(), reader.take(",\"ts\":"), reader.unsigned() != nil,
            reader.take(",\"data\":[")
        else { return false }
        repeat {
            guard let trade = trade(&reader, bytes) else { return nothing(&batch) }
            batch.trades.append(trade)
        } while reader.take(",")
        guard reader.take("]}"), reader.isAtEnd else { return nothing(&batch) }
        return true
    }

    private static func nothing(_ batch: inout VenueBatch) -> Bool {
        batch.trades.removeAll(keepingCapacity: true)
        return false
    }

    @inline(__always)
    private static func trade(_ reader: inout LayoutReader, _ bytes: UnsafeRawBufferPointer) -> VenueTrade? {
        guard reader.take("{\"T\":"), let time = reader.unsigned(), time.value <= 1 << 53,
            reader.take(",\"s\":\""), let symbol = reader.string(), reader.take(",\"S\":\""),
            let side = side(&reader), reader.take(",\"v\":\""), let volume = reader.quotedDecimal(),
            reader.take(",\"p\":\""), let price = reader.quotedDecimal()
        else { return nil }
        // Only derivatives have a direction of the price.
        if reader.take(",\"L\":\""), !reader.skipString() { return nil }
        guard reader.take(",\"i\":\""), let name = reader.string(), reader.take(",\"BT\":"), reader.bool() != nil
        else { return nil }
        if reader.take(",\"RPI\":"), reader.bool() == nil { return nil }
        if reader.take(",\"seq\":"), reader.unsigned() == nil { return nil }
        guard reader.take("}") else { return nil }
        return VenueTrade(
            tick: Tick(timestamp: Double(time.value) / 1000, price: price.value, volume: volume.value), side: side,
            name: name, price: price.text, volume: volume.text, symbol: symbol,
            id: BybitParser.number(of: name.read(in: bytes).raw), priceDecimals: price.decimals)
    }

    @inline(__always)
    private static func side(_ reader: inout LayoutReader) -> VenueTrade.Side? {
        if reader.take("Buy\"") { return .buy }
        return reader.take("Sell\"") ? .sell : nil
    }
}
