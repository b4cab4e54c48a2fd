public import MarketModel

/// A chart as a machine: calls about data, time and pointers go in, a `DisplayList` comes out.
///
/// ```swift
/// var chart = ChartView()
/// chart.resize(width: 800, height: 400, devicePixelRatio: 2)
/// chart.setSymbol("BTC-USD".utf8, precision: 2)
/// chart.setData(candles)
/// var picture = DisplayList()
/// chart.render(into: &picture)
/// ```
///
/// Each method is one export of the WebAssembly module, so the same sequence of calls gives the same words there and
/// here. Positions are CSS pixels from the chart's top left; bar indices count from the oldest bar. No call traps on
/// data: what cannot be used is left out.
public struct ChartView: Sendable {
    /// The bars. Changed by the data methods only.
    public private(set) var series: CandleSeries
    public internal(set) var viewport = Viewport() {
        didSet { if viewport != oldValue { mark(.viewport) } }
    }
    public private(set) var timeframe: Timeframe
    public private(set) var size = ChartSize(width: 0, height: 0, devicePixelRatio: 1)
    public private(set) var theme = Theme.dark
    /// Digits after the point of a price, 0 to 10.
    public private(set) var precision = 2
    /// The smallest step of a price; 0 where the precision says it.
    public private(set) var tickSize = 0.0
    /// How many times larger than usual text is, 0.5 to 3.
    public private(set) var fontScale = 1.0
    /// What the price looks like.
    public private(set) var kind = SeriesKind.candles
    /// Where traded volume is shown.
    public internal(set) var volume = VolumePlacement.price
    /// The price that a baseline series is filled to; `nil` is the middle of the pane.
    public private(set) var baseline: Double?
    /// The symbol's UTF-8, at most 48 bytes.
    public private(set) var symbol: [UInt8] = []
    /// From top to bottom; the first one has the price.
    public internal(set) var panes: [Pane] = [Pane()]
    /// Over the price and in panes below it, in the order in which they were added.
    public internal(set) var studies: [ChartStudy] = []
    /// Other symbols beside the chart's own.
    public internal(set) var comparisons: [ChartComparison] = []
    /// The price scale became percent when the first comparison came.
    var isPercentForComparison = false
    /// The last id that a study or a comparison was given.
    var lastStudyId = 0
    /// All but the crosshair, as `draw` left it.
    public internal(set) var base = DisplayList()
    /// Crosshair and legends, as `draw` left them; painted over the base.
    public internal(set) var overlay = DisplayList()
    /// What the next `draw` has to do.
    public internal(set) var pendingRedraw = RedrawLevel.everything

    /// What clocks the axis and the crosshair show; UTC for bars of a day and longer.
    public internal(set) var timeZone = TimeZoneRules.utc
    var clock = ZoneClock(.utc)

    /// Bars that went because of the capacity and can be had again.
    package internal(set) var pagedOut = PagedOut()
    /// Extremes of any range of bars; `barsChanged` keeps it up to date.
    var pyramid = CandlePyramid()
    /// What others put on the chart: price lines, alerts, markers, orders, the feed's state.
    public var objects = ChartObjects() { didSet { mark(.lastBar) } }
    /// The symbol's drawings. Set it together with the symbol.
    public var board = DrawingBoard() { didSet { mark(.cursor) } }

    /// Whether bars are spaced by their index or by their time.
    public internal(set) var timeScaleKind = TimeScaleKind.bars
    /// The view before the time scale was switched, and what became of it; `nil` since there are other bars.
    var switched: (from: Viewport, to: Viewport, count: Int)?

    var builder: OHLCBuilder
    var crosshair = Crosshair.off { didSet { if crosshair != oldValue { mark(.cursor) } } }
    /// The end of the newest bar that was said to be final; ticks before it are in that bar already.
    var finalUntil = 0.0
    /// No price of the data was higher. It decides the width of the price axis, which therefore does not change while
    /// the chart is moved.
    private(set) var priceCeiling = 0.0
    /// What the price axis has room for, in font sizes: at least what was drawn since the symbol, the timeframe and the
    /// scale are the same.
    var axisWidth = 0.0
    /// Only while it is drawn.
    var heikinAshi: HeikinAshi?
    var scratch = Scratch()
    var frame = Frame()
    private(set) var layout: Layout

