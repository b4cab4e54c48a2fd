import MarketModel

/// What is to be fetched of one market: its minutes, and the hours and days in which they are too many, or gone.
///
/// A value without a clock; times are seconds since 1970 UTC.
struct MarketHistoryPlan: Sendable {
    /// How far back the first candles go.
    private static let depth: [Timeframe: Double] = [.m1: 1440, .h1: 720, .d1: 700]

    /// Those that the venue has, finest first.
    private var plans: [HistoryPlan]

    init(timeframes: [Timeframe], now: Double) {
        plans = KnownPast.sources.filter(timeframes.contains).map { HistoryPlan($0) }
        // Nothing is seen before the first connection, however late that is.
        wentDown(now: now)
    }

    /// - Parameter stored: the newest stored candle of each timeframe.
    mutating func begin(stored: [Timeframe: Double], now: Double) {
        for index in plans.indices {
            let timeframe = plans[index].timeframe
            let depth = now - (Self.depth[timeframe] ?? 0) * timeframe.seconds
            plans[index].begin(
                from: stored[timeframe].map { max(depth, Self.wholeStart(timeframe, of: $0)) } ?? depth, now: now)
        }
    }

    /// What is stored of the coarser candle that was open may have holes, so all of it is requested.
    private static func wholeStart(_ timeframe: Timeframe, of time: Double) -> Double {
        switch timeframe {
        case .m1: Timeframe.h1.bucketStart(of: time)
        case .h1: Timeframe.d1.bucketStart(of: time)
        default: min(Timeframe.w1.bucketStart(of: time), Timeframe.mo1.bucketStart(of: time))
        }
    }

    mutating func wentDown(now: Double) { change { $0.wentDown(now: now) } }
    mutating func cameUp(now: Double) { change { $0.cameUp(now: now) } }
    mutating func missed(since: Double, now: Double) { change { $0.missed(since: since, now: now) } }

    /// Minutes alone: what is coarser is made of them.
    private mutating func change(_ body: (inout HistoryPlan) -> Void) { if !plans.isEmpty { body(&plans[0]) } }

    func due(_ timeframe: Timeframe, now: Double) -> Range<Double>? { plan(timeframe)?.due(now: now) }

    func plan(_ timeframe: Timeframe) -> HistoryPlan? { plans.first { $0.timeframe == timeframe } }

    /// The venue answered; what it does not have any more is requested in coarser candles.
    mutating func fetched(_ timeframe: Timeframe, _ stretch: Range<Double>, covered: Range<Double>, now: Double) {
        guard let index = plans.firstIndex(where: { $0.timeframe == timeframe }) else { return }
        let lost = plans[index].fetched(stretch, covered: covered, now: now)
        if let lost, index + 1 < plans.count { plans[index + 1].add(lost) }
    }

    mutating func failed(_ timeframe: Timeframe, isRefusal: Bool, now: Double) {
        guard let index = plans.firstIndex(where: { $0.timeframe == timeframe }) else { return }
        plans[index].failed(isRefusal: isRefusal, now: now)
    }
}
