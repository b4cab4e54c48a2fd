public import MarketModel

/// A study on the chart: its settings, where it is drawn and how it looks. Its values follow the bars.
public struct ChartStudy: Sendable {
    /// By which the chart's methods know it; never given out twice.
    public let id: Int
    /// 0 over the price, otherwise a pane below it.
    public internal(set) var pane: Int
    public internal(set) var isVisible = true
    /// One an output; `nil` is the theme's.
    public internal(set) var colours: [Colour?]
    /// The values, one row a bar.
    public internal(set) var columns: StudyColumns

    /// The first of the theme's palette that it uses.
    var slot: Int
    /// How its outputs are drawn, looked up once.
    private(set) var outputs: [StudyTrace]
    private(set) var guides: [Double]
    private(set) var fixedRange: ClosedRange<Double>?

    public var settings: StudySettings { columns.settings }

    init(id: Int, _ settings: StudySettings, pane: Int, slot: Int) {
        self.id = id
        self.pane = pane
        self.slot = slot
        columns = StudyColumns(settings)
        outputs = StudyTrace.all(settings)
        guides = settings.kind.guides
        fixedRange = settings.kind.fixedRange
        colours = outputs.map { _ in nil }
    }

    /// Other settings; the values have to be recomputed.
    mutating func set(_ settings: StudySettings) {
        columns = StudyColumns(settings)
        outputs = StudyTrace.all(settings)
    }

    // All that computes is called from here: once in the module instead of at each place where bars change.

    @inline(never)
    mutating func rebuild(_ series: CandleSeries) { columns.rebuild(series) }

    @inline(never)
    mutating func update(_ series: CandleSeries, from index: Int) { columns.update(series, from: index) }

    /// The colour of an output: that of the settings, or of the theme.
    @inline(never)
    func colour(_ output: Int, _ theme: Theme) -> Colour {
        colours[output] ?? theme.palette(slot + outputs[output].hue)
    }

    /// The value that belongs to what is drawn at `bar`; NaN where there is none.
    @inline(never)
    func shown(output: Int, atBar bar: Int) -> Double {
        columns.value(output: output, at: bar - outputs[output].shift)
    }
}

/// How one output of a study is drawn.
struct StudyTrace: Sendable {
    let form: StudyOutput.Form
    /// Bars that values are drawn to the right of their own.
    let shift: Int
    /// The output that bounds the other side of the band or cloud, on the first one of the two.
    let partner: Int?
    /// Which colour of the palette, from the study's first: edges of a band share one.
    let hue: Int

    static func all(_ settings: StudySettings) -> [StudyTrace] {
        let outputs = settings.kind.outputs
        var traces: [StudyTrace] = []
        var hue = 0
        var open: Int?
        for index in outputs.indices {
            let form = outputs[index].form
            var partner: Int?
            let isEdge = form == .bandEdge || form == .cloudEdge
            if isEdge, open == nil {
                open = index
                partner = outputs.indices.first { $0 > index && outputs[$0].form == form }
            } else if isEdge {
                open = nil
            }
            let shared = form == .bandEdge && partner == nil
            traces.append(
                StudyTrace(
                    form: form, shift: settings.shift(ofOutput: index), partner: partner,
                    hue: shared ? max(hue - 1, 0) : hue))
            if !shared { hue += 1 }
        }
        return traces
    }
}
