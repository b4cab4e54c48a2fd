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
