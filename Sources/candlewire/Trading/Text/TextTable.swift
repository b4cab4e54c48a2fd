import FinanceChartsKit
import Foundation
import MarketModel

/// Rows of text in aligned columns. Columns that would be empty in every row are left out.
enum TextTable {
    enum Alignment {
        case left, right
        /// The points stand below one another.
        case decimal
    }

    /// A cell of a row, and its column.
    struct Cell {
        let title: String
        let alignment: Alignment
        let text: String
        let ink: Ink

        /// - Parameter value: from wherever; control characters, which could do things to a terminal, are replaced.
        private init(_ title: String, _ alignment: Alignment, _ value: (some CustomStringConvertible)?, _ ink: Ink) {
            self.title = title
            self.alignment = alignment
            text = TextTable.printable(value?.description ?? "")
            self.ink = ink
        }

        static func left(_ title: String, _ value: (some CustomStringConvertible)?, _ ink: Ink = .plain) -> Cell {
            Cell(title, .left, value, ink)
        }

        static func right(_ title: String, _ value: (some CustomStringConvertible)?) -> Cell {
            Cell(title, .right, value, .plain)
        }

        static func decimal(_ title: String, _ value: (some CustomStringConvertible)?, _ ink: Ink = .plain) -> Cell {
            Cell(title, .decimal, value, ink)
        }
    }

    /// The lines with their line ends; two spaces between columns.
    /// - Parameter cells: of a row; the same columns for each.
    static func text<Row>(
        _ rows: [Row], on surface: Ink.Surface = .standardOutput, cells: (Row) -> [Cell]
    ) -> String {
        let rows = rows.map(cells)
        let titles = rows.first ?? []
        precondition(rows.allSatisfy { $0.count == titles.count }, "a row has a cell for each column")
        let columns = titles.indices.filter { column in rows.contains { !$0[column].text.isEmpty } }
        var lines = [String](repeating: "", count: rows.count + 1)
        for column in columns {
            let (title, alignment) = (titles[column].title, titles[column].alignment)
            var texts = rows.map { $0[column].text }
            if alignment == .decimal {
                let decimals = texts.map(Self.decimals).max() ?? 0
                texts = texts.map { $0.isEmpty ? "" : $0 + spaces(decimals - Self.decimals($0)) }
            }
            let width = max(title.count, texts.map(\.count).max() ?? 0)
            let isLast = column == columns.last
            for (line, text) in ([title] + texts).enumerated() {
                let space = spaces(width - text.count)
                let painted = (line == 0 ? .dim : rows[line - 1][column].ink).paint(text, on: surface)
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
        text.lastIndex(of: ".").map { text.distance(from: $0, to: text.endIndex) } ?? 0
    }

    static func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

    static func printable(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return text }
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            scalars.append(scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
        }
        return String(scalars)
    }

    /// The same of a text that may have line ends.
    static func printableLines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { printable(String($0)) }
            .joined(separator: "\n")
    }
}

/// A time as tables show it.
enum TimeText {
    /// `2026-11-21 14:07:28`, UTC; of the server's seconds since 1970.
    static func utc(_ seconds: Double) -> String {
        guard seconds >= 0, seconds < 253_402_300_800 else { return "\(seconds)" }
        let text = RFC3339.text(seconds).dropLast()
        return "\(text.prefix(10)) \(text.suffix(8))"
    }
}

/// The colour of a piece of text. Without colours it stays what it is: no information is in the colour alone.
enum Ink {
    case plain, dim, strong, up, down, mode

    private var parameters: String {
        switch self {
        case .plain: ""
        case .dim: "38;5;245"
        case .strong: "1"
        case .up: "38;5;35"
        case .down: "38;5;167"
        case .mode: "1;38;5;16;48;5;221"
        }
    }

    func paint(_ text: String, on surface: Surface = .standardOutput) -> String {
        guard surface.hasColours, self != .plain, !text.isEmpty else { return text }
        return "\u{1B}[\(parameters)m\(text)\u{1B}[0m"
    }

    /// What is written on: a terminal has colours, unless it is dumb or NO_COLOR is set.
    struct Surface {
        var hasColours: Bool

        static let standardOutput = Surface(ofDescriptor: STDOUT_FILENO)
        static let standardError = Surface(ofDescriptor: STDERR_FILENO)

        init(hasColours: Bool) { self.hasColours = hasColours }

        private init(ofDescriptor descriptor: Int32) {
            hasColours =
                isatty(descriptor) == 1 && TerminalStyle(environment: ProcessInfo.processInfo.environment).hasColours
        }
    }
}
