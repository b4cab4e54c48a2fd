public import MarketModel

/// Other symbols beside the chart's own.
extension ChartView {
    /// The most comparisons that a chart has.
    public static let maxComparisons = 8

    /// Adds a symbol to compare with, without bars. The first one turns a linear price scale to percent, on which prices
    /// of different sizes can be compared; the last one that goes turns it back. On a logarithmic scale, which stays, each
    /// line is moved so far that it meets the chart's own at the first bar on screen that all of them have.
    /// - Parameters:
    ///   - utf8: its name, at most 48 bytes.
    ///   - precision: digits after the point of its price, 0 to 10.
    /// - Returns: its id; `nil` where there are too many.
    @discardableResult public mutating func addComparison(_ utf8: some Sequence<UInt8>, precision: Int) -> Int? {
        guard comparisons.count < Self.maxComparisons else { return nil }
        lastStudyId += 1
        comparisons.append(
            ChartComparison(
                id: lastStudyId, symbol: cut(utf8, maxLength: 48), precision: min(max(precision, 0), 10), colour: nil,
                series: CandleSeries(capacity: series.capacity), slot: freeSlot(inPane: 0)))
        if panes[0].scale.kind == .linear {
            panes[0].scale.kind = .percent
            isPercentForComparison = true
        }
        updateLayout()
        return lastStudyId
    }

    public mutating func removeComparison(_ id: Int) {
        guard let index = comparisonIndex(id) else { return }
        comparisons.remove(at: index)
        if comparisons.isEmpty, isPercentForComparison {
            if panes[0].scale.kind == .percent { panes[0].scale.kind = .linear }
            isPercentForComparison = false
        }
        updateLayout()
    }

    /// Replaces a comparison's bars, of the chart's timeframe.
    /// - Returns: the number of its bars.
    @discardableResult public mutating func setData(ofComparison id: Int, _ candles: some Collection<Candle>) -> Int {
        guard let index = comparisonIndex(id) else { return 0 }
        _ = comparisons[index].series.replaceAll(with: candles)
        comparisons[index].closes.update(series, comparisons[index].series, from: 0)
        mark(.everything)
        return comparisons[index].series.count
    }

    /// Places one of a comparison's bars by its timestamp.
    @discardableResult public mutating func place(_ candle: Candle, ofComparison id: Int) -> PlaceResult {
        guard let index = comparisonIndex(id) else { return .rejected(.malformed) }
        let result = comparisons[index].series.place(candle)
        if case .rejected = result { return result }
        // The bar before may have shown that nothing newer was known.
        let first = series.firstIndex(notBefore: candle.timestamp)
        comparisons[index].closes.update(series, comparisons[index].series, from: max(0, backToGap(index, first)))
        mark(.viewport)
        return result
    }

    /// - Parameter colour: `nil` is the theme's.
    public mutating func setColour(ofComparison id: Int, _ colour: Colour?) {
        guard let index = comparisonIndex(id) else { return }
        comparisons[index].colour = colour
        mark(.everything)
    }

    /// The colour that a comparison is drawn in.
    public func colour(ofComparison id: Int) -> Colour? { comparisonIndex(id).map { comparisons[$0].colour(theme) } }

    /// A hidden comparison stays in the legend, and the others do not meet at its bars.
    public mutating func setVisible(ofComparison id: Int, _ isVisible: Bool) {
        guard let index = comparisonIndex(id) else { return }
        comparisons[index].isVisible = isVisible
        mark(.everything)
    }

    private func comparisonIndex(_ id: Int) -> Int? { comparisons.firstIndex { $0.id == id } }

    /// The first of the bars just before `bar` at which the comparison had no close.
    private func backToGap(_ index: Int, _ bar: Int) -> Int {
        var first = bar
        while first > 0, comparisons[index].closes.value(at: first - 1).isNaN,
            let oldest = comparisons[index].series.first, series.timestamp(at: first - 1) >= oldest.timestamp
        {
            first -= 1
        }
        return first
    }

    /// The chart's bars changed: so do the times at which others are looked at.
    mutating func updateComparisons(_ change: BarsChange) {
        for index in comparisons.indices {
            let own = comparisons[index].series
            switch change {
            case .all, .prepended: comparisons[index].closes.update(series, own, from: 0)
            case .corrected: break
            case .from(let first, let dropped):
                comparisons[index].closes.dropFirst(dropped)
                comparisons[index].closes.update(series, own, from: first)
            }
        }
    }
}
