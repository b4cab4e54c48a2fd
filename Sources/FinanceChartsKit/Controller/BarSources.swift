internal import MarketModel

/// Decides what a bar holds that several sources describe: history, a builder of our own ticks, and a venue or a server
/// that sends whole bars.
///
/// 1. **History** is what `setData` brought; without it, what the chart held when the first result of a builder came.
///    Its last bar holds all trades until then. Ticks that come later are added to it, whatever the builder's own
///    candle of that bar lacks or repeats.
/// 2. **A whole bar of another source is never added to anything.** Both sources saw trades of one market: the one with
///    more volume saw more of them and stays; at equal volume the later one does.
/// 3. **Without results of a builder** there is one source. Its bars are shown as they come, so that a server may also
///    make one smaller. Candles of a builder that are handed over one by one are recognised by `HistoryBar`.
struct BarSources: Sendable {
    private var history: HistoryBar?
    private var isLoaded = false
    /// The start of the first bar that a builder's result changed.
    private var resultsFrom = Double.infinity
    /// The same of the streams that were shown before.
    private var earlier: [BuilderPool.Key: (history: HistoryBar?, resultsFrom: Double)] = [:]
    private static let mostEarlier = 64
    /// Volume of history's bar that is not in the builder's own candle of it; `nil` before its first result.
    private var missing: ExactSum?

    /// Another stream is shown from now on.
    mutating func leave(_ stream: BuilderPool.Key) {
        if earlier.count >= Self.mostEarlier { earlier.removeAll() }
        if history != nil || resultsFrom < .infinity { earlier[stream] = (history, resultsFrom) }
        history = nil
        isLoaded = false
        resultsFrom = .infinity
        missing = nil
    }

    /// `last` is history's last bar.
    mutating func load(_ last: Candle?, of stream: BuilderPool.Key) {
        if let known = earlier.removeValue(forKey: stream), history == nil, resultsFrom == .infinity {
            (history, resultsFrom) = known
        }
        history = last.map { HistoryBar($0, after: history) }
        isLoaded = true
        missing = nil
    }

    /// The whole bar of which a builder's result brought `candle`.
    /// - Parameters:
    ///   - volume: how much of the candle came with the result itself.
    ///   - shown: the chart's bar of that time.
    mutating func wholeBar(_ candle: Candle, newVolume volume: Double, shown: Candle?) -> Candle {
        if resultsFrom == .infinity, !isLoaded { history = shown.map { HistoryBar($0, after: nil) } }
        resultsFrom = min(resultsFrom, candle.timestamp)
        guard let bar = history?.bar, bar.timestamp == candle.timestamp else { return candle }
        let missing = self.missing ?? BarSources.volume(of: bar, missingIn: candle, newVolume: volume)
        self.missing = missing
        var total = missing
        total.add(candle.volume)
        var whole = bar.joined(with: candle, volume: total.value)
        // The builder has all of the bar, so also its first tick, however late that came.
        if missing.value == 0, bar.volume > 0 { whole.open = candle.open }
        return whole
    }

    /// What the series should hold once `candle` came.
    /// - Parameter shown: the chart's bar of that time.
    mutating func bar(after candle: Candle, shown: Candle?) -> Candle {
        guard let shown else { return candle }
        guard resultsFrom < .infinity else {
            guard var history, history.bar.timestamp == candle.timestamp else { return candle }
            defer { self.history = history }
            return history.bar(after: candle, shown: shown)
        }
        guard candle.timestamp >= resultsFrom, candle.volume < shown.volume else { return candle }
        // A source without quantities says nothing of volume: it only moves the price.
        return candle.volume == 0 ? shown.joined(with: candle, volume: shown.volume) : shown
    }

    private static func volume(of bar: Candle, missingIn candle: Candle, newVolume: Double) -> ExactSum {
        var missing = ExactSum(bar.volume)
        missing.add(newVolume)
        missing.add(-candle.volume)
        return missing.value > 0 ? missing : ExactSum()
    }
}

/// History's last bar, while candles of it come without a word on where they are from.
///
/// A source of whole bars sends the bar again, which replaces it. A builder that began in mid-bar and was not seeded
/// sends a part: its open is the first tick it saw, and its volume lacks what traded before. It is added to what
/// history had.
/// A candle that could be either, as where all trades had one price, counts as a whole bar: nothing counts twice.
struct HistoryBar: Sendable, Equatable {
    /// The bar as history had it.
    let bar: Candle
    /// The bar when the builder's part began.
    private var before: Candle
    /// The builder's latest part.
    private var part: Candle?
    /// Whole bars came, and no part.
    private var isWhole = false

    /// - Parameter earlier: the bar that history ended with before. Where it is the same, its builder may go on.
    init(_ bar: Candle, after earlier: HistoryBar?) {
        self.bar = bar
        before = bar
        if let earlier, earlier.bar.timestamp == bar.timestamp, earlier.part != nil {
            (before, part) = (earlier.before, earlier.part)
        }
    }

    /// What the series should hold once `candle`, of the same bucket, came.
    mutating func bar(after candle: Candle, shown: Candle) -> Candle {
        let continuesPart = part?.isEarlierState(of: candle) ?? false
        if !(continuesPart && candle.open != bar.open) {
            if shown.isEarlierState(of: candle) || part == nil && isWhole && candle.open == bar.open {
                isWhole = part == nil
                return candle
            }
            if !continuesPart {
                // A whole bar that is behind.
                if part != nil, bar.isEarlierState(of: candle) { return shown }
                before = part == nil ? bar : shown
            }
        }
        part = candle
        var volume = ExactSum(before.volume)
        volume.add(candle.volume)
        let joined = before.joined(with: candle, volume: volume.value)
        return joined.volume < shown.volume ? shown : joined
    }
}

extension Candle {
    /// A bar only grows: a later state has the open, and at least the extremes and the volume.
    fileprivate func isEarlierState(of later: Candle) -> Bool {
        later.open == open && later.high >= high && later.low <= low && later.volume >= volume
    }

    /// This candle, continued by a later one of the same bucket.
    fileprivate func joined(with later: Candle, volume: Double) -> Candle {
        Candle(
            timestamp: timestamp, open: open, high: max(high, later.high), low: min(low, later.low),
            close: later.close, volume: volume)
    }
}
