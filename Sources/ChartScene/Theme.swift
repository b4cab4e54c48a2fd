/// The colours of a chart. Text colours have a contrast of at least 4.5:1 to what they stand on (WCAG 2.1, 1.4.3).
public struct Theme: Sendable, Equatable {
    public var background: Colour
    public var grid: Colour
    /// The line between the plot and its axes.
    public var axisLine: Colour
    /// Numbers on the axes and names in the legend.
    public var axisText: Colour
    /// The symbol, and the bold labels of the time axis.
    public var strongText: Colour

    /// Candles that did not fall.
    public var up: Colour
    /// Candles that fell.
    public var down: Colour
    public var upVolume: Colour
    public var downVolume: Colour
    /// Numbers in the legend.
    public var upText: Colour
    public var downText: Colour

    /// Boxes on the price axis, under `labelText`.
    public var upLabel: Colour
    public var downLabel: Colour
    public var crosshairLine: Colour
    /// Boxes of the crosshair on the axes, under `labelText`.
    public var crosshairLabel: Colour
    public var labelText: Colour

    public static let dark = Theme(
        background: Colour(rgb: 0x141414), grid: Colour(rgba: 0x3333_3380), axisLine: Colour(rgb: 0x2E2E2E),
        axisText: Colour(rgb: 0xA3A6AB), strongText: Colour(rgb: 0xE6E6E6),
        up: Colour(rgb: 0x2EBD6B), down: Colour(rgb: 0xE5484D),
        upVolume: Colour(rgba: 0x2EBD_6B52), downVolume: Colour(rgba: 0xE548_4D52),
        upText: Colour(rgb: 0x3FCB7D), downText: Colour(rgb: 0xF2686C),
        upLabel: Colour(rgb: 0x0E7A43), downLabel: Colour(rgb: 0xC4303A),
        crosshairLine: Colour(rgba: 0x9598_A1B0), crosshairLabel: Colour(rgb: 0x3C4048),
        labelText: Colour(rgb: 0xFFFFFF))

    public static let light = Theme(
        background: Colour(rgb: 0xFFFFFF), grid: Colour(rgb: 0xF0F1F4), axisLine: Colour(rgb: 0xDDDFE5),
        axisText: Colour(rgb: 0x5A5F6B), strongText: Colour(rgb: 0x16181D),
        up: Colour(rgb: 0x14A05B), down: Colour(rgb: 0xDE3B45),
        upVolume: Colour(rgba: 0x14A0_5B52), downVolume: Colour(rgba: 0xDE3B_4552),
        upText: Colour(rgb: 0x0B7A43), downText: Colour(rgb: 0xC62A35),
        upLabel: Colour(rgb: 0x0E7A43), downLabel: Colour(rgb: 0xC4303A),
        crosshairLine: Colour(rgba: 0x6A6F_7BB0), crosshairLabel: Colour(rgb: 0x3C4048),
        labelText: Colour(rgb: 0xFFFFFF))
}
