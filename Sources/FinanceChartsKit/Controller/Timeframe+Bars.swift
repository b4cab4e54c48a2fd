internal import MarketModel

/// Which bars are of a timeframe.
extension Timeframe {
    /// Fewer bars than this say nothing of the distance between two: bars may be missing.
    private static let fewestBars = 4

    /// The timeframe that these bars, in any order, are at the distance of; `nil` where there is none.
    init?(ofBars bars: [Candle]) {
        guard let timeframe = CandleCSV.timeframe(of: bars.sorted { $0.timestamp < $1.timestamp }) else { return nil }
        self = timeframe
    }

    /// Whether a bar begins at this time, in seconds since 1970 UTC, finite.
    func isBarStart(_ timestamp: Double) -> Bool { bucketStart(of: timestamp) == timestamp }

    /// The candles that begin where a bar does; `nil` where the candles as a whole are of another timeframe: most are
    /// closer to each other, none begins where a bar does, or all are bars of a longer timeframe.
    ///
    /// Any bar may be missing: weekends, holes and pauses do not make another timeframe.
    /// - Parameter candles: well-formed, in any order.
    func bars(among candles: [Candle]) -> [Candle]? {
        let bars = candles.filter { isBarStart($0.timestamp) }
        if bars.isEmpty, !candles.isEmpty { return nil }
        guard let other = Timeframe(ofBars: candles), other != self else { return bars }
        if other.index < index { return nil }
        let areLonger =
            candles.count >= Timeframe.fewestBars && candles.allSatisfy { other.isBarStart($0.timestamp) }
        return areLonger ? nil : bars
    }
}
