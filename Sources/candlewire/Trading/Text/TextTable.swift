/// Rows of text in aligned columns. Columns that would be empty in every row are left out.
struct TextTable {
    enum Alignment {
        case left
        case right
        /// The points stand below one another.
        case decimal
    }

    struct Cell {
        var text: String
        var ink: Ink

        /// - Parameter text: from wherever; control characters, which could do things to a terminal, are replaced.
        init(_ text: String?, _ ink: Ink = .plain) {
            self.text = TextTable.printable(text ?? "")
            self.ink = ink
        }
    }

    private let titles: [(text: String, alignment: Alignment)]
    private var rows: [[Cell]] = []

    init(_ titles: [(text: String, alignment: Alignment)]) {
        self.titles = titles
    }

    /// - Parameter cells: as many as there are titles.
    mutating func add(_ cells: [Cell]) {
        precondition(cells.count == titles.count, "a row has a cell for each title")
        rows.append(cells)
    }

    /// The lines with their line ends; two spaces between columns.
    func text(on surface: Ink.Surface) -> String {
        let columns = titles.indices.filter { column in rows.contains { !$0[column].text.isEmpty } }
        var lines = [String](repeating: "", count: rows.count + 1)
        for column in columns {
            let (title, alignment) = titles[column]
            let texts = rows.map { $0[column].text }
            let decimals = alignment == .decimal ? texts.map(Self.decimals).max() ?? 0 : 0
            let padded =
                alignment == .decimal
                ? texts.map { $0.isEmpty ? "" : $0 + Self.spaces(decimals - Self.decimals($0)) } : texts
            let width = max(title.count, padded.map(\.count).max() ?? 0)
            let isLast = column == columns.last
            for (line, text) in ([title] + padded).enumerated() {
                let space = Self.spaces(width - text.count)
                let ink = line == 0 ? Ink.dim : rows[line - 1][column].ink
                let painted = ink.paint(text, on: surface)
                lines[line] += alignment == .left ? painted + (isLast ? "" : space) : space + painted
                if !isLast { lines[line] += "  " }
            }
        }
        return lines.map { line in
            line.hasSuffix(" ") ? String(line.reversed().drop { $0 == " " }.reversed()) : line
        }.joined(separator: "\n") + "\n"
    }

    /// How many characters stand behind the whole number, the point with them.
    private static func decimals(_ text: String) -> Int {
        guard let point = text.lastIndex(of: ".") else { return 0 }
        return text.distance(from: point, to: text.endIndex)
    }

    private static func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

    static func printable(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return text }
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            scalars.append(scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
        }
        return String(scalars)
    }
}
