/// Character cells with colours.
struct TerminalGrid {
    let columns: Int
    let rows: Int
    private var cells: [(character: Character, ink: TerminalInk)]

    init(columns: Int, rows: Int) {
        self.columns = max(0, columns)
        self.rows = max(0, rows)
        cells = Array(repeating: (" ", .plain), count: self.columns * self.rows)
    }

    mutating func put(_ character: Character, x: Int, y: Int, _ ink: TerminalInk) {
        guard x >= 0, x < columns, y >= 0, y < rows else { return }
        cells[y * columns + x] = (character, ink)
    }

    /// Writes a text; what does not fit on the row is cut off. Characters that would move the cursor, or whose width a
    /// terminal may see in its own way, become question marks.
    mutating func put(_ text: String, x: Int, y: Int, _ ink: TerminalInk) {
        for (offset, scalar) in text.unicodeScalars.enumerated() {
            put(TerminalGrid.isHarmless(scalar) ? Character(scalar) : "?", x: x + offset, y: y, ink)
        }
    }

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E, 0xA1...0xAC, 0xAE...0x17F: true
        // The few of our own: dash, bullet, arrows, blocks.
        case 0x2013, 0x25CF, 0x25CB, 0x2190...0x2193, 0x00B7: true
        default: false
        }
    }

    /// The rows as text with escape sequences; blanks at the end of a row are left out.
    func lines(_ style: TerminalStyle) -> [String] {
        (0..<rows).map { row in
            var line = ""
            var current = ""
            let cells = cells[(row * columns)..<((row + 1) * columns)]
            let end = cells.lastIndex { $0.character != " " || $0.ink.hasBackground }
            guard let end else { return "" }
            for cell in cells[...end] {
                let wanted = cell.character == " " && !cell.ink.hasBackground ? current : cell.ink.parameters(style)
                if wanted != current {
                    // A reset first: parameters only add to what is set.
                    line += current.isEmpty ? "" : "\u{1B}[0m"
                    line += wanted.isEmpty ? "" : "\u{1B}[\(wanted)m"
                    current = wanted
                }
                line.append(cell.character)
            }
            return current.isEmpty ? line : line + "\u{1B}[0m"
        }
    }
}
