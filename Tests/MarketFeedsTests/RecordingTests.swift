import Foundation
import MarketModel
import Testing

@testable import MarketFeeds

@Suite("Recordings")
struct RecordingTests {
    @Test(
        "real recordings are read whole, and their venue is recognised",
        .enabled(if: SharedData.isPresent, "no ../shared/data"),
        arguments: [
            ("coinbase_exchange_ws-feed_6products_2021-04-17", Venue.coinbase, 5665, 65, 4),
            ("binance_spot_btcusdt-ethusdt-dotusdt_2021-04-04", .binance, 4716, 1910, 3),
            ("binance_spot_btcusdt_2024-08-08", .binance, 41_248, 9757, 1),
        ])
    func real(name: String, venue: Venue, messages: Int, trades: Int, markets: Int) throws {
        let recording = try Recording(path: SharedData.recording(name))
        #expect(recording.venue == venue)
        #expect(recording.messageCount == messages)
        #expect(recording.tradeCount == trades)
        #expect(recording.markets.count == markets)
        #expect(recording.hasReceiveTimes)
        #expect(zip(recording.times, recording.times.dropFirst()).allSatisfy { $0 <= $1 })
    }

    static func file(_ text: String, _ name: String = "recording.jsonl") throws -> String {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appendingPathComponent(name).path
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    static let message = #"{"e":"trade","s":"A","t":1,"p":"1.50","q":"2","T":1700000000000}"#

    @Test("without receive times the trades' own are the clock; blank lines and CRLF do not matter")
    func ownTimes() throws {
        let later = Self.message.replacingOccurrences(of: "1700000000000", with: "1700000005000")
            .replacingOccurrences(of: "\"t\":1", with: "\"t\":2")
        let recording = try Recording(path: try Self.file("{\"result\":null}\r\n\r\n\(Self.message)\r\n\(later)"))
        #expect(recording.messageCount == 3)
        #expect(recording.times == [1_700_000_000, 1_700_000_000, 1_700_000_005])
        #expect(recording.markets.map(\.precision) == [1])
    }

    /// Bybit's messages before version 5.
    private static let oldBybit = """
        {"success":true,"ret_msg":"","conn_id":"x","request":{"op":"subscribe","args":["trade.BTCUSD"]}}
        {"topic":"trade.BTCUSD","data":[{"symbol":"BTCUSD","side":"Sell","size":1,"price":8098,"trade_id":"a"}]}
        """

    @Test("a session of which nothing is understood is an error, whether its venue is named or not")
    func notUnderstood() throws {
        let path = try Self.file(Self.oldBybit)
        #expect(throws: FeedError.self) { try Recording(path: path, needsTrades: false) }
        #expect {
            try Recording(path: path, venue: .bybit, needsTrades: false)
        } throws: {
            ($0 as? FeedError)?.description
                == "\(path) cannot be read as bybit: none of its messages is of a kind that this venue sends; "
                + "it holds 2 other messages."
        }
        #expect(try Recording(path: path, venue: .bybit, needsTrades: false, mustBeUnderstood: false).messageCount == 2)
    }

