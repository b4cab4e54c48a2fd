public import MarketModel

/// A candle as the store keeps it: which series it belongs to, and how sure one may be of it.
public struct StoredCandle: Sendable, Equatable {
    /// The venue's own name, for example `BTC-USD`.
    public var symbol: String
    public var timeframe: Timeframe
    public var candle: Candle
    /// How often the candle was corrected after it was final. A row with a lower revision never replaces a higher one.
    public var revision: Int
    public var quality: CandleQuality

    public init(
        symbol: String, timeframe: Timeframe, candle: Candle, revision: Int = 0, quality: CandleQuality = .complete
    ) {
        self.symbol = symbol
        self.timeframe = timeframe
        self.candle = candle
        self.revision = revision
        self.quality = quality
    }

    /// A bar of the aggregator. Whether it is final is not kept.
    public init(symbol: String, bar: Bar) {
        self.init(
            symbol: symbol, timeframe: bar.timeframe, candle: bar.candle, revision: bar.revision, quality: bar.quality)
    }
}

/// One series of the store: the candles of a symbol and timeframe.
public struct SeriesKey: Sendable, Hashable {
    public var symbol: String
    public var timeframe: Timeframe

    public init(symbol: String, timeframe: Timeframe) {
        self.symbol = symbol
        self.timeframe = timeframe
    }
}
