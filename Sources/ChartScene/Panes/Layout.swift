/// Where the parts of a chart lie: the panes at the top left, their axes to the right, times below. Whole device
/// pixels.
struct Layout {
    /// Device pixels per CSS pixel.
    let ratio: Double
    let width: Double
    let height: Double
    let plotWidth: Double
    /// The bottom of the lowest pane, where the time axis begins.
    let plotHeight: Double
    let panes: [PaneFrame]
    /// Height of the tallest volume bar in the price pane; it stands on the pane's bottom.
    let volumeHeight: Double
    /// Font sizes in device pixels.
    let axisFont: Double
    let legendFont: Double
    /// A line that is one CSS pixel thin, in whole device pixels.
    let hairline: Double
    /// How many times larger than usual text is.
    let fontScale: Double

    /// - Parameter labelWidth: what the price axis has room for, in font sizes; it alone decides the axis' width, so that
    ///   the axis keeps its width while the chart moves.
    init(size: ChartSize, fontScale: Double = 1, panes: [Pane] = [Pane()], labelWidth: Double) {
        let ratio = size.devicePixelRatio
        self.ratio = ratio
        self.fontScale = fontScale
        width = Pixels.floor(size.width * ratio)
        height = Pixels.floor(size.height * ratio)
        let isNarrow = size.width < Layout.narrow
        axisFont = Pixels.snap((isNarrow ? 11 : 12) * ratio * fontScale)
        legendFont = Pixels.snap((isNarrow ? 11 : 12.5) * ratio * fontScale)
        hairline = max(1, Pixels.floor(ratio))

        // A chart too small for an axis and a picture is all picture.
        let priceAxis = max(labelWidth * axisFont + 18 * ratio, 52 * ratio)
        let axisWidth = size.width < 160 ? 0 : min(Pixels.snap(priceAxis), Pixels.floor(width / 2))
        let axisHeight = size.height < 100 ? 0 : Pixels.snap((isNarrow ? 26 : 28) * ratio * max(fontScale, 1))
        plotWidth = max(0, width - axisWidth)
        plotHeight = max(0, height - axisHeight)

        let room = size.height < 240 ? 0 : ratio * max(fontScale, 1)
        self.panes = PaneHeights.frames(
            panes, height: plotHeight, divider: hairline, least: Pixels.snap(Pane.leastHeight * ratio)
        ) {
            Pixels.snap(($0 > 0 ? 24 : isNarrow ? 52 : 34) * room)
        }
        volumeHeight = Pixels.snap((self.panes.first?.height ?? 0) * 0.2)
    }

    /// Below this width in CSS pixels, text is a little smaller and the legend takes more lines.
    static let narrow = 600.0

    var hasPriceAxis: Bool { plotWidth < width }
    var hasTimeAxis: Bool { plotHeight < height }
    /// The pane of the price.
    var price: PaneFrame { panes[0] }

    /// The pane at a height, `nil` on a divider, and outside of all panes.
    func pane(at y: Double) -> Int? { panes.firstIndex { $0.contains(y) } }
}
