public import MarketModel
import StreamCore

/// A venue's own candle: to be compared with ours, and to stand where ours has a gap.
public struct VenueCandle: Sendable, Equatable {
    public var symbol: String
    /// Its length in seconds.
    public var seconds: Int
    public var candle: Candle
    /// How many trades it was made of, and the number of the last one, where the venue says so.
    public var trades: UInt64?
    public var lastTrade: UInt64?
}

/// A candle in a message, which may still change.
struct MessageCandle: Sendable {
    /// Whether it will change no more. `unknown`: the next one closes it.
    enum State: Sendable { case running, closed, unknown }

    var symbol: VenueText
    var state: State
    var seconds: Int
    var candle: Candle
    var trades: UInt64?
    var lastTrade: UInt64?
}

/// Finds a venue's closed candles where it only sends running ones: the next one closes the one before.
struct RunningCandles: Sendable {
    private struct Key: Hashable {
        var symbol: String
        var seconds: Int
    }

    private var newest: [Key: VenueCandle] = [:]

    /// Candles of a symbol no longer come: how the last one closed is not known.
    mutating func forget(_ symbol: String) { newest = newest.filter { $0.key.symbol != symbol } }

    /// Appends to `closed` what is closed by now, and to `open` what still runs.
    mutating func accept(
        _ received: [MessageCandle], of message: Bytes, closed: inout [VenueCandle],
        open: inout [VenueCandle]
    ) {
        for one in received {
            let candle = VenueCandle(
                symbol: one.symbol.read(in: message).string, seconds: one.seconds, candle: one.candle,
                trades: one.trades, lastTrade: one.lastTrade)
            let key = Key(symbol: candle.symbol, seconds: candle.seconds)
            let last = one.state == .unknown ? newest[key] : nil
            if one.state == .running {
                open.append(candle)
            } else if one.state == .closed || (last?.candle.timestamp ?? -.infinity) > candle.candle.timestamp {
                // Closed, or a snapshot's past.
                closed.append(candle)
            } else {
                if let last {
                    if last.candle.timestamp < candle.candle.timestamp { closed.append(last) }
                    if let index = open.lastIndex(of: last) { open.remove(at: index) }
                }
                newest[key] = candle
                open.append(candle)
            }
        }
    }
}
