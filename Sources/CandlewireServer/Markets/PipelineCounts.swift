public import MarketModel

/// What the pipeline has done so far, for `/health`.
public struct PipelineCounts: Sendable {
    public var accepted = 0
    public var corrected = 0
    public var rejections = RejectionCounts()
    public var finalCandles = 0

    public init() {}
}
