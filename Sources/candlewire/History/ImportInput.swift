import FinanceChartsKit
import Foundation
import MarketFeeds
import MarketModel

/// The bytes of a file that is imported, unpacked where it is packed.
final class ImportInput {
    /// The file as it was named.
    let name: String
    /// How much of it was read, 0 to 1; `nil` where the size is not known.
    var fraction: Double? { size.map { $0 > 0 ? Double(read) / Double($0) : 1 } }

    private let handle: FileHandle
    private let size: Int?
    private var read = 0
    private var unpacker: GunzipStream?

    init(_ name: String) throws {
        self.name = name == "-" ? "standard input" : name
        guard name != "-" else {
            handle = .standardInput
            size = nil
            return
        }
        var isDirectory: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: name, isDirectory: &isDirectory)
        guard exists, !isDirectory.boolValue, let handle = FileHandle(forReadingAtPath: name) else {
            let reason =
                !exists ? "there is no such file" : isDirectory.boolValue ? "it is a directory" : "it cannot be read"
            throw CommandFailure(66, "\(name): \(reason); give a CSV file.")
        }
        self.handle = handle
        // A pipe has no size.
        let attributes = try? FileManager.default.attributesOfItem(atPath: name)
        let isFile = attributes?[.type] as? FileAttributeType == .typeRegular
        size = isFile ? (attributes?[.size] as? NSNumber)?.intValue : nil
    }

    /// Whether `path` is this very file, by whatever name or link: writing there would destroy what is to be read.
    func isSame(as path: String) -> Bool {
        // By its descriptor: what comes through a redirection has no name.
        guard let ours = Self.identity("/dev/fd/\(handle.fileDescriptor)"), let theirs = Self.identity(path) else {
            return false
        }
        return ours == theirs
    }

    /// Device and number of the file that a name or link leads to; `nil` where there is none.
    private static func identity(_ path: String) -> [Int]? {
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: target),
            let device = attributes[.systemNumber] as? NSNumber, let file = attributes[.systemFileNumber] as? NSNumber
        else { return nil }
        return [device.intValue, file.intValue]
    }

    /// Reads the next piece; `false` at the end.
    func next(_ each: (ArraySlice<UInt8>) throws -> Void) throws -> Bool {
        let data: Data?
        do { data = try handle.read(upToCount: 1 << 18) } catch {
            throw CommandFailure(66, "\(name) cannot be read any further: \((error as NSError).localizedDescription)")
        }
        guard let data, !data.isEmpty else {
            if let unpacker, !unpacker.isAtEnd {
                throw CommandFailure(66, "\(name): the gzip data is truncated.")
            }
            return false
        }
        let bytes = Array(data)
        if read == 0, GunzipStream.isCompressed(bytes) { unpacker = try GunzipStream() }
        read += bytes.count
        guard let unpacker else {
            try each(bytes[...])
            return true
        }
        do {
            try unpacker.unpack(bytes, each)
        } catch is GunzipStream.Failure {
            throw CommandFailure(66, "\(name): the gzip data is corrupt.")
        }
        return true
    }
}

/// Joins the trades of a file to candles of one timeframe.
///
/// The first and the last candle are `partial`: the file may begin and end in the midst of them.
struct TradeCandles {
    typealias ImportedCandle = (candle: Candle, quality: CandleQuality)

    /// Seconds that a trade may be behind the newest before it.
    static let lateness = 3600.0

    private var aggregator: TickAggregator
    private var first: Candle?

    init(timeframe: Timeframe) { aggregator = TickAggregator(timeframes: [timeframe], lateness: Self.lateness) }

    /// - Returns: why the trade was left out.
    mutating func add(_ trade: Tick, into candles: inout [ImportedCandle]) -> String? {
        var done: [Candle] = []
        let outcome = aggregator.ingest(trade) { done.append($0.candle) }
        for candle in done {
            candles.append((candle, .complete))
            if candle.timestamp <= first?.timestamp ?? .infinity { first = candle }
        }
        guard case .rejected(let reason) = outcome else { return nil }
        return reason == .late
            ? "the trade is more than an hour older than one before it; sort the file by time" : "\(reason)"
    }

    mutating func finish(into candles: inout [ImportedCandle]) {
        // Of several with one time the last counts.
        if let first { candles.append((first, .partial)) }
        for timeframe in aggregator.timeframes {
            if let forming = aggregator.forming(timeframe) { candles.append((forming.candle, .partial)) }
        }
    }
}

/// Candles whose high is more than three times their low, in a file: bad prints, prices from before and after a split in
/// one candle, or a true crash. They are kept, since the file does not show which it was; the report lists where they are.
struct WideCandles {
    static let ratio = 3.0
    static let maxShown = 5

    private(set) var count = 0
    private var times: [Double] = []

    mutating func look(at candle: Candle) {
        guard candle.high > candle.low * Self.ratio else { return }
        count += 1
        if times.count < Self.maxShown { times.append(candle.timestamp) }
    }

    /// Where they are, for people; `nil`: nowhere.
    var sentence: String? {
        guard count > 0 else { return nil }
        let rest = count > times.count ? ", …" : ""
        return
            "\(count.grouped) candle\(count == 1 ? "" : "s") with a high of more than three times the low, kept as they are: "
            + times.map(TimeText.utc).joined(separator: ", ") + rest + " UTC"
    }
}

/// The rows that were left out: the first ones are shown, all are counted, and all go to a file on request.
final class RejectedRows {
    static let shown = 20

    private(set) var count = 0
    private(set) var first: [String] = []
    private let path: String?
    private var handle: FileHandle?
    private var pending = ""

    /// - Parameter path: the file for all of them; it is made at once, so that a bad name is reported before the work.
    init(path: String?) throws {
        self.path = path
        guard let path else { return }
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let handle = FileHandle(forWritingAtPath: path)
        else { throw CommandFailure(73, "\(path) cannot be written; check its folder and permissions.") }
        self.handle = handle
        pending = "line,column,reason,row\n"
    }

    func add(_ error: CandleCSVError, row: String) throws {
        try add(line: error.line ?? 0, column: error.column, reason: error.message, row: row)
    }

    func add(line: Int, column: Int?, reason: String, row: String) throws {
        count += 1
        if first.count < Self.shown {
            first.append("line \(line)" + (column.map { ", column \($0)" } ?? "") + ": \(reason)")
        }
        guard handle != nil else { return }
        pending += "\(line),\(column.map { "\($0)" } ?? ""),\(Self.quoted(reason)),\(Self.quoted(row))\n"
        if pending.utf8.count > 1 << 16 { try flush() }
    }

    func finish() throws {
        try flush()
        try? handle?.close()
    }

    private func flush() throws {
        guard let handle, let path else { return }
        do { try handle.write(contentsOf: Data(pending.utf8)) } catch {
            throw CommandFailure(
                73, "\(path) cannot be written any further: \((error as NSError).localizedDescription)")
        }
        pending = ""
    }

    private static func quoted(_ text: String) -> String { "\"\(text.replacing("\"", with: "\"\""))\"" }
}
