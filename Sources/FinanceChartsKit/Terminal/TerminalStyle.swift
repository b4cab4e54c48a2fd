/// What a terminal can show.
public struct TerminalStyle: Sendable, Equatable {
    /// Colours of the 256-colour palette; without them direction is shown by shade.
    public var hasColours: Bool
    /// Block and line characters; without them ASCII.
    public var hasUnicode: Bool
    /// Escape sequences for bold and reversed characters, and for colours; without them the picture is plain text.
    public var hasEscapes: Bool

    public init(hasColours: Bool = true, hasUnicode: Bool = true, hasEscapes: Bool = true) {
        self.hasColours = hasColours
        self.hasUnicode = hasUnicode
        self.hasEscapes = hasEscapes
    }

    /// What an environment says: `NO_COLOR` (any text but an empty one, https://no-color.org) and `TERM=dumb` take
    /// colours away, the latter all escapes; a locale without UTF-8 turns off the block characters.
    public init(environment: [String: String]) {
        let isPlain = !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
        hasColours = !isPlain
        hasEscapes = environment["TERM"] != "dumb"
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        let name = (locale ?? "").lowercased()
        hasUnicode = name.contains("utf-8") || name.contains("utf8")
    }
}

/// The colour of a character.
///
/// The raw values are the parameters of the escape sequence (ECMA-48, SGR). Bright enough for dark grounds and dark
/// enough for light ones: the terminal's own ground is not touched, except under labels.
enum TerminalInk: String, Sendable {
    case plain = ""
    case dim = "38;5;245"
    case strong = "1"
    case up = "38;5;35"
    case down = "38;5;167"
    case upVolume = "38;5;29"
    case downVolume = "38;5;131"
    case upLabel = "38;5;231;48;5;29"
    case downLabel = "38;5;231;48;5;124"

    func parameters(_ style: TerminalStyle) -> String {
        guard style.hasEscapes else { return "" }
        return style.hasColours || self == .strong ? rawValue : hasBackground ? "7" : ""
    }

    /// Whether a blank shows it.
    var hasBackground: Bool { self == .upLabel || self == .downLabel }
}

/// The characters that candles are made of.
struct TerminalGlyphs {
    let style: TerminalStyle

    /// One cell of a candle, from its upper and lower half.
    func candle(_ upper: TerminalHalf, _ lower: TerminalHalf, isGreen: Bool) -> Character? {
        if upper == .empty && lower == .empty { return nil }
        guard style.hasUnicode else {
            if upper == .body || lower == .body { return isGreen ? "+" : "#" }
            return "|"
        }
        switch (upper, lower) {
        case (.body, .body): return shade(isGreen)
        // A half block has no shade, so without colours the cell is filled.
        case (.body, _): return style.hasColours ? "▀" : shade(isGreen)
        case (_, .body): return style.hasColours ? "▄" : shade(isGreen)
        case (.wick, .wick): return "│"
        case (.wick, .empty): return "╵"
        case (.empty, .wick), (.empty, .empty): return "╷"
        }
    }

    private func shade(_ isGreen: Bool) -> Character { style.hasColours || !isGreen ? "█" : "░" }

    /// A cell that is filled from below to this many eighths, 1 to 8.
    func column(eighths: Int) -> Character {
        style.hasUnicode ? Array("▁▂▃▄▅▆▇█")[min(max(eighths, 1), 8) - 1] : "#"
    }

    var axis: Character { style.hasUnicode ? "│" : "|" }
    var live: String { style.hasUnicode ? "● " : "* " }
}

/// What half a character cell of a candle's column holds.
enum TerminalHalf { case empty, wick, body }
