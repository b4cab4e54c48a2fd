/// Where the parts of a chart lie: the plot at the top left, prices to its right, times below. Whole device pixels.
struct Layout {
    /// Device pixels per CSS pixel.
    let ratio: Double
    let width: Double
    let height: Double
    let plotWidth: Double
    let plotHeight: Double
    /// The part of the plot that the visible prices fill.
    let priceTop: Double
    let priceBottom: Double
    /// Height of the tallest volume bar; it stands on the plot's bottom.
    let volumeHeight: Double
    /// Font sizes in device pixels.
    let axisFont: Double
    let legendFont: Double
    /// A line that is one CSS pixel thin, in whole device pixels.
    let hairline: Double

    /// - Parameter longestPrice: a label as wide as any on the price axis; it alone decides the axis' width, so that
    ///   the axis keeps its width while the chart moves.
    init(size: ChartSize, longestPrice: TextBuffer) {
        let ratio = size.devicePixelRatio
        self.ratio = ratio
        width = Pixels.floor(size.width * ratio)
        height = Pixels.floor(size.height * ratio)
        let isNarrow = size.width < Layout.narrow
        axisFont = Pixels.snap((isNarrow ? 11 : 12) * ratio)
        legendFont = Pixels.snap((isNarrow ? 11 : 12.5) * ratio)
        hairline = max(1, Pixels.floor(ratio))

        // A chart too small for an axis and a picture is all picture.
        let priceAxis = max(TextMetrics.width(longestPrice, size: axisFont) + 18 * ratio, 52 * ratio)
        let axisWidth = size.width < 160 ? 0 : min(Pixels.snap(priceAxis), Pixels.floor(width / 2))
        let axisHeight = size.height < 100 ? 0 : Pixels.snap((isNarrow ? 26 : 28) * ratio)
        plotWidth = max(0, width - axisWidth)
        plotHeight = max(0, height - axisHeight)

        volumeHeight = Pixels.snap(plotHeight * 0.2)
        let legend = size.height < 240 ? 0 : (isNarrow ? 52 : 34) * ratio
        priceTop = Pixels.snap(legend)
        priceBottom = max(priceTop, plotHeight - volumeHeight)
    }

    /// Below this width in CSS pixels, text is a little smaller and the legend takes more lines.
    static let narrow = 600.0

    var hasPriceAxis: Bool { plotWidth < width }
    var hasTimeAxis: Bool { plotHeight < height }
}
