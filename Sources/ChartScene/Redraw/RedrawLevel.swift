/// How much of the picture a change touched. Each level includes those below it.
public enum RedrawLevel: UInt8, Sendable, Comparable, CaseIterable {
    // Raw values are the boundary's numbers: append only.
    case none
    /// The crosshair, its labels and the legend: the overlay alone.
    case cursor
    /// The newest bar has other values.
    case lastBar
    /// Other bars are on screen, or the same ones elsewhere.
    case viewport
    /// Size, theme, panes, settings, data.
    case everything

    public static func < (a: RedrawLevel, b: RedrawLevel) -> Bool { a.rawValue < b.rawValue }

    /// Whether the part of the picture below the crosshair has to be drawn again.
    public var touchesBase: Bool { self >= .lastBar }
}

/// What the last layout of the base came to. The overlay is drawn with it as often as the crosshair moves.
struct Frame {
    /// One a pane.
    var scales: [PriceScale] = []
    /// One a pane.
    var ticks: [AxisTicks] = []
    /// One a pane: digits after the point that its legend and crosshair show.
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
