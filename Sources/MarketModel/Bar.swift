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
