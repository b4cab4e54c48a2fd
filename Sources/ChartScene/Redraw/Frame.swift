/// What the last layout of the base came to. The overlay is drawn with it as often as the crosshair moves.
struct Frame {
    /// One a pane.
    var scales: [PriceScale] = []
    /// One a pane.
    var ticks: [AxisTicks] = []
    /// One a pane: digits after the point that its legend and crosshair tell.
    var digits: [Int] = []
    /// One a comparison: its price times this is where the price axis has it.
    var factors: [Double] = []
    /// The bars on screen.
    var visible = 0..<0
    /// The bars that decide the scales: those on screen, or in a hole of the data the bar before it.
    var scaled = 0..<0
    /// The largest volume on screen.
    var volumeTop = 0.0
    /// How wide candles are; `nil` where bars are too close and pixel columns are drawn in their place.
    var candle: CandleGeometry?
}
