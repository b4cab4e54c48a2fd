public import ChartScene
public import MarketModel

/// What a chart looks like, without its bars: panes, scales, series, studies, theme, drawings. Kept by an app as a
/// document and put onto any chart again.
///
/// ```swift
/// let saved = try controller.layout.document()
/// other.layout = try ChartLayout(document: saved)
/// ```
///
/// The document is JSON, `{"format":"candlewire-layout","version":1,…}`. Only these two must be there; what is left out is
/// as in a new chart, and what version 1 does not have is refused.
public struct ChartLayout: Sendable, Equatable {
    public var kind = SeriesKind.candles
    public var volume = VolumePlacement.price
    public var timeZone = TimeZoneRules.utc
    public var timeScale = TimeScaleKind.bars
    public var fontScale = 1.0
    public var baseline: Double?
    public var theme = Theme.dark
    /// From top to bottom, the price's first.
    public var panes: [Pane] = [Pane()]
    /// In the order of their legends.
    public var studies: [Study] = []
    /// From the lowest to the topmost one.
    public var drawings: [Drawing] = []

    /// One of the panes.
    public struct Pane: Sendable, Equatable {
        /// How high it is beside the others.
        public var share: Double
        public var scale: PriceScaleSettings
        /// The volume's own pane.
        public var hasVolume: Bool

        public init(share: Double = 1, scale: PriceScaleSettings = PriceScaleSettings(), hasVolume: Bool = false) {
            self.share = share
            self.scale = scale
            self.hasVolume = hasVolume
        }
    }

    /// One of the studies.
    public struct Study: Sendable, Equatable {
        public var settings: StudySettings
        /// The number of its pane.
        public var pane: Int
        /// One an output; `nil` is the theme's.
        public var colours: [Colour?]
        public var isVisible: Bool

        public init(_ settings: StudySettings, pane: Int = 0, colours: [Colour?] = [], isVisible: Bool = true) {
            self.settings = settings
            self.pane = pane
            self.colours = colours
            self.isVisible = isVisible
        }
    }

    public init() {}
}

extension ChartController {
    /// What the chart looks like. Setting it replaces studies, panes and drawings; bars, symbol and timeframe stay.
    public var layout: ChartLayout {
        get { observed(ChartLayout.init(of:)) }
        set { put(newValue) }
    }

    private func put(_ layout: ChartLayout) {
        overlays = []
        indicators = []
        change { view in
            for study in view.studies { view.removeStudy(study.id) }
            view.setVolume(.off)
            view.setKind(layout.kind)
            view.setBaseline(layout.baseline)
            view.setTimeZone(layout.timeZone)
            view.setTimeScale(layout.timeScale)
            view.setFontScale(layout.fontScale)
            view.setTheme(layout.theme)
            for pane in layout.panes.indices {
                if pane > 0, layout.panes[pane].hasVolume { view.setVolume(.pane) }
                for study in layout.studies where study.pane == pane {
                    guard let id = view.addStudy(study.settings, inPane: pane) else { continue }
                    for output in study.colours.indices {
                        view.setColour(ofStudy: id, output: output, study.colours[output])
                    }
                    view.setVisible(ofStudy: id, study.isVisible)
                }
            }
            if view.volume != layout.volume { view.setVolume(layout.volume) }
            for pane in view.panes.indices where layout.panes.indices.contains(pane) {
                view.setScale(ofPane: pane, layout.panes[pane].scale)
                view.setShare(ofPane: pane, layout.panes[pane].share)
            }
            view.board.removeAll()
            for drawing in layout.drawings { view.board.add(drawing) }
            view.board.select(nil)
        }
        recognisePresets()
    }

    /// Studies that are as `overlays` and `indicators` have them are theirs again.
    private func recognisePresets() {
        presets = []
        func recognised(_ settings: [StudySettings]) -> Int {
            settings.indices.reduce(0) { bits, index in
                let free = view.studies.first { study in
                    study.settings == settings[index] && !presets.contains { $0.id == study.id }
                }
                guard let free else { return bits }
                presets.append((settings[index], free.id))
                return bits | 1 << index
            }
        }
        overlays = OverlaySpec(rawValue: recognised(StudySettings.overlayPresets))
        indicators = IndicatorSpec(rawValue: recognised(StudySettings.indicatorPresets))
    }
}

extension ChartLayout {
    init(of view: ChartView) {
        kind = view.kind
        volume = view.volume
        timeZone = view.timeZone
        timeScale = view.timeScaleKind
        fontScale = view.fontScale
        baseline = view.baseline
        theme = view.theme
        panes = view.panes.map { Pane(share: $0.share, scale: $0.scale, hasVolume: $0.hasVolume) }
        // By pane, as they come back: within a pane their order decides legends and colours.
        studies = view.panes.indices.flatMap { pane in
            view.studies.filter { $0.pane == pane }.map {
                Study($0.settings, pane: pane, colours: $0.colours, isVisible: $0.isVisible)
            }
        }
        // Their numbers are the board's.
        drawings = view.board.drawings.compactMap {
            Drawing($0.kind, $0.anchors, style: $0.style, text: $0.text, isLocked: $0.isLocked, isHidden: $0.isHidden)
        }
    }
}
