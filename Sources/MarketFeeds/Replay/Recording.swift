import Foundation
public import MarketModel
import StreamCore

/// A recorded session of a venue: one message a line, and when each was received.
///
/// `X.jsonl` or `X.jsonl.gz`; receive times are read from `X.times.txt(.gz)` beside it (one whole number of nanoseconds
/// since 1970 a line, as many lines as messages). Where that file is missing, a message's time is that of the newest
/// trade up to it.
///
/// A recorder that was killed leaves messages whose times were not written any more, or half a piece at the end. What has
/// both, message and time, is read; `note` says what was left out.
public struct Recording: Sendable {
    public let venue: Venue
    /// The markets that trade in it, in order of their first trade.
    public let markets: [Market]
    public let tradeCount: Int
    public var messageCount: Int { lines.count }
    /// Receive time of each message, seconds since 1970 UTC, ascending.
    public let times: [Double]
    /// Whether `times` come from a recorder and not from the trades.
    public let hasReceiveTimes: Bool
    /// What of the files was left out because a part of it is missing, in a sentence; `nil`: nothing.
    public let note: String?

    private let bytes: [UInt8]
    private let lines: [Range<Int>]

    /// The most a file may unpack to.
    static let sizeLimit = 4 << 30

    /// Reads and checks a recording.
    /// - Parameters:
    ///   - venue: `nil`: recognised from the messages.
    ///   - needsTrades: whether one without trades is an error.
    ///   - mustBeUnderstood: whether one with nothing but unknown messages is an error.
    /// - Throws: `FeedError` of kind `.input` that names the file and what is wrong with it.
    public init(
        path: String, venue: Venue? = nil, needsTrades: Bool = true, mustBeUnderstood: Bool = true
    ) throws(FeedError) {
        let (bytes, isCut) = try Self.read(path)
        var lines = Self.split(bytes, isCut: isCut)
        let recorded = try Self.receiveTimes(beside: path)
        let note = Self.cut(&lines, isCut, to: recorded, path)
        guard !lines.isEmpty else {
            let what = isCut ? "a damaged gzip file" : "empty; a recording has one message a line"
            throw FeedError(.input, "\(path) is \(what).")
        }
        let recognised = venue ?? Self.recogniseVenue(bytes, lines)
        guard let recognised else {
            throw FeedError(
                .input,
                "\(path): no venue is known to send such messages; say whose they are with --venue (\(Venue.allowedNames))."
            )
        }
        let scan = Self.scan(bytes, lines, venue: recognised)
        guard !mustBeUnderstood || !scan.counts.understoodNothing else {
            throw FeedError(
                .input,
                "\(path) cannot be read as \(recognised.rawValue): none of its messages is of a kind that this venue "
                    + "sends; it holds \(scan.counts.summary).")
        }
        guard !needsTrades || !scan.markets.isEmpty else {
            throw FeedError(
                .input,
                "\(path) holds no \(recognised.rawValue) trades, hence no candles can be made of it; "
                    + "it holds \(scan.counts.summary).")
        }
        self.venue = recognised
        self.bytes = bytes
        self.lines = lines
        markets = scan.markets
        tradeCount = scan.counts.trades
        times = recorded.map { Array($0.times.prefix(lines.count)) } ?? scan.times
        hasReceiveTimes = recorded != nil
        self.note = note
    }

