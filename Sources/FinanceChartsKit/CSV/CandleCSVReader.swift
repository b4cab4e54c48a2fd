import MarketModel

/// Turns the lines of one file into candles.
struct CandleCSVReader {
    let name: String
    var lines: CSVLines

    /// A candle whose time may still lack its day, with the line it came from.
    private struct Entry {
        var candle: Candle
        var isSmall: Bool
        var line: Int
    }

    mutating func read() throws(CandleCSVError) -> [Candle] {
        guard let (columns, first) = try findColumns() else {
            throw CandleCSVError(file: name, message: "there are no candles in it; \(CSVColumns.allowed)")
        }
        var entries: [Entry] = []
        if let first { entries.append(try entry(first, columns)) }
        while let line = lines.next() { entries.append(try entry(line, columns)) }
        guard !entries.isEmpty else {
            throw CandleCSVError(file: name, message: "there is a header but no candle")
        }
        try placeSmallTimes(&entries, column: columns.time + 1)
        return ascending(entries)
    }

    /// The columns and, in a file without a header, its first line of candles. One line of prose may come first.
    private mutating func findColumns() throws(CandleCSVError) -> (CSVColumns, CSVLines.Line?)? {
        guard let first = lines.next() else { return nil }
        if CSVColumns.isHeader(first.fields) { return (try header(first), nil) }
        if let time = first.fields.first, CSVTime(time) != nil {
            guard let columns = CSVColumns.headerless(count: first.fields.count) else {
                throw fail(
                    first, nil,
                    "\(first.fields.count) columns, but at least 5 are needed: time, open, high, low, close")
            }
            return (columns, first)
        }
        if let second = lines.next(), CSVColumns.isHeader(second.fields) { return (try header(second), nil) }
        throw fail(
            first, 0,
            "“\(first.fields.first ?? "")” is neither a header nor a time; \(CSVColumns.allowed); " + CSVTime.allowed)
    }

    private func header(_ line: CSVLines.Line) throws(CandleCSVError) -> CSVColumns {
        switch CSVColumns.header(line.fields) {
        case .success(let columns): return columns
        case .failure(let missing):
            throw fail(
                line, nil, "the header lacks \(missing.names.joined(separator: ", ")); \(CSVColumns.allowed)")
        }
    }

    private func entry(_ line: CSVLines.Line, _ columns: CSVColumns) throws(CandleCSVError) -> Entry {
        var text = try field(columns.time, of: line)
        if let timeOfDay = columns.timeOfDay { text += " " + (try field(timeOfDay, of: line)) }
        guard let time = CSVTime(text) else {
            throw fail(line, columns.time, "“\(text)” is not a time; \(CSVTime.allowed)")
        }
        let (timestamp, isSmall): (Double, Bool) =
            switch time {
            case .instant(let value), .wall(let value): (value, false)
            case .smallNumber(let value): (value, true)
            }
        let candle = Candle(
            timestamp: timestamp,
            open: try number(columns.open, of: line, "open"), high: try number(columns.high, of: line, "high"),
            low: try number(columns.low, of: line, "low"), close: try number(columns.close, of: line, "close"),
            volume: try columns.volume.map { column throws(CandleCSVError) in
                try number(column, of: line, "volume")
            } ?? 0)
        try check(candle, columns, line)
        return Entry(candle: candle, isSmall: isSmall, line: line.number)
    }

    private func field(_ column: Int, of line: CSVLines.Line) throws(CandleCSVError) -> String {
        guard column < line.fields.count else {
            throw fail(line, column, "the line ends after \(line.fields.count) of at least \(column + 1) columns")
        }
        return line.fields[column]
    }

    private func number(_ column: Int, of line: CSVLines.Line, _ what: String) throws(CandleCSVError) -> Double {
        let text = try field(column, of: line)
        guard let value = CSVFields.number(text) else {
            throw fail(line, column, "\(what) is “\(text)”; a number such as 67234.5 is allowed")
        }
        return value
    }

    private func check(_ candle: Candle, _ columns: CSVColumns, _ line: CSVLines.Line) throws(CandleCSVError) {
        guard let flaw = CSVFields.flaw(of: candle) else { return }
        let column: Int? =
            switch flaw.column {
            case .open: columns.open
            case .high: columns.high
            case .low: columns.low
            case .close: columns.close
            case .volume: columns.volume
            default: columns.time
            }
        throw fail(line, column, flaw.message)
    }

    private func fail(_ line: CSVLines.Line, _ column: Int?, _ message: String) -> CandleCSVError {
        CandleCSVError(file: name, line: line.number, column: column.map { $0 + 1 }, message: message)
    }

    /// Gives small numbers their day, where every line has one; a file that mixes them holds old Unix times.
    private func placeSmallTimes(_ entries: inout [Entry], column: Int) throws(CandleCSVError) {
        guard entries.allSatisfy(\.isSmall) else { return }
        guard let midnight = CandleCSVReader.date(in: name) else {
            throw CandleCSVError(
                file: name, line: entries.first?.line, column: column,
                message: "times are milliseconds since midnight, and the file's name has no date such as 2016-10-07")
        }
        for index in entries.indices {
            entries[index].candle.timestamp = midnight + entries[index].candle.timestamp / 1000
        }
    }

    /// Midnight of the last `YYYY-MM-DD` or `YYYYMMDD` in a file's name.
    static func date(in path: String) -> Double? {
        let file = path.split(separator: "/").last ?? ""
        let parts = file.split { !($0.isASCII && ($0.isNumber || $0 == "-")) }
        for part in parts.reversed() {
            if case .wall(let midnight)? = CSVTime(String(part)), part.count <= 10 { return midnight }
        }
        return nil
    }

    private func ascending(_ entries: [Entry]) -> [Candle] {
        let candles = entries.map(\.candle)
        if zip(candles, candles.dropFirst()).allSatisfy({ $0.timestamp < $1.timestamp }) { return candles }
        let order = candles.indices.sorted {
            candles[$0].timestamp == candles[$1].timestamp ? $0 < $1 : candles[$0].timestamp < candles[$1].timestamp
        }
        var result: [Candle] = []
        result.reserveCapacity(candles.count)
        for index in order {
            if result.last?.timestamp == candles[index].timestamp { result.removeLast() }
            result.append(candles[index])
        }
        return result
    }
}
