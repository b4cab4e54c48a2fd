import MarketModel
import StreamCore

/// The layout in which Kraken's version 1 sends trades, one or many.
enum KrakenArrayLayout {
    /// Whether the message is laid out so; otherwise the batch has no trades, whatever the message is.
    static func parse(_ bytes: UnsafeRawBufferPointer, into batch: inout VenueBatch) -> Bool {
        guard var reader = LayoutReader(bytes), reader.take("["), reader.unsigned() != nil, reader.take(",[")
        else { return false }
        repeat {
            guard reader.take("[\""), let price = reader.quotedDecimal(), reader.take(",\""),
                let volume = reader.quotedDecimal(), reader.take(",\""), let time = reader.quotedDecimal(),
                let side = side(&reader), reader.take(",\""), reader.skipString(), reader.take(",\""),
                reader.skipString(), reader.take("]")
            else { return Self.nothing(&batch) }
            batch.trades.append(
                VenueTrade(
                    tick: Tick(timestamp: time.value, price: price.value, volume: volume.value), side: side,
                    name: .none, price: price.text, volume: volume.text, symbol: .none, id: 0,
                    priceDecimals: price.decimals))
        } while reader.take(",")
        guard reader.take("],\"trade\",\""), let pair = reader.string(), reader.take("]"), reader.isAtEnd else {
            return Self.nothing(&batch)
        }
        for index in batch.trades.indices { batch.trades[index].symbol = pair }
        return true
    }

    private static func nothing(_ batch: inout VenueBatch) -> Bool {
        batch.trades.removeAll(keepingCapacity: true)
        return false
    }

    @inline(__always)
    private static func side(_ reader: inout LayoutReader) -> VenueTrade.Side? {
        if reader.take(",\"b\"") { return .buy }
        return reader.take(",\"s\"") ? .sell : nil
    }
}