    /// - Parameter capacity: the most bars to keep; the oldest are dropped first.
    public init(timeframe: Timeframe = .m1, capacity: Int = 200_000) {
        series = CandleSeries(capacity: capacity)
        self.timeframe = timeframe
        builder = OHLCBuilder(timeframe: timeframe)
        layout = Layout(size: size, labelWidth: 0)
    }

    // MARK: Appearance

    /// The chart's size in CSS pixels and the device pixels per CSS pixel. The right edge keeps its bar.
    public mutating func resize(width: Double, height: Double, devicePixelRatio: Double) {
        size = ChartSize(width: width, height: height, devicePixelRatio: devicePixelRatio)
        updateLayout()
    }

    public mutating func setTheme(_ theme: Theme) {
        self.theme = theme
        mark(.everything)
    }

    /// What the price looks like. Heikin-Ashi candles are computed once here, O(bars), and then with each bar.
    public mutating func setKind(_ kind: SeriesKind) {
        self.kind = kind
        heikinAshi = kind == .heikinAshi ? HeikinAshi(capacity: series.capacity) : nil
        heikinAshi?.rebuild(series)
        mark(.everything)
    }

    /// The price that a baseline series is filled to; `nil` or no price is the middle of the pane.
    public mutating func setBaseline(_ price: Double?) {
        baseline = price.flatMap { $0.isFinite ? $0 : nil }
        mark(.everything)
    }

    /// The user's font size: all text and what holds it is scaled by this factor, 0.5 to 3.
    public mutating func setFontScale(_ scale: Double) {
        fontScale = scale > 0 ? min(max(scale, 0.5), 3) : 1
        updateLayout()
    }

    /// - Parameters:
    ///   - utf8: the name; what is longer than 48 bytes is cut before a character.
    ///   - precision: digits after the point of a price, 0 to 10.
    ///   - tickSize: the smallest step of a price where it is no power of ten, for instance 0.25; otherwise 0.
    public mutating func setSymbol(_ utf8: some Sequence<UInt8>, precision: Int, tickSize: Double = 0) {
        symbol = cut(utf8, maxLength: 48)
        self.precision = min(max(precision, 0), 10)
        self.tickSize = tickSize > 0 && tickSize < 1e15 ? tickSize : 0
        axisWidth = 0
        updateLayout()
    }

    /// The smallest step of the symbol's price where it is no power of ten, for instance 0.25; otherwise 0.
    public mutating func setTickSize(_ tickSize: Double) {
        self.tickSize = tickSize > 0 && tickSize < 1e15 ? tickSize : 0
        mark(.everything)
    }

    /// Another length of candle: forgets the bars and the candle being built.
    public mutating func setTimeframe(_ timeframe: Timeframe) {
        self.timeframe = timeframe
        updateClock()
        builder = OHLCBuilder(timeframe: timeframe)
        series.removeAll()
        pagedOut = PagedOut()
        finalUntil = 0
        crosshair = .off
        priceCeiling = 0
        axisWidth = 0
        barsChanged(.all)
        viewport.isFollowing = true
        updateLayout()
    }

    // MARK: For the extensions in other files

    /// What the next `draw` has to do at least.
    mutating func mark(_ level: RedrawLevel) { if level > pendingRedraw { pendingRedraw = level } }
    var instrument: Instrument { Instrument(precision: precision, tickSize: tickSize) }
    mutating func changeSeries<R>(_ change: (inout CandleSeries) -> R) -> R { change(&series) }

    /// Makes room on the axis for a price.
    mutating func raiseCeiling(to price: Double) {
        guard price > priceCeiling else { return }
        priceCeiling = price
        updateLayout()
    }

    mutating func resetCeiling() {
        priceCeiling = pyramid.extremes(series, 0..<series.count).high
        axisWidth = 0
        updateLayout()
    }

    /// Width of the plot in CSS pixels.
    var plotWidth: Double { layout.plotWidth / layout.ratio }

    mutating func updateLayout() {
        let before = plotWidth
        axisWidth = max(axisWidth, TextMetrics.width(longestLabel, size: 1))
        layout = Layout(size: size, fontScale: fontScale, panes: panes, labelWidth: axisWidth)
        mark(.everything)
        guard plotWidth != before else { return }
        if viewport.isFollowing && before <= 0 {
            viewport.start(reach, plotWidth: plotWidth)
        } else {
            viewport.spread(reach, plotWidth: plotWidth)
            viewport.clamp(to: reach, plotWidth: plotWidth)
        }
    }
}
