/// What one tick did to a builder's candles.
///
/// Apply `appended`, then `corrected`, then `updated`; since a series places candles by timestamp, another order gives
/// the same series.
public struct BuildResult: Sendable, Equatable {
    /// The forming candle after this tick; `nil` where the tick did not touch it.
    public var updated: Candle?
    /// The candle that this tick completed by opening the next one.
    public var appended: Candle?
    /// A completed candle that this late tick changed.
    public var corrected: Candle?
    /// Why the tick was not used.
    public var rejection: TickRejection?

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
/// if let done = result.appended { series.place(done) }
/// if let forming = result.updated { series.place(forming) }
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
    /// - Complexity: O(1)
    public mutating func ingest(_ tick: Tick) -> BuildResult {
        var final: Candle?
        switch aggregator.ingest(tick, emit: { final = $0.candle }) {
        case .updated: return BuildResult(updated: aggregator.forming(timeframe)?.candle)
        case .opened: return BuildResult(updated: aggregator.forming(timeframe)?.candle, appended: final)
        case .corrected: return BuildResult(corrected: final)
        case .rejected(let reason): return BuildResult(rejection: reason)
        }
    }

    /// The candle being built.
    public var forming: Candle? { aggregator.forming(timeframe)?.candle }

    /// Time of the newest tick (or the seed's bucket), seconds since 1970 UTC.
    public var lastUpdateTime: Double? { aggregator.lastUpdateTime }

    /// Ticks that were not used, by reason.
    public var rejections: RejectionCounts { aggregator.rejections }

    /// Forgets everything.
    public mutating func reset() { aggregator.reset() }

    /// Continues from a candle that history delivered: the next ticks of its bucket update it, instead of opening a
    /// bar that lacks its earlier trades. A malformed candle is ignored.
    public mutating func seed(with candle: Candle) {
        aggregator.reset()
        aggregator.seed(timeframe, with: candle)
    }
}
