/// Reads the rows of a file while its bytes come, in constant memory; a bad row costs that row.
///
/// ```swift
/// var reader = CSVImportReader(CSVImportFormat(.candles(.m1)), name: "prices.csv")
/// while let bytes = next() { try reader.read(bytes) { row in … } }
/// try reader.finish { row in … }
/// ```
package struct CSVImportReader: Sendable {
    /// The longest line. Beyond it the file is no table.
    package static let maxLineLength = 1 << 20

    /// Lines before the first row that are neither a header nor a row, as they stand.
    package private(set) var prose: [String] = []
    /// Times that a clock showed twice, of which one was chosen by the rows around.
    package private(set) var doubleTimes = 0

    private let name: String
    private var parser: CSVRowParser
    private var isReading = false
    private var pending: [UInt8] = []
    private var splitter: CSVFields?
    private var number = 0
    private var endedWithReturn = false

    /// - Parameter name: the file's name, for messages and for its date.
    package init(_ format: CSVImportFormat, name: String) {
        self.name = name
        parser = CSVRowParser(format: format, name: name)
    }

    /// The file's next bytes.
    /// - Throws: `CandleCSVError` where the file as a whole cannot be read so; then read no more of it.
    package mutating func read(_ bytes: some Collection<UInt8>, _ each: (CSVImportRow) -> Void) throws(CandleCSVError) {
        pending.append(contentsOf: bytes)
        // The separator is found in the first lines.
        if splitter == nil, pending.count < 4096 { return }
        try readLines(isEnd: false, each)
    }

    /// The file's end.
    package mutating func finish(_ each: (CSVImportRow) -> Void) throws(CandleCSVError) {
        try readLines(isEnd: true, each)
        if !isReading { throw CandleCSVError(file: name, message: parser.nothingFound(prose: prose)) }
    }

    private mutating func readLines(isEnd: Bool, _ each: (CSVImportRow) -> Void) throws(CandleCSVError) {
        if self.splitter == nil, pending.starts(with: [0xEF, 0xBB, 0xBF]) { pending.removeFirst(3) }
        let splitter = self.splitter ?? CSVFields(beginning: pending)
        self.splitter = splitter
        // Taken out, so that what is read of it is not copied.
        let bytes = pending
        pending = []
        var start = bytes.startIndex
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            if byte == 10, endedWithReturn, index == start {
                // CR LF is one line break, also where a piece ends between the two.
                start = index + 1
            } else if byte == 10 || byte == 13 {
                try line(bytes[start..<index], splitter, each)
                start = index + 1
            }
            endedWithReturn = byte == 13
            index += 1
        }
        if isEnd, start < bytes.count {
            try line(bytes[start...], splitter, each)
        } else if start < bytes.count {
            pending = Array(bytes[start...])
            guard pending.count <= Self.maxLineLength else {
                throw CandleCSVError(
                    file: name, line: number + 1,
                    message: "the line is longer than \(Self.maxLineLength) bytes; that is no table of rows")
            }
        }
    }

    private mutating func line(
        _ line: ArraySlice<UInt8>, _ splitter: CSVFields, _ each: (CSVImportRow) -> Void
    ) throws(CandleCSVError) {
        number += 1
        if CSVFields.isBlankOrComment(line) { return }
        let fields = splitter.fields(of: line)
        if !isReading {
            switch try parser.begin(fields, line: number) {
            case .prose:
                prose.append(String(decoding: line, as: UTF8.self))
                guard prose.count < 3 else {
                    throw CandleCSVError(file: name, line: number, message: parser.nothingFound(prose: prose))
                }
                return
            case .header:
                isReading = true
                return
            case .row: isReading = true
            }
        }
        var text = ""
        let content: CSVImportRow.Content
        do throws(CandleCSVError) {
            content = try parser.row(fields, line: number)
        } catch {
            guard error.line != nil else { throw error }
            content = .rejected(error)
            text = String(decoding: line, as: UTF8.self)
        }
        doubleTimes = parser.doubleTimes
        each(CSVImportRow(line: number, content: content, text: text))
    }
}
