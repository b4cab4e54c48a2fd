import MarketModel
import StreamCore

/// Finds a venue's closed candles where it only tells running ones: the next one closes the one before.
struct RunningCandles: Sendable {
    private struct Key: Hashable {
        var symbol: String
        var seconds: Int
    }

    private var newest: [Key: VenueCandle] = [:]

    /// A symbol's candles are not seen any more: what the last one came to is not known.
    mutating func forget(_ symbol: String) { newest = newest.filter { $0.key.symbol != symbol } }

    /// Appends to `closed` what is closed by now, and to `open` what still runs.
    mutating func take(
        _ told: [ToldCandle], of message: UnsafeRawBufferPointer, closed: inout [VenueCandle],
        open: inout [VenueCandle]
    ) {
        for one in told {
            let candle = VenueCandle(
                symbol: one.symbol.read(in: message).string, seconds: one.seconds, candle: one.candle,
                trades: one.trades, lastTrade: one.lastTrade)
            switch one.state {
            case .closed:
                closed.append(candle)
                continue
            case .running:
                open.append(candle)
                continue
            case .unsaid: break
            }
            let key = Key(symbol: candle.symbol, seconds: candle.seconds)
            if let last = newest[key], last.candle.timestamp > candle.candle.timestamp {
                // A snapshot's past.
                closed.append(candle)
            } else {
                if let last = newest[key] {
                    if last.candle.timestamp < candle.candle.timestamp { closed.append(last) }
                    if let index = open.lastIndex(of: last) { open.remove(at: index) }
                }
                newest[key] = candle
                open.append(candle)
            }
        }
    }
}
