public import ChartScene
public import MarketModel

/// How the chart looks: what a user chooses from menus.
extension ChartController {
    /// What the price looks like: candles, bars, a line and so on.
    public var kind: SeriesKind {
        get { observed(\.kind) }
        set { if newValue != view.kind { change { $0.setKind(newValue) } } }
    }

    /// Where traded volume is shown.
    public var volume: VolumePlacement {
        get { observed(\.volume) }
        set { if newValue != view.volume { change { $0.setVolume(newValue) } } }
    }

    /// The price that a baseline series is filled to; `nil` is the middle of the pane.
    public var baseline: Double? {
        get { observed(\.baseline) }
        set { if newValue != view.baseline { change { $0.setBaseline(newValue) } } }
    }

    /// How prices are spread (linear, logarithmic, percent, indexed to 100), which way round, and over which range.
    ///
    /// ```swift
    /// controller.priceScale = PriceScaleSettings(kind: .logarithmic)
    /// controller.priceScale.range = 60_000...70_000  // fixed; nil fits what is on screen
    /// controller.priceScale.isInverted = true
    /// ```
    public var priceScale: PriceScaleSettings {
        get { scale(ofPane: 0) ?? PriceScaleSettings() }
        set { setScale(ofPane: 0, newValue) }
    }

    /// The scale of a pane, 0 the price's; `nil` where there is no such pane.
    public func scale(ofPane pane: Int) -> PriceScaleSettings? {
        observed { $0.panes.indices.contains(pane) ? $0.panes[pane].scale : nil }
    }

    /// Sets the scale of a pane. Percent and indexed are the price's only; a range that is none is left out.
    public func setScale(ofPane pane: Int, _ settings: PriceScaleSettings) {
        guard let old = scale(ofPane: pane), old != settings else { return }
        change { $0.setScale(ofPane: pane, settings) }
    }

    /// The panes from top to bottom, the price's first: their shares of the height and their scales.
    public var panes: [Pane] { observed(\.panes) }

    /// How high a pane is beside the others, 0.01 to 100; the price pane begins with 1.
    public func setShare(ofPane pane: Int, _ share: Double) { change { $0.setShare(ofPane: pane, share) } }

    /// Whether bars are one beside the other, or each where its time is, so that gaps show.
    public var timeScale: TimeScaleKind {
        get { observed(\.timeScaleKind) }
        set { if newValue != view.timeScaleKind { change { $0.setTimeScale(newValue) } } }
    }

    /// Whose clocks the time axis and the crosshair show. Bars stay those of UTC.
    public var timeZone: TimeZoneRules {
        get { observed(\.timeZone) }
        set { if newValue != view.timeZone { change { $0.setTimeZone(newValue) } } }
    }

    /// Shows the clocks of an IANA zone, `America/New_York`.
    /// - Returns: whether it is known here; if not, nothing changes. `TimeZoneRules.identifiers` are all of them.
    @discardableResult public func setTimeZone(_ identifier: String) -> Bool {
        guard let zone = TimeZoneRules(identifier) else { return false }
        timeZone = zone
        return true
    }

    /// The smallest step of the price where it is no power of ten, for instance 0.25; otherwise 0.
    public var tickSize: Double {
        get { observed(\.tickSize) }
        set { setTickSize(newValue) }
    }

    /// How many times larger than usual text is, 0.5 to 3.
    public var fontScale: Double {
        get { observed(\.fontScale) }
        set { setFontScale(newValue) }
    }

    /// Sets the colours of a theme document, `{"base":"light","up":"#14A05B"}`; see `Theme`.
    /// - Throws: `ExportError` that says which colour is none; the theme stays as it is.
    public func setTheme(document: some Sequence<UInt8>) throws(ExportError) {
        setTheme(try Theme(document: document))
    }

    /// Brings a time (seconds since 1970 UTC) to the middle of the chart, as far as there are bars.
    public func go(toTime time: Double) { change { $0.go(toTime: time) } }
}
