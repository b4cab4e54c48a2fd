/// The lines of a text with comma, semicolon or tab between its fields (RFC 4180 with those three separators).
///
/// Blank lines and those that start with `#` are left out but counted. A quoted field may hold separators and doubled
/// quotes; a line break inside quotes is not supported: no export of candles has one.
struct CSVLines {
    struct Line {
        /// 1 for the first line of the file.
        let number: Int
        let fields: [String]
    }

    private let splitter: CSVFields
    private let bytes: [UInt8]
    private var position: Int
    private var number = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        position = bytes.starts(with: mark) ? mark.count : 0
        splitter = CSVFields(beginning: bytes)
    }

    mutating func next() -> Line? {
        while position < bytes.count {
            let end = bytes[position...].firstIndex { $0 == 10 || $0 == 13 } ?? bytes.count
            let range = position..<end
            number += 1
            position = end + 1
            // CR LF is one line break.
            if end + 1 < bytes.count, bytes[end] == 13, bytes[end + 1] == 10 { position += 1 }
            let line = bytes[range]
            guard !CSVFields.isBlankOrComment(line) else { continue }
            return Line(number: number, fields: splitter.fields(of: line))
        }
        return nil
    }
}
