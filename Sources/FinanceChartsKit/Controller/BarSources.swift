internal import MarketModel

/// Decides what a bar holds that several sources describe: history, a builder of our own ticks, and a venue or a server
/// that sends whole bars.
///
/// 1. **History** is what `setData` brought; without it, what the chart held when the first result of a builder came.
///    Its bars hold all trades until then. Ticks that come later, late ones too, are added to their bar, whatever the
///    builder's own candle of it lacks or repeats. The newest tick known closes a bar. History has no times, so its
///    open and close stay where the builder does not have the whole bar and no newer tick came.
/// 2. **A whole bar of another source is never added to anything.** Both sources saw trades of one market: the one with
///    more volume saw more of them and stays; at equal volume the later one does.
/// 3. **Without results of a builder** there is one source. Its bars are shown as they come, so that a server may also
///    make one smaller. Candles of a builder that are handed over one by one are recognised by `HistoryBar`.
struct BarSources: Sendable {
    private var history: HistoryBar?
    /// The newest bars of history by their start, with what ticks added to them.
    private var past: [Double: PastBar] = [:]
    /// Older bars get no ticks: a bar is at least a second, and a tick of 300 s ago is too late for validation.
    private static let maxPastBars = 300
    private var isLoaded = false
    /// The time of the newest tick that a result brought.
    private var newestTick = -Double.infinity
    /// No later than history's newest trade, as far as one can know.
    private var newestOfHistory = -Double.infinity
    /// The start of the first bar that a builder's result changed.
    private var resultsFrom = Double.infinity
    /// The same of the streams that were shown before.
    private var earlier: [BuilderPool.Key: (history: HistoryBar?, resultsFrom: Double)] = [:]
    private static let maxEarlier = 64

    /// Another stream is shown from now on.
    mutating func leave(_ stream: BuilderPool.Key) {
        if earlier.count >= Self.maxEarlier { earlier.removeAll() }
        if history != nil || resultsFrom < .infinity { earlier[stream] = (history, resultsFrom) }
        history = nil
        past = [:]
        isLoaded = false
        newestTick = -.infinity
        resultsFrom = .infinity
    }

    /// `series` is history.
    mutating func load(_ series: CandleSeries, of stream: BuilderPool.Key) {
        if let known = earlier.removeValue(forKey: stream), history == nil, resultsFrom == .infinity {
            (history, resultsFrom) = known
        }
        isLoaded = true
        startFrom(series)
    }

    private mutating func startFrom(_ series: CandleSeries) {
        history = series.last.map { HistoryBar($0, after: history) }
        newestOfHistory = max(newestTick, series.last?.timestamp ?? -.infinity)
        past = [:]
        for index in max(0, series.count - Self.maxPastBars)..<series.count {
            past[series.timestamp(at: index)] = PastBar(bar: series[index])
        }
    }

    /// The whole bar of which a builder's result brought `candle`.
    /// - Parameters:
    ///   - tick: what the result added to the candle; `nil` where it only completed it.
    ///   - series: what the chart shows.
    mutating func wholeBar(_ candle: Candle, with tick: Tick?, in series: CandleSeries) -> Candle {
        if resultsFrom == .infinity, !isLoaded { startFrom(series) }
        resultsFrom = min(resultsFrom, candle.timestamp)
        if let tick { newestTick = max(newestTick, tick.timestamp) }
        return past[candle.timestamp]?.wholeBar(candle, with: tick, newestOfHistory: newestOfHistory) ?? candle
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
}

/// A bar of history that a builder's results are added to.
private struct PastBar {
    /// The bar as history had it.
    let bar: Candle
    /// Its volume that is not in the builder's own candle of it; `nil` before its first result.
    private var missing: ExactSum?
    /// The builder has a tick of this bar that is newer than history.
    private var isContinued = false

    init(bar: Candle) { self.bar = bar }

    /// - Parameters:
    ///   - candle: the builder's own candle of this bar.
    ///   - tick: what the result added to it.
    mutating func wholeBar(_ candle: Candle, with tick: Tick?, newestOfHistory: Double) -> Candle {
        if let tick, tick.timestamp >= newestOfHistory { isContinued = true }
        var total = missing ?? volume(missingIn: candle, newVolume: tick?.volume ?? 0)
        missing = total
        let builderHasAll = total.value == 0 && bar.volume > 0
        total.add(candle.volume)
        var whole = bar.joined(with: candle, volume: total.value)
        if builderHasAll {
            // So also its first tick, however late that came.
            whole.open = candle.open
        } else if !isContinued {
            whole.close = bar.close
        }
        return whole
    }

    private func volume(missingIn candle: Candle, newVolume: Double) -> ExactSum {
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
            // A late trade may have changed the open of a whole bar. A part that began after history is one tick, which
            // does not cover a bar with another open.
            if shown.isCovered(by: candle) || part == nil && isWhole && candle.open == bar.open {
                isWhole = part == nil
                return candle
            }
            if !continuesPart {
                // A whole bar that is behind.
                if part != nil, bar.isCovered(by: candle) { return shown }
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
        later.open == open && isCovered(by: later)
    }

    fileprivate func isCovered(by other: Candle) -> Bool {
        other.high >= high && other.low <= low && other.volume >= volume
    }

    /// This candle, continued by a later one of the same bucket.
    fileprivate func joined(with later: Candle, volume: Double) -> Candle {
        Candle(
            timestamp: timestamp, open: open, high: max(high, later.high), low: min(low, later.low),
            close: later.close, volume: volume)
    }
}
