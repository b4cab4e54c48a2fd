import MarketModel

/// Turns the fields of a line into a candle or a trade.
struct CSVRowParser: Sendable {
    enum Beginning { case header, row, prose }

    /// Seconds by which a trade may stand behind a later one without meaning the hour after.
    static let disorder = 60.0

    let format: CSVImportFormat
    let name: String
    private(set) var doubleTimes = 0
    private var columns: [CSVColumnRole: Int] = [:]
    private var midnight: Double?
    private var previous: Double?
    private var isDescending = false

    init(format: CSVImportFormat, name: String) {
        self.format = format
        self.name = name
        midnight = format.day.map { Double($0.daysSince1970) * 86_400 } ?? CandleCSVReader.date(in: name)
    }

    // MARK: The first lines

    /// What one of the first lines is.
    /// - Throws: where it is a header that lacks a column.
    mutating func begin(_ fields: [String], line: Int) throws(CandleCSVError) -> Beginning {
        if format.columns.isHeader(fields, of: format.content) {
            switch format.columns.positions(header: fields, of: format.content) {
            case .success(let found): columns = found
            case .failure(let missing):
                throw CandleCSVError(
                    file: name, line: line,
                    message: "the header lacks \(missing.names.joined(separator: ", ")); it has "
                        + "\(Self.shown(fields.joined(separator: ", "), 300)); \(CSVColumnChoice.allowed)")
            }
            return .header
        }
        guard case .success(var found) = format.columns.positions(header: nil, of: format.content) else {
            return .prose
        }
        if format.columns.chosen[.volume] == nil, let volume = found[.volume], volume >= fields.count {
            found[.volume] = nil
        }
        guard let time = found[.time], time < fields.count, reading(fields, found) != nil else { return .prose }
        columns = found
        return .row
    }

    /// Why no row was found in a file.
    func nothingFound(prose: [String]) -> String {
        guard let first = prose.first else { return "there are no rows in it" }
        return "“\(Self.shown(first))” is neither a header nor a row whose time can be read; a header names \(needed); "
            + "\(CSVColumnChoice.allowed); \(CSVTimeFormat.allowed)"
    }

    private var needed: String {
        format.content == .trades
            ? "time and price, and may name volume" : "time, open, high, low and close, and may name volume"
    }

    // MARK: Rows

    /// - Throws: what is wrong with the row; without a line, what is wrong with the file.
    mutating func row(_ fields: [String], line: Int) throws(CandleCSVError) -> CSVImportRow.Content {
        let time = try time(fields, line)
        switch format.content {
        case .trades:
            let trade = Tick(
                timestamp: time, price: try number(.price, fields, line) / format.priceScale,
                volume: columns[.volume] == nil ? 0 : try number(.volume, fields, line))
            if trade.price <= 0 { throw fail(.price, line, "price is \(trade.price); prices are above 0") }
            if trade.volume < 0 { throw fail(.volume, line, "volume is \(trade.volume); it is 0 or more") }
            try checkYear(time, line)
            return .trade(trade)
        case .candles(let timeframe):
            let scale = format.priceScale
            let candle = Candle(
                timestamp: time, open: try number(.open, fields, line) / scale,
                high: try number(.high, fields, line) / scale, low: try number(.low, fields, line) / scale,
                close: try number(.close, fields, line) / scale,
                volume: columns[.volume] == nil ? 0 : try number(.volume, fields, line))
            if let flaw = CSVFields.flaw(of: candle) { throw fail(flaw.column, line, flaw.message) }
            try checkYear(time, line)
            guard timeframe.bucketStart(of: time) == time else {
                throw fail(
                    .time, line,
                    "“\(Self.shown(fields[columns[.time] ?? 0]))” is \(Self.text(time)) UTC, where no \(timeframe.rawValue) candle begins"
                )
            }
            return .candle(candle)
        }
    }

    private func checkYear(_ time: Double, _ line: Int) throws(CandleCSVError) {
        guard time > 0, time <= Tick.latestTimestamp else {
            throw fail(.time, line, "the time is \(Self.text(time)); it lies between 1970 and 5138")
        }
    }

