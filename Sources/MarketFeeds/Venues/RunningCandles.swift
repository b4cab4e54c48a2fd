import MarketModel
import StreamCore

/// Finds a venue's closed candles where it only tells running ones: the next one closes the one before.
struct RunningCandles: Sendable {
    private struct Key: Hashable {
        var symbol: String
        var seconds: Int
    }

    private var newest: [Key: VenueCandle] = [:]

    /// Appends to `closed` what is closed by now.
    mutating func take(_ told: [ToldCandle], of message: UnsafeRawBufferPointer, closed: inout [VenueCandle]) {
        for one in told where one.state != .running {
            let candle = VenueCandle(
                symbol: one.symbol.read(in: message).string, seconds: one.seconds, candle: one.candle,
                trades: one.trades, lastTrade: one.lastTrade)
            guard one.state == .unsaid else {
                closed.append(candle)
                continue
            }
            let key = Key(symbol: candle.symbol, seconds: candle.seconds)
            if let last = newest[key], last.candle.timestamp > candle.candle.timestamp {
                // A snapshot's past.
                closed.append(candle)
            } else {
                if let last = newest[key], last.candle.timestamp < candle.candle.timestamp { closed.append(last) }
                newest[key] = candle
            }
        }
    }
}
