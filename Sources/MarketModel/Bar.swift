/// A candle with what a reader must know about it: its length, whether it may still change, and how far to trust it.
public struct Bar: Sendable, Equatable {
    public var timeframe: Timeframe
    public var candle: Candle
    /// False while the bucket is still open.
    public var isFinal: Bool
    /// 0 when the bar first becomes final, one more for each late tick that changed it afterwards.
    public var revision: Int
    public var quality: CandleQuality

    public init(timeframe: Timeframe, candle: Candle, isFinal: Bool, revision: Int, quality: CandleQuality) {
        self.timeframe = timeframe
        self.candle = candle
        self.isFinal = isFinal
        self.revision = revision
        self.quality = quality
    }
}

/// How far a bar can be trusted, the worst reason first.
public enum CandleQuality: UInt8, Sendable, Hashable, CaseIterable {
    /// Every trade of the bucket was seen.
    case complete = 0
    /// The stream began inside the bucket: earlier trades are unknown.
    case partial = 1
    /// The feed was down inside the bucket.
    case gap = 2
    /// Nothing traded; the bar repeats the close before it.
    case noTrade = 3
    /// A late tick changed the bar after it had become final.
    case corrected = 4

    /// The name on the wire.
    public var name: StaticString {
        switch self {
        case .complete: "complete"
        case .partial: "partial"
        case .gap: "gap"
        case .noTrade: "no_trade"
        case .corrected: "corrected"
        }
    }
}