    private func reading(_ fields: [String], _ columns: [CSVColumnRole: Int]) -> CSVTime? {
        guard let at = columns[.time], at < fields.count else { return nil }
        var text = fields[at]
        if let clock = columns[.clock] {
            guard clock < fields.count else { return nil }
            text += " " + fields[clock]
        }
        // 20140505 is a date in a file of days, and 05:35:40.505 among the trades of one.
        if format.timeFormat == .automatic, format.content == .trades, midnight != nil,
            let ofDay = CSVTimeFormat.millisecondsOfDay.read(text)
        {
            return ofDay
        }
        return format.timeFormat.read(text)
    }

    private mutating func time(_ fields: [String], _ line: Int) throws(CandleCSVError) -> Double {
        let text = try field(.time, fields, line)
        if columns[.clock] != nil { _ = try field(.clock, fields, line) }
        guard let reading = reading(fields, columns) else {
            throw fail(
                .time, line,
                "“\(Self.shown(text))” is not a time as \(format.timeFormat.name) has it; \(CSVTimeFormat.allowed)")
        }
        let wall: Double
        switch reading {
        case .instant(let time): return time
        case .wall(let value): wall = value
        case .smallNumber(let milliseconds):
            guard let midnight else {
                throw CandleCSVError(
                    file: name,
                    message:
                        "its times (“\(Self.shown(text))” in line \(line)) are milliseconds since midnight, and neither --date nor "
                        + "the file's name says of which day; in seconds since 1970 they are --time-format s")
            }
            wall = midnight + milliseconds / 1000
        }
        // A daily candle stands for a day of its market's calendar, whatever the clock there is.
        if case .candles(let timeframe) = format.content, timeframe.seconds >= 86_400 { return wall }
        let time = try utc(ofWall: wall, text, line)
        if format.content == .trades {
            // Oldest first, but for a few that came late.
            previous = max(previous ?? time, time)
        } else {
            if let previous, time != previous { isDescending = time < previous }
            previous = time
        }
        return time
    }

    private mutating func utc(ofWall wall: Double, _ text: String, _ line: Int) throws(CandleCSVError) -> Double {
        switch format.zone.utc(ofWall: wall) {
        case .once(let time): return time
        case .skipped:
            throw fail(
                .time, line,
                "no clock in \(format.zone.name) showed “\(Self.shown(text))”: they were set forward over it")
        case .twice(let first, let second):
            doubleTimes += 1
            guard let previous else { return first }
            // Many trades have one time, and some come a little late; a clock that is set back jumps further.
            if format.content == .trades { return first > previous - Self.disorder ? first : second }
            return isDescending ? (second < previous ? second : first) : (first > previous ? first : second)
        }
    }

    private func field(_ role: CSVColumnRole, _ fields: [String], _ line: Int) throws(CandleCSVError) -> String {
        guard let at = columns[role], at < fields.count else {
            throw fail(
                role, line, "the line ends after \(fields.count) of at least \((columns.values.max() ?? 0) + 1) columns"
            )
        }
        return fields[at]
    }

    private func number(_ role: CSVColumnRole, _ fields: [String], _ line: Int) throws(CandleCSVError) -> Double {
        let text = try field(role, fields, line)
        guard let value = CSVFields.number(text) else {
            throw fail(role, line, "\(role.rawValue) is “\(Self.shown(text))”; a number such as 67234.5 is allowed")
        }
        return value
    }

    private func fail(_ role: CSVColumnRole, _ line: Int, _ message: String) -> CandleCSVError {
        CandleCSVError(file: name, line: line, column: columns[role].map { $0 + 1 }, message: message)
    }

    private static func text(_ time: Double) -> String {
        guard time.magnitude < 1e12 else { return "\(time)" }
        return CSVTimePattern("YYYY-MM-DD HH:MM:SS")?.write(wall: time, offset: 0) ?? "\(time)"
    }

    /// A piece of the file for a sentence: without what could do things to a terminal, and not endless.
    private static func shown(_ text: String, _ limit: Int = 60) -> String {
        let scalars = text.unicodeScalars.filter { $0.properties.generalCategory != .control }
        let start = String(scalars.prefix(limit).map(Character.init))
        return scalars.count > limit ? start + "…" : start
    }
}
