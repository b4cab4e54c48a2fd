import MarketModel

/// Joins candles to those of one coarser timeframe, and says how far each can be trusted.
struct CoarserMaker {
    let timeframe: Timeframe
    private let finer: Timeframe
    /// Starts of the buckets to be made.
    private let wanted: ClosedRange<Double>
    /// What the finer series spans.
    private let span: Range<Double>
    /// Where a finer candle that is missing stands for nothing traded.
    private let known: KnownStretches
    private var rollup: CandleRollup
    private var quality: CandleQuality?
    private var forming: Double?
    /// The end of the newest finer candle of this bucket; the bucket's start before there is one.
    private var reached = 0.0

    init(
        timeframe: Timeframe, of finer: Timeframe, wanted: ClosedRange<Double>, span: Range<Double>,
        known: KnownStretches
    ) {
        self.timeframe = timeframe
        self.finer = finer
        self.wanted = wanted
        self.span = span
        self.known = known
        rollup = CandleRollup(to: timeframe)
    }

    /// - Parameter stored: the next finer candle, ascending.
    mutating func add(_ stored: StoredCandle, _ emit: (StoredCandle) -> Void) {
        let time = stored.candle.timestamp
        let start = timeframe.bucketStart(of: time)
        if let done = rollup.add(stored.candle) { make(done, emit) }
        if start != forming {
            forming = start
            reached = start
            quality = nil
        }
        pass(to: time)
        reached = finer.bucketEnd(ofBucketAt: time)
        quality = Self.worse(quality, stored.quality)
    }

    mutating func finish(_ emit: (StoredCandle) -> Void) {
        if let last = rollup.forming { make(last, emit) }
    }

    private mutating func make(_ candle: Candle, _ emit: (StoredCandle) -> Void) {
        pass(to: timeframe.bucketEnd(ofBucketAt: candle.timestamp))
        guard wanted.contains(candle.timestamp) else { return }
        emit(StoredCandle(symbol: "", timeframe: timeframe, candle: candle, quality: quality ?? .complete))
    }

    /// Looks at what lies between two finer candles, or between one and the bucket's border.
    private mutating func pass(to time: Double) {
        guard reached < time, !known.cover(reached..<time) else { return }
        let isOutside = time <= span.lowerBound || reached >= span.upperBound
        quality = Self.worse(quality, isOutside ? .partial : .gap)
    }

    /// Of a bar that was made of several: a hole in one is a hole in it, and one with trades makes it one with trades.
    private static func worse(_ a: CandleQuality?, _ b: CandleQuality) -> CandleQuality {
        let b = b == .corrected ? .complete : b
        guard let a, a != b else { return b }
        if a == .gap || b == .gap { return .gap }
        if a == .partial || b == .partial { return .partial }
        return .complete
    }
}
