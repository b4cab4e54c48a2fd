public import ChartScene
public import MarketModel

/// A chart to be drawn once, into a file or an answer: what it shows and how.
///
/// ```swift
/// var picture = ChartPicture()
/// picture.kind = .heikinAshi
/// try picture.set("studies", "ema:20,rsi")
/// let chart = picture.chart(candles, symbol: "BTC-USD", timeframe: .h1)
/// ```
public struct ChartPicture: Sendable {
    /// Points (CSS pixels), 100 to 8,000.
    public var width = 1200.0
    /// Points, 100 to 8,000.
    public var height = 700.0
    /// Device pixels per point, 0.5 to 8.
    public var pixelRatio = 2.0
    /// How many of the newest bars are shown, 1 to 1,000,000; 0: all. As far as the width allows.
    public var bars = 200
    public var kind = SeriesKind.candles
    public var theme = Theme.dark
    public var scale = PriceScaleSettings()
    public var volume = VolumePlacement.price
    public var zone = TimeZoneRules.utc
    /// Whether bars are one beside the other, or each where its time is.
    public var timeScale = TimeScaleKind.bars
    public var studies: [StudySettings] = []
    /// How many times larger than usual text is, 0.5 to 3.
    public var fontScale = 1.0
    /// The price that a baseline series is filled to; `nil` is the middle of the pane.
    public var baseline: Double?
    /// From the lowest to the topmost one.
    public var drawings: [Drawing] = []
    /// Other symbols beside the chart's own, 8 at most. With the first one a linear price scale becomes percent.
    public var comparisons: [Comparison] = []

    /// Another symbol, as a line of its closes.
    public struct Comparison: Sendable {
        public var symbol: String
        /// Of the chart's timeframe.
        public var candles: [Candle]

        public init(symbol: String, candles: [Candle]) {
            self.symbol = symbol
            self.candles = candles
        }
    }

    public init() {}

    /// In whole device pixels.
    public var pixelWidth: Int { Int((width * pixelRatio).rounded()) }
    public var pixelHeight: Int { Int((height * pixelRatio).rounded()) }

    /// A chart of these candles, ready to be drawn. Its precision is that of the data.
    public func chart(_ candles: [Candle], symbol: String, timeframe: Timeframe) -> ChartView {
        var chart = ChartView(timeframe: timeframe, capacity: max(candles.count, 1))
        chart.resize(width: width, height: height, devicePixelRatio: pixelRatio)
        chart.setSymbol(symbol.utf8, precision: PricePrecision.digits(of: candles))
        chart.setFontScale(fontScale)
        chart.setTheme(theme)
        chart.setKind(kind)
        chart.setBaseline(baseline)
        chart.setTimeZone(zone)
        chart.setVolume(volume)
        chart.setScale(ofPane: 0, scale)
        chart.setData(candles)
        for study in studies { chart.addStudy(study) }
        for other in comparisons {
            let digits = PricePrecision.digits(of: other.candles)
            guard let id = chart.addComparison(other.symbol.utf8, precision: digits) else { break }
            chart.setData(ofComparison: id, other.candles)
        }
        for drawing in drawings { chart.board.add(drawing) }
        // What was put there last has no handles.
        chart.board.select(nil)
        show(chart.count, in: &chart)
        chart.setTimeScale(timeScale)
        return chart
    }

    /// The picture of these candles as a list of drawing commands.
    public func list(_ candles: [Candle], symbol: String, timeframe: Timeframe) -> DisplayList {
        var chart = chart(candles, symbol: symbol, timeframe: timeframe)
        var list = DisplayList()
        chart.render(into: &list)
        return list
    }

    #if canImport(CCairo)
        /// The picture of these candles as the bytes of a file.
        /// - Throws: `PaintError` for a size that cannot be painted.
        public func encoded(
            _ candles: [Candle], symbol: String, timeframe: Timeframe, as format: ImageFormat
        ) throws(PaintError) -> [UInt8] {
            try CairoPainter(width: pixelWidth, height: pixelHeight, pixelRatio: pixelRatio)
                .image(list(candles, symbol: symbol, timeframe: timeframe), as: format)
        }
    #endif

    /// How many of the newest bars a chart shows whole.
    public static func shownBars(_ chart: ChartView) -> Int {
        if chart.timeScaleKind == .time { return chart.count - chart.firstVisible }
        let left = chart.viewport.right - chart.visibleCount
        return chart.count - min(max(Int((left + 0.5).rounded(.up)), 0), chart.count)
    }

    /// Zooms so that the wanted bars fit.
    private func show(_ count: Int, in chart: inout ChartView) {
        let wanted = bars > 0 ? min(bars, count) : count
        guard wanted > 0 else { return }
        // The margin beside the newest bar is the view's own business, so the zoom that shows all of the wanted bars is
        // found by looking at where the right edge came to lie.
        let left = Double(count - wanted) - 0.75
        for _ in 0..<6 {
            chart.zoom(by: chart.visibleCount / (chart.viewport.right - left), atX: width)
            chart.followLive()
        }
    }
}