    /// The message's bytes. The index must be within `0..<messageCount`.
    public func withMessage<R>(_ index: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R {
        bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[lines[index]])) }
    }

    private static func read(_ path: String) throws(FeedError) -> (bytes: [UInt8], isCut: Bool) {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw FeedError(.input, "There is no file \(path).")
        }
        guard !isDirectory.boolValue else {
            throw FeedError(.input, "\(path) is a folder; a recording is a .jsonl or .jsonl.gz file.")
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw FeedError(.input, "\(path) cannot be read; check its permissions.")
        }
        let bytes = [UInt8](data)
        guard GunzipStream.isCompressed(bytes) else { return (bytes, false) }
        do {
            return try Gzip.unpack(bytes, limit: sizeLimit)
        } catch {
            switch error {
            case .corrupt: throw FeedError(.input, "\(path) is a damaged gzip file.")
            case .tooLarge: throw FeedError(.input, "\(path) unpacks to more than \(sizeLimit >> 30) GiB.")
            case .noMemory: throw FeedError(.input, "There is not enough memory to unpack \(path).")
            }
        }
    }

    /// - Parameter isCut: the last line may be half a line.
    private static func split(_ bytes: [UInt8], isCut: Bool) -> [Range<Int>] {
        var lines: [Range<Int>] = []
        var start = 0
        bytes.withUnsafeBytes { buffer in
            for at in 0...buffer.count where at == buffer.count ? !isCut : buffer[at] == 0x0A {
                var end = at
                if end > start, buffer[end - 1] == 0x0D { end -= 1 }
                if end > start { lines.append(start..<end) }
                start = at + 1
            }
        }
        return lines
    }

    private static func recogniseVenue(_ bytes: [UInt8], _ lines: [Range<Int>]) -> Venue? {
        bytes.withUnsafeBytes { buffer in
            var evidence: [Venue: Int] = [:]
            for line in lines.prefix(100) {
                guard let venue = Venue.recognise(UnsafeRawBufferPointer(rebasing: buffer[line])) else { continue }
                evidence[venue, default: 0] += 1
            }
            // Messages that are evidence of different venues are no session of one.
            let most = evidence.values.max()
            let found = evidence.filter { $0.value == most }
            return found.count == 1 ? found.first?.key : nil
        }
    }

    private static func scan(
        _ bytes: [UInt8], _ lines: [Range<Int>], venue: Venue
    ) -> (markets: [Market], counts: VenueSession.Counts, times: [Double]) {
        var session = VenueSession(venue: venue)
        var times: [Double] = []
        times.reserveCapacity(lines.count)
        var newest = 0.0
        bytes.withUnsafeBytes { buffer in
            for line in lines {
                session.read(UnsafeRawBufferPointer(rebasing: buffer[line]))
                // A time that no validator would let pass must not turn the clock for the trades after it.
                for trade in session.trades where trade.tick.timestamp <= Tick.latestTimestamp {
                    newest = max(newest, trade.tick.timestamp)
                }
                times.append(newest)
            }
        }
        // Messages before the first trade belong to its time.
        if let first = times.first(where: { $0 > 0 }) {
            for index in times.indices where times[index] == 0 { times[index] = first }
        }
        let markets = session.symbols.names.enumerated().map {
            Market(symbol: $1, precision: min(8, session.priceDecimals[$0]))
        }
        return (markets, session.counts, times)
    }

    /// Leaves out the messages that have no time.
    /// - Returns: what of both files does not count, in a sentence.
    private static func cut(
        _ lines: inout [Range<Int>], _ isCut: Bool, to recorded: (path: String, times: [Double])?, _ path: String
    ) -> String? {
        guard let recorded, recorded.times.count != lines.count else {
            return isCut ? "\(path) ends in the middle of a message, which is left out." : nil
        }
        let (messages, times) = (lines.count, recorded.times.count)
        lines.removeLast(max(0, messages - times))
        return "\(path) has \(messages) messages and \(recorded.path) \(times) times, as after a recording that was "
            + "interrupted; \(abs(messages - times)) at the end are left out."
    }

    /// The times beside `path`, if there are any.
    private static func receiveTimes(beside path: String) throws(FeedError) -> (path: String, times: [Double])? {
        var stem = path
        for suffix in [".gz", ".jsonl"] where stem.hasSuffix(suffix) { stem.removeLast(suffix.count) }
        for suffix in [".times.txt.gz", ".times.txt"] where FileManager.default.fileExists(atPath: stem + suffix) {
            let (bytes, isCut) = try read(stem + suffix)
            var lines = split(bytes, isCut: isCut)
            // The first digits of a time are another time.
            if bytes.last != 0x0A, lines.count > 1, lines[lines.count - 1].count < lines[lines.count - 2].count {
                lines.removeLast()
            }
            // Killed before the first one was written: the trades have times of their own.
            guard !lines.isEmpty else { return nil }
            var times: [Double] = []
            times.reserveCapacity(lines.count)
            for (index, line) in lines.enumerated() {
                let text = String(decoding: bytes[line], as: UTF8.self)
                guard let nanoseconds = Int64(text), nanoseconds > 0 else {
                    throw FeedError(
                        .input,
                        "\(stem + suffix), line \(index + 1): \"\(text.prefix(40))\" is not a time in nanoseconds.")
                }
                times.append(max(times.last ?? 0, Double(nanoseconds) / 1e9))
            }
            return (stem + suffix, times)
        }
        return nil
    }
}
