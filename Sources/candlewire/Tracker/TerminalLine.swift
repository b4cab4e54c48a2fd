/// One row of a terminal, filled from the left and cut at the right.
struct TerminalLine {
    let columns: Int
    private var parts: [(text: String, ink: Ink)] = []
    private var used = 0

    init(columns: Int) { self.columns = columns }

    mutating func add(_ text: String, _ ink: Ink) {
        let cut = Self.cut(TextTable.printable(text), columns - used)
        used += Self.width(cut)
        parts.append((cut, ink))
    }

    /// In a field of `field` columns.
    mutating func add(_ text: String, _ ink: Ink, field: Int, isRight: Bool = false) {
        let cut = Self.cut(TextTable.printable(text), field)
        let space = String(repeating: " ", count: field - Self.width(cut))
        if isRight { add(space, .plain) }
        add(cut, ink)
        if !isRight { add(space, .plain) }
    }

    func text(on surface: Ink.Surface) -> String { parts.map { $0.ink.paint($0.text, on: surface) }.joined() }

    /// How many columns the text fills: East Asian characters and pictures fill two.
    static func width(_ text: String) -> Int { text.reduce(0) { $0 + width($1) } }

    private static func width(_ character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            return 2
        default: return scalar.properties.generalCategory == .nonspacingMark ? 0 : 1
        }
    }

    static func cut(_ text: String, _ columns: Int) -> String {
        var (cut, used) = ("", 0)
        for character in text {
            used += width(character)
            if used > columns { break }
            cut.append(character)
        }
        return cut
    }

    /// Lines of at most `columns` columns, broken between words where there are any.
    static func wrap(_ text: String, columns: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            var word = String(word)
            while true {
                let candidate = line.isEmpty ? word : "\(line) \(word)"
                if width(candidate) <= columns {
                    line = candidate
                    break
                }
                if !line.isEmpty {
                    lines.append(line)
                    line = ""
                    continue
                }
                let piece = cut(word, max(columns, 2))
                lines.append(piece)
                word = String(word.dropFirst(piece.count))
            }
        }
        if !line.isEmpty { lines.append(line) }
        return lines
    }
}