    @Test(
        "each thing that can be wrong with a file is said in one sentence",
        arguments: [
            ("", "is empty"), ("hello\n", "--venue"), ("{\"result\":null,\"id\":1}\n", "--venue"),
            ("{\"e\":\"depthUpdate\",\"s\":\"A\"}\n", "holds no binance trades"),
        ])
    func broken(text: String, part: String) throws {
        let path = try Self.file(text)
        #expect {
            try Recording(path: path)
        } throws: {
            let error = $0 as? FeedError
            return error?.kind == .input && error?.description.contains(path) == true
                && error?.description.contains(part) == true
        }
    }

    @Test("a missing file, a folder, a damaged gzip file, wrong receive times")
    func unreadable() throws {
        func sentence(_ path: String) -> String {
            do {
                _ = try Recording(path: path)
                return ""
            } catch {
                return error.description
            }
        }
        #expect(sentence("/nowhere/at/all.jsonl").contains("no file"))
        #expect(sentence("/tmp").contains("is a folder"))
        let damaged = try Self.file("", "a.jsonl.gz")
        try Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2, 3]).write(to: URL(fileURLWithPath: damaged))
        #expect(sentence(damaged).contains("damaged gzip"))
        let path = try Self.file(Self.message)
        let times = path.replacingOccurrences(of: ".jsonl", with: ".times.txt")
        try Data("soon\n".utf8).write(to: URL(fileURLWithPath: times))
        #expect(sentence(path).contains("line 1: \"soon\""))
    }

    /// Two pieces of three messages each, as a recorder writes them, with times a second apart.
    static func pieces(isCompressed: Bool) throws -> (messages: [[UInt8]], times: [[UInt8]]) {
        let first = 1_700_000_000
        var messages: [[UInt8]] = []
        var times: [[UInt8]] = []
        for piece in [1...3, 4...6] {
            let lines = piece.map {
                #"{"e":"trade","s":"A","t":\#($0),"p":"1.50","q":"2","T":\#((first + $0) * 1000)}"# + "\n"
            }
            messages.append(Array(lines.joined().utf8))
            times.append(Array(piece.map { "\((first + $0) * 1_000_000_000)\n" }.joined().utf8))
        }
        guard isCompressed else { return (messages, times) }
        return (try messages.map(Gzip.pack), try times.map(Gzip.pack))
    }

    @Test(
        "whatever a kill leaves of the last piece, messages and times still belong together", arguments: [false, true])
    func killed(isCompressed: Bool) throws {
        let (messages, times) = try Self.pieces(isCompressed: isCompressed)
        let end = isCompressed ? ".gz" : ""
        let path = try Self.file("", "a.jsonl" + end)
        func check(_ left: [UInt8], _ leftTimes: [UInt8], atLeast: Int) throws {
            try Data(left).write(to: URL(fileURLWithPath: path))
            try Data(leftTimes).write(
                to: URL(fileURLWithPath: path.replacingOccurrences(of: ".jsonl", with: ".times.txt")))
            let recording = try Recording(path: path)
            #expect((atLeast...6).contains(recording.messageCount) && recording.hasReceiveTimes)
            #expect(recording.times.count == recording.messageCount)
            for (index, time) in recording.times.enumerated() {
                #expect(time == Double(1_700_000_001 + index))
                let text = recording.withMessage(index) { String(decoding: $0, as: UTF8.self) }
                #expect(text.contains("\"t\":\(index + 1),") && text.hasSuffix("}"))
            }
        }
        for length in 0...messages[1].count {
            try check(messages[0] + messages[1][..<length], times[0], atLeast: 3)
        }
        for length in 0...times[1].count {
            try check(messages[0] + messages[1], times[0] + times[1][..<length], atLeast: 3)
        }
        try check(messages[0] + messages[1], times[0] + times[1], atLeast: 6)
        #expect(try Recording(path: path).note == nil)
        // More times than messages, as after a disk that was full for the one file and not for the other.
        try check(messages[0], times[0] + times[1], atLeast: 3)
        #expect(try Recording(path: path).note?.contains("3 messages and") == true)
        // Killed before the first time was written.
        try Data(messages[0]).write(to: URL(fileURLWithPath: path))
        try Data().write(to: URL(fileURLWithPath: path.replacingOccurrences(of: ".jsonl", with: ".times.txt")))
        let early = try Recording(path: path)
        #expect(early.messageCount == 3 && !early.hasReceiveTimes)
    }

    @Test("the player keeps the recorded pace at any speed, and loops")
    func player() {
        var player = ReplayPlayer(times: [10, 11, 13], speed: .times(2), loops: true, now: 100)
        #expect(player.next(now: 100) == 0)
        #expect(player.next(now: 100.4) == nil)
        #expect(player.nextDue == 100.5)
        #expect(player.next(now: 102) == 1)
        #expect(player.next(now: 102) == 2)
        #expect(player.isFinished)
        #expect(player.rewind(now: 200) == true)
        #expect(player.next(now: 200) == 0)
        var fast = ReplayPlayer(times: [10, 11, 13], speed: .max, loops: false, now: 5)
        #expect([fast.next(now: 5), fast.next(now: 5), fast.next(now: 5), fast.next(now: 5)] == [0, 1, 2, nil])
        #expect(fast.rewind(now: 6) == false)
    }
}
