public import MarketModel

/// What one can subscribe to: a market's candles of one timeframe, together with its ticks.
public struct StreamKey: Sendable, Hashable {
    /// The market's number in its registry.
    public var market: Int
    public var timeframe: Timeframe

    @inlinable public init(market: Int, timeframe: Timeframe) {
        self.market = market
        self.timeframe = timeframe
    }

    /// The key of a slot.
    @inlinable public init(slot: Int) {
        let timeframes = Timeframe.allCases
        market = slot / timeframes.count
        timeframe = timeframes[slot % timeframes.count]
    }

    /// A dense number, for arrays over all streams.
    @inlinable public var slot: Int { market * Timeframe.allCases.count + timeframe.index }
}
