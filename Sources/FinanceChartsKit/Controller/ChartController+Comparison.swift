public import ChartScene
public import MarketModel

/// Other symbols beside the chart's own, as lines of their closes.
extension ChartController {
    /// Adds a symbol to compare with. The first one turns a linear price scale to percent, on which prices of different
    /// sizes can be compared; the last one that goes turns it back.
    /// - Parameters:
    ///   - candles: its bars, of the chart's timeframe; more come with `setData(ofComparison:)` and `place`.
    ///   - precision: digits after the point of its price; `nil` takes them from the bars.
    /// - Returns: the chart's number of it; `nil` where there are 8 already.
    @discardableResult
    public func addComparison(_ symbol: String, candles: [Candle] = [], precision: Int? = nil) -> Int? {
        change { view in
            let digits = precision ?? PricePrecision.digits(of: candles.filter(\.isWellFormed))
            guard let id = view.addComparison(symbol.utf8, precision: digits) else { return nil }
            view.setData(ofComparison: id, candles)
            return id
        }
    }

    public func removeComparison(_ id: Int) {
        change { $0.removeComparison(id) }
    }

    /// Replaces the bars of a compared symbol, after a change of the timeframe for example.
    /// - Returns: the number of its bars.
    @discardableResult
    public func setData(ofComparison id: Int, _ candles: [Candle]) -> Int {
        change { $0.setData(ofComparison: id, candles) }
    }

    /// Places a bar of a compared symbol by its timestamp.
    @discardableResult
    public func place(_ candle: Candle, ofComparison id: Int) -> PlaceResult {
        change { $0.place(candle, ofComparison: id) }
    }

    public var comparisons: [ChartComparison] { observed(\.comparisons) }
}
