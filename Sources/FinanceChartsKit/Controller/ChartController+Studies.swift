public import ChartScene
public import MarketModel

extension ChartController {
    /// Adds a study beside those of `overlays` and `indicators`: any kind, with any parameters, any number of times.
    /// - Parameter pane: where it is drawn; without one, over the price if its values are prices, otherwise in a new pane.
    /// - Returns: the chart's number of it; `nil` where there are too many.
    @discardableResult public func addStudy(_ settings: StudySettings, inPane pane: Int? = nil) -> Int? {
        change { $0.addStudy(settings, inPane: pane) }
    }

    /// Removes a study that `addStudy` added.
    public func removeStudy(_ id: Int) {
        guard !presets.contains(where: { $0.id == id }) else { return }
        change { $0.removeStudy(id) }
    }

    /// All studies on the chart, with their values.
    public var studies: [ChartStudy] { observed(\.studies) }

    /// Other parameters of the same kind; settings of another kind are ignored.
    /// - Complexity: O(bars)
    public func setStudy(_ id: Int, _ settings: StudySettings) { change { $0.setStudy(id, settings) } }

    /// A hidden study stays in the legend.
    public func setVisible(ofStudy id: Int, _ isVisible: Bool) { change { $0.setVisible(ofStudy: id, isVisible) } }

    /// - Parameter colour: `nil` is the theme's.
    public func setColour(ofStudy id: Int, output: Int, _ colour: Colour?) {
        change { $0.setColour(ofStudy: id, output: output, colour) }
    }

    /// Where the legend names studies and compared symbols, as the last picture had it, so that a view can put buttons
    /// beside the names.
    public var legendRows: [LegendRow] { observed(\.legendRows) }

    /// The newest value of a study's output; `nil` before there are enough bars.
    public func studyValue(_ kind: StudyKind, output: Int = 0) -> Double? {
        guard let study = studies.first(where: { $0.settings.kind == kind }), view.count > 0 else { return nil }
        let value = study.columns.value(output: output, at: view.count - 1)
        return value.isFinite ? value : nil
    }

    /// Brings the chart's studies up to what `overlays` and `indicators` want; those that stay keep their place.
    func presetsChanged() {
        let wanted = overlays.studies + indicators.studies
        change { view in
            for (_, id) in presets.filter({ !wanted.contains($0.study) }) { view.removeStudy(id) }
            presets.removeAll { !wanted.contains($0.study) }
            for study in wanted where !presets.contains(where: { $0.study == study }) {
                if let id = view.addStudy(study) { presets.append((study, id)) }
            }
        }
    }
}

/// Other symbols beside the chart's own, as lines of their closes.
extension ChartController {
    /// Adds a symbol to compare with. The first one turns a linear price scale to percent, on which prices of different
    /// sizes can be compared; the last one that goes turns it back.
    /// - Parameters:
    ///   - candles: its bars, of the chart's timeframe; more come with `setData(ofComparison:)` and `place`.
    ///   - precision: digits after the point of its price; `nil` derives them from the bars.
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

    public func removeComparison(_ id: Int) { change { $0.removeComparison(id) } }

    /// A hidden comparison stays in the legend.
    public func setVisible(ofComparison id: Int, _ isVisible: Bool) {
        change { $0.setVisible(ofComparison: id, isVisible) }
    }

    /// - Parameter colour: `nil` is the theme's.
    public func setColour(ofComparison id: Int, _ colour: Colour?) {
        change { $0.setColour(ofComparison: id, colour) }
    }

    /// Replaces the bars of a compared symbol, after a change of the timeframe for example.
    /// - Returns: the number of its bars.
    @discardableResult public func setData(ofComparison id: Int, _ candles: [Candle]) -> Int {
        change { $0.setData(ofComparison: id, candles) }
    }

    /// Places a bar of a compared symbol by its timestamp.
    @discardableResult public func place(_ candle: Candle, ofComparison id: Int) -> PlaceResult {
        change { $0.place(candle, ofComparison: id) }
    }

    public var comparisons: [ChartComparison] { observed(\.comparisons) }
}
