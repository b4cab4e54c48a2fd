/// What the terminal shows, so that only rows that changed are written.
struct TerminalScreen {
    private let terminal: Terminal
    private var shown: [String] = []

    init(_ terminal: Terminal) { self.terminal = terminal }

    mutating func clear() {
        shown = []
        terminal.write("\u{1B}[2J")
    }

    /// - Parameter lines: row by row from the top.
    mutating func show(_ lines: [String]) {
        if lines.count != shown.count { clear() }
        var text = ""
        for (row, line) in lines.enumerated() where row >= shown.count || shown[row] != line {
            text += "\u{1B}[\(row + 1);1H\(line)\u{1B}[K"
        }
        shown = lines
        // In one piece between the marks of a synchronized update, so that no half picture is seen.
        if !text.isEmpty { terminal.write("\u{1B}[?2026h\(text)\u{1B}[?2026l") }
    }
}
