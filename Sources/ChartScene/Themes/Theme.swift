/// The colours of a chart. Text colours have a contrast of at least 4.5:1 to what they stand on (WCAG 2.1, 1.4.3),
/// candles and lines at least 3:1 (1.4.11); `lowestTextContrast` is that of a custom theme.
///
/// ```swift
/// var theme = Theme.dark
/// theme.up = Colour(rgb: 0x4FC3F7)
/// theme.down = Colour(rgb: 0xFFB74D)
/// ```
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

    /// A price drawn as line or area.
    public var line: Colour
    public var areaFill: Colour
    /// The lines of studies and comparisons that have no colour of their own, in this order; also their text. Where it
    /// is empty, they have that of the line.
    public var palette: [Colour]
}

extension Theme {
    /// The colours in the order of the properties, the palette last.
    public var colours: [Colour] {
        [
            background, grid, axisLine, axisText, strongText, up, down, upVolume, downVolume, upText, downText, upLabel,
            downLabel, crosshairLine, crosshairLabel, labelText, line, areaFill,
        ] + palette
    }

    /// How many colours a theme has before its palette.
    public static let fixedColours = 18

    /// A theme from the colours in the order of the properties; `nil` where one before the palette is missing.
    public init?(colours: some Collection<Colour>) {
        guard colours.count >= Theme.fixedColours else { return nil }
        let all = Array(colours)
        self.init(
            background: all[0], grid: all[1], axisLine: all[2], axisText: all[3], strongText: all[4], up: all[5],
            down: all[6], upVolume: all[7], downVolume: all[8], upText: all[9], downText: all[10], upLabel: all[11],
            downLabel: all[12], crosshairLine: all[13], crosshairLabel: all[14], labelText: all[15], line: all[16],
            areaFill: all[17], palette: Array(all[Theme.fixedColours...].prefix(32)))
    }

    /// The lowest contrast of a text to what it stands on; 4.5 is what WCAG 2.1 requires.
    public var lowestTextContrast: Double {
        let texts = ([axisText, strongText, upText, downText] + palette).map { $0.contrast(to: background) }
        let boxes = [upLabel, downLabel, crosshairLabel].map { labelText.contrast(to: $0) }
        return (texts + boxes).reduce(21) { min($0, $1) }
    }

    /// The colour of a study's or a comparison's line.
    func palette(_ index: Int) -> Colour {
        palette.isEmpty ? line : palette[((index % palette.count) + palette.count) % palette.count]
    }
}
