public import Foundation
public import MarketModel

/// Candles from a text file: comma, semicolon or tab between the fields, with or without a header.
///
/// ```swift
/// let file = try CandleCSV(path: "BTC-USD.csv")
/// print(file.candles.count, file.timeframe?.displayName ?? "irregular")
/// ```
///
/// - A header names `timestamp` (or `date`, `time`, `datetime`), `open`, `high`, `low`, `close` and may name `volume`,
///   in any order and case; other columns are passed over. Without a header the columns are time, open, high, low,
///   close and volume.
/// - A time is a Unix time in s, ms, us or ns, `YYYY-MM-DD`, `YYYY-MM-DD HH:MM[:SS]`, `YYYYMMDD HH:MM` or RFC 3339;
///   without an offset it is UTC. Numbers below 86,400,000 throughout are milliseconds since midnight of the date in
///   the file's name, as QuantConnect LEAN writes them.
/// - Candles before 1970 are read, though a `CandleSeries` accepts none.
public struct CandleCSV: Sendable {
    /// Ascending, each timestamp once: of several lines with one timestamp the last counts.
    public let candles: [Candle]
    /// The timeframe whose length is the most common distance of two candles, or else the smallest where all others are
    /// multiples of it, as in thinly traded seconds; `nil` where there is none.
    public let timeframe: Timeframe?

    /// Reads a file.
    /// - Throws: `CandleCSVError`, also for a file that cannot be read or holds no candle.
    public init(path: String) throws(CandleCSVError) {
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            var isDirectory: ObjCBool = false
            let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
            let reason =
                !exists ? "there is no such file" : isDirectory.boolValue ? "it is a directory" : "it cannot be read"
            throw CandleCSVError(file: path, message: "\(reason); give a CSV file of candles")
        }
        if data.starts(with: [0x1F, 0x8B]) {
            throw CandleCSVError(file: path, message: "it is compressed; unpack it first (gunzip)")
        }
        try self.init(bytes: Array(data), name: path)
    }

    /// Reads a file's content.
    /// - Parameter name: the file's name, for messages and for its date.
    public init(bytes: [UInt8], name: String) throws(CandleCSVError) {
        var reader = CandleCSVReader(name: name, lines: CSVLines(bytes))
        let candles = try reader.read()
        self.candles = candles
        timeframe = CandleCSV.timeframe(of: candles)
    }

    /// The most common distance decides, so nights, week-ends and missing bars do not.
    static func timeframe(of candles: [Candle]) -> Timeframe? {
        var counts: [Double: Int] = [:]
        for (earlier, later) in zip(candles, candles.dropFirst()) {
            counts[later.timestamp - earlier.timestamp, default: 0] += 1
        }
        let common = counts.max { ($0.value, -$0.key) < ($1.value, -$1.key) }
        guard let distance = common?.key else { return nil }
        if distance >= 28 * 86_400, distance <= 31 * 86_400 { return .mo1 }
        if let common = Timeframe.allCases.first(where: { $0.seconds == distance }) { return common }
        guard let smallest = counts.keys.min() else { return nil }
        let areMultiples = counts.keys.allSatisfy { ($0 / smallest).rounded() * smallest == $0 }
        return areMultiples ? Timeframe.allCases.first { $0.seconds == smallest } : nil
    }
}

/// Why a file of candles could not be read: the file, the place in it, and what is allowed there.
public struct CandleCSVError: LocalizedError, Sendable, Equatable, CustomStringConvertible {
    /// The file as the caller named it.
    public let file: String
    /// 1 for the first line; `nil` where the file as a whole is the problem.
    public let line: Int?
    /// The field's number in its line, 1 for the first; `nil` where the line as a whole is the problem.
    public let column: Int?
    /// What is wrong and what is allowed.
    public let message: String

    init(file: String, line: Int? = nil, column: Int? = nil, message: String) {
        self.file = file
        self.line = line
        self.column = column
        self.message = message
    }

    public var description: String {
        var place = file
        if let line { place += ", line \(line)" }
        if let column { place += ", column \(column)" }
        return "\(place): \(message)"
    }

    public var errorDescription: String? { description }
}
