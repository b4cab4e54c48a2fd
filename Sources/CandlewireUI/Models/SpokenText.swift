/// What is said of a text with marks of Markdown.
enum SpokenText {
    /// The text without marks of emphasis, headings, lists, tables and links; code blocks are left out.
    static func plain(_ markdown: String) -> String {
        var lines: [String] = []
        var isCode = false
        for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
            let content = line.drop { $0 == " " || $0 == "\t" }
            if content.hasPrefix("```") || content.hasPrefix("~~~") {
                isCode.toggle()
            } else if !isCode {
                let text = inline(withoutMark(content))
                if text.contains(where: { $0.isLetter || $0.isNumber }) { lines.append(text) }
            }
        }
        return lines.joined(separator: "\n")
    }

    /// Without the mark of a heading, a quote or an item.
    private static func withoutMark(_ line: Substring) -> Substring {
        let end = line.firstIndex(of: " ") ?? line.startIndex
        let mark = line[..<end]
        let isMark = !mark.isEmpty && (mark.allSatisfy { $0 == "#" } || ["-", "*", "+", ">"].contains(mark))
        return isMark ? line[end...].drop { $0 == " " } : line
    }

    /// Without emphasis and code; of a link its text, of a table's row its cells.
    private static func inline(_ line: Substring) -> String {
        let cells = line.split(separator: "|").map { $0.trimmingPrefix(while: \.isWhitespace) }
        var text = line.hasPrefix("|") ? cells.joined(separator: ", ") : String(line)
        text = text.replacing(/\[([^\]]*)\]\([^)]*\)/) { String($0.output.1) }
        return text.filter { $0 != "*" && $0 != "`" && $0 != "_" }
    }
}
