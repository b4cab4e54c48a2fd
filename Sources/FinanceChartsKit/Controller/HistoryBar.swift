internal import MarketModel

/// The newest bar that history delivered, while live candles of the same bar arrive.
///
/// Two kinds of source continue such a bar. A server sends the whole bar again, which replaces it. A builder that began
/// in the middle of the bar and was not seeded sends a fragment: its open is the first tick it saw and its volume lacks
/// what was traded before. Put in place of the bar, the fragment would wipe the earlier trades out; it is joined to them.
struct HistoryBar: Sendable, Equatable {
    /// The bar as history had it.
    let bar: Candle
    private var source = Source.unknown

    private enum Source {
        case unknown, wholeBars, fragments
    }

    init(_ bar: Candle) {
        self.bar = bar
    }

    /// What the series should hold after `candle`, which is of the same bucket.
    mutating func joined(with candle: Candle) -> Candle {
        if source == .unknown { source = isLaterState(candle) ? .wholeBars : .fragments }
        guard source == .fragments else { return candle }
        return Candle(
            timestamp: bar.timestamp, open: bar.open, high: max(bar.high, candle.high), low: min(bar.low, candle.low),
            close: candle.close, volume: bar.volume + candle.volume)
    }

    /// A bar only grows: whoever lost its open, its extremes or its volume has not seen all of it.
    private func isLaterState(_ candle: Candle) -> Bool {
        candle.open == bar.open && candle.high >= bar.high && candle.low <= bar.low && candle.volume >= bar.volume
    }
}
