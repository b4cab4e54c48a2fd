import MarketModel

/// The stretches of time of which a file says all: from one bad row to the next. Where it has no row between two good
/// ones, nothing was traded, as far as the file knows; what a bad row would have said, nobody knows.
struct ToldStretches {
    /// More are not kept: what they would say is then unknown, which costs only the quality of coarser candles.
    static let most = 10_000

    private(set) var stretches: [Range<Double>] = []
    private let timeframe: Timeframe
    private var current: Range<Double>?

    /// - Parameter timeframe: of the candles that the rows become.
    init(_ timeframe: Timeframe) { self.timeframe = timeframe }

    /// A good row.
    mutating func add(_ time: Double) {
        if let current, current.contains(time) { return }
        let start = timeframe.bucketStart(of: time)
        let end = timeframe.bucketEnd(ofBucketAt: start)
        current = min(current?.lowerBound ?? start, start)..<max(current?.upperBound ?? end, end)
    }

    /// A bad row, or the file's end.
    mutating func interrupt() {
        if let current, stretches.count < Self.most { stretches.append(current) }
        current = nil
    }
}
