/// What one tick did to a builder's candles.
///
/// A tick is in one candle, which is `updated`: the forming one, or for a late tick a completed one. Only a tick that
/// opens the next candle completes one, `appended`. So these two, placed **by their timestamps** and in either order,
/// are all that the tick changed.
public struct BuildResult: Sendable, Equatable {
    /// The candle that the tick is in, after it: the forming one, or the completed one that a late tick corrected;
    /// `nil` where the tick was rejected.
    public var updated: Candle?
    /// The candle that this tick completed by opening the next one.
    public var appended: Candle?
    /// The same as `updated` where that is a completed candle which this late tick changed; otherwise `nil`.
    public var corrected: Candle?
    /// Why the tick was not used.
    public var rejection: TickRejection?
    /// The tick, where it was used; `nil` in a result that no builder made.
    public var tick: Tick?
    /// The length of the candles; `nil` in a result that no builder made.
    public var timeframe: Timeframe?

    public init(
        updated: Candle? = nil, appended: Candle? = nil, corrected: Candle? = nil, rejection: TickRejection? = nil
    ) {
        self.updated = updated
        self.appended = appended
        self.corrected = corrected
        self.rejection = rejection
    }
}

/// Builds the candles of one timeframe from ticks.
///
/// ```swift
/// var builder = OHLCBuilder(timeframe: .m1)
/// let result = builder.ingest(tick)
/// if let completed = result.appended { series.place(completed) }
/// if let updated = result.updated { series.place(updated) }       // the forming candle, or a corrected one
/// ```
public struct OHLCBuilder: Sendable {
    public let timeframe: Timeframe
    private var aggregator: TickAggregator

    /// - Parameter lateness: seconds a tick may be behind the newest one and still be applied; default 10.
    public init(timeframe: Timeframe, lateness: Double = 10) {
        self.timeframe = timeframe
        aggregator = TickAggregator(timeframes: [timeframe], lateness: lateness)
    }

    /// Adds one tick. Never traps on data: `rejection` says what is wrong with a bad or too late one.
    ///
    /// A late tick within the lateness window corrects the completed candle of its bucket: that candle is `updated`,
    /// with its own, older timestamp, and the forming one stays as it is. A series that places `updated` and `appended`
    /// by timestamp equals that of the same ticks in order.
    /// - Complexity: O(1)
    public mutating func ingest(_ tick: Tick) -> BuildResult {
        var final: Candle?
        var result = BuildResult()
        switch aggregator.ingest(tick, emit: { final = $0.candle }) {
        case .updated: result.updated = forming
        case .opened:
            result.updated = forming
            result.appended = final
        case .corrected:
            result.updated = final
            result.corrected = final
        case .rejected(let reason): return BuildResult(rejection: reason)
        }
        result.tick = tick
        result.timeframe = timeframe
        return result
    }

    /// Seconds a tick may be behind the newest one and still be applied.
    public var lateness: Double { aggregator.lateness }

    /// The candle being built.
    public var forming: Candle? { aggregator.forming(timeframe)?.candle }

    /// Time of the newest tick (or the seed's bucket), seconds since 1970 UTC.
    public var lastUpdateTime: Double? { aggregator.lastUpdateTime }

    /// Ticks that were not used, by reason.
    public var rejections: RejectionCounts { aggregator.rejections }

    /// Forgets everything.
    public mutating func reset() { aggregator.reset() }

    /// Forgets everything and continues from a candle that history delivered: it holds all trades before this call, and
    /// the next ticks of its bucket are added to it, instead of opening a bar that lacks its earlier trades. Ticks from
    /// before its bucket are rejected as `.late`. A malformed candle only resets.
    public mutating func seed(with candle: Candle) {
        aggregator.reset()
        aggregator.seed(timeframe, with: candle)
    }
}
