internal import MarketModel

/// All that the layers need to know to draw one frame. It cannot be copied: a copy would retain all that it refers to.
struct Scene: ~Copyable {
    let series: CandleSeries
    /// The newest bar that there is: it may lie beyond those in the chart.
    let newest: Candle?
    let kind: SeriesKind
    /// Where a baseline lies; `nil` in the middle of the price pane.
    let baseline: Double?
    let heikinAshi: HeikinAshi?
    let timeframe: Timeframe
    let instrument: Instrument
    let symbol: [UInt8]
    let theme: Theme
    let layout: Layout
    let panes: [Pane]
    let studies: [ChartStudy]
    let comparisons: [ChartComparison]
    let time: TimeScale
    /// The indices on screen, those beyond the bars too.
    let indices: Range<Int>
    let frame: Frame
    /// Positions of the crosshair; `nil` while the base is drawn, which has no part in it.
    let crosshair: CrosshairPosition?
    /// The clock of the time axis and the crosshair.
    let clock: ZoneClock

    /// The scale of the price pane.
    var price: PriceScale { frame.scales[0] }
    var precision: Int { instrument.precision }
    var visible: Range<Int> { frame.visible }
    var volumeTop: Double { frame.volumeTop }
    var candle: CandleGeometry? { frame.candle }

    /// Width of a study's line.
    var studyWidth: Double { max(1, Pixels.snap(1.5 * layout.ratio)) }

    /// The bars as candles show them.
    var drawn: CandleSeries { heikinAshi?.series ?? series }

    /// The baseline's pixel.
    var baselineY: Double {
        baseline.map { Pixels.snap(price.y($0)) } ?? Pixels.snap((layout.price.valueTop + layout.price.bottom) / 2)
    }

    /// The bar that the legend describes.
    var legendBar: Int? { crosshair?.bar ?? (series.isEmpty ? nil : series.count - 1) }
}

/// The crosshair of one frame, on its bar.
struct CrosshairPosition {
    /// Rounded bar index; it may lie beyond the series.
    let index: Int
    /// The bar at `index`, where there is one.
    let bar: Int?
    /// The pane that the horizontal line is in.
    let pane: Int
    /// Device pixels; `nil` where the pointer is in no pane.
    let y: Double?
}

/// Storage that the layers reuse from frame to frame.
struct Scratch {
    var text = TextBuffer()
    var timeTicks = TimeTicks()
    var columns: [PixelColumn] = []
    var line = LineTrace()
    /// The other side of a band.
    var otherLine = LineTrace()
    /// The tags on the price axis.
    var tags = AxisTags()
    /// The widest label on a price axis, in font sizes.
    var widestLabel = 0.0
    /// Where the tags of orders begin, by height.
    var orderTags: [(y: Double, left: Double)] = []
    var legendRows: [LegendRow] = []
    /// Left edges and widths of the time labels that were drawn.
    var timeLabels: [TimeLabelSpan] = []
}
