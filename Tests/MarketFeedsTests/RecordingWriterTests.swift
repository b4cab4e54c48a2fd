import Foundation
import MarketFeeds
import Testing

@Suite("Writing recordings")
struct RecordingWriterTests {
    static func path(_ name: String) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder.appendingPathComponent(name).path
    }

    static func trade(_ id: Int) -> String {
        #"{"e":"trade","s":"A","t":\#(id),"p":"1.50","q":"2","T":\#(1_700_000_000_000 + id * 1000)}"#
    }

    private func receive(_ text: String, at nanoseconds: Int64, _ writer: RecordingWriter) {
        Array(text.utf8).withUnsafeBytes { writer.received($0, at: nanoseconds) }
    }

    private func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
    }

    @Test(
        "what was written can be read, packed or not, also after several flushes", arguments: ["a.jsonl", "a.jsonl.gz"])
    func roundTrip(name: String) throws {
        let path = try Self.path(name)
        let writer = try RecordingWriter(try RecordingPaths(path))
        for id in 1...100 {
            receive(Self.trade(id), at: 1_700_000_000_500_000_000 + Int64(id) * 1_000_000, writer)
            if id % 10 == 0 { try writer.flush() }
        }
        try writer.close()
        try writer.close()
        let recording = try Recording(path: path)
        #expect(recording.venue == .binance)
        #expect(recording.messageCount == 100 && recording.tradeCount == 100)
        #expect(recording.hasReceiveTimes)
        #expect(recording.times[0] == 1_700_000_000.501)
        #expect(recording.withMessage(41) { String(decoding: $0, as: UTF8.self) } == Self.trade(42))
        #expect(writer.pending == 0)
    }

    @Test("what was flushed is on the disk, without the files being closed", arguments: ["b.jsonl", "b.jsonl.gz"])
    func crash(name: String) throws {
        let path = try Self.path(name)
        let writer = try RecordingWriter(try RecordingPaths(path))
        receive(Self.trade(1), at: 1_700_000_000_000_000_000, writer)
        try writer.flush()
        receive(Self.trade(2), at: 1_700_000_001_000_000_000, writer)
        let recording = try Recording(path: path)
        #expect(recording.messageCount == 1)
        try writer.close()
        #expect(try Recording(path: path).messageCount == 2)
    }

    @Test("line ends inside a message: JSON loses them, anything else is refused and counted")
    func lineEnds() throws {
        let path = try Self.path("c.jsonl")
        let writer = try RecordingWriter(try RecordingPaths(path))
        receive("{\n  \"a\": [1, 2],\r\n\t\"b\": \"x \\\" y \\\\\"\n}\n", at: 1, writer)
        receive("hello\nworld", at: 2, writer)
        receive("", at: 3, writer)
        receive("{\"a\": 1}", at: 4, writer)
        writer.receivedBinary()
        writer.sent("{\"op\":\n\"subscribe\"}")
        try writer.close()
        #expect(try text(path) == "{\"a\":[1,2],\"b\":\"x \\\" y \\\\\"}\n{\"a\": 1}\n")
        #expect(try text(writer.paths.times) == "1\n4\n")
        #expect(try text(writer.paths.sent) == "{\"op\":\"subscribe\"}\n")
        var expected = RecordingWriter.Counts()
        expected.messages = 2
        expected.bytes = 44
        expected.sent = 1
        expected.minified = 1
        expected.refused = 2
        expected.binary = 1
        expected.bytes = writer.counts.bytes
        #expect(writer.counts == expected)
    }

    static let secrets: [(String, String)] = [
        (#"{"action":"auth","token":"hunter2"}"#, #"{"action":"auth","token":"***"}"#),
        (
            #"{"type":"subscribe","channels":["matches"],"key":"hunter2","a":{"signature" : "hunter2" , "b":1}}"#,
            #"{"type":"subscribe","channels":["matches"],"key":"***","a":{"signature" : "***" , "b":1}}"#
        ),
        (
            #"{"op":"login","args":[{"apiKey":"hunter2","sign":"hunter2"},"hunter2"]}"#,
            #"{"op":"login","args":"***"}"#
        ),
        (
            #"{"op":"x","args":[{"api_key":"hunter2"},{"t\u006fken":["hunter2"]}]}"#,
            #"{"op":"x","args":[{"api_key":"***"},{"t\u006fken":"***"}]}"#
        ),
        (#"{"action":"subscribe","symbol":"KEY-USD"}"#, #"{"action":"subscribe","symbol":"KEY-USD"}"#),
        ("plain text", "plain text"), (#"{"token":"cut"#, #"{"token":"cut"#),
    ]

    @Test("what was sent is written down without what lets others in", arguments: secrets)
    func hidden(message: String, written: String) throws {
        let writer = try RecordingWriter(try RecordingPaths(try Self.path("s.jsonl")))
        writer.sent(message)
        try writer.close()
        #expect(try text(writer.paths.sent) == written + "\n")
        #expect(writer.counts.sent == 1)
    }

    @Test("a clock that is set back does not turn the times")
    func clock() throws {
        let path = try Self.path("d.jsonl")
        let writer = try RecordingWriter(try RecordingPaths(path))
        for (id, time) in [10, 5, 12].enumerated() { receive(Self.trade(id), at: Int64(time), writer) }
        try writer.close()
        #expect(try text(writer.paths.times) == "10\n10\n12\n")
    }

    @Test("an existing recording is not overwritten unless it is wanted; other names are refused")
    func existing() throws {
        let path = try Self.path("e.jsonl")
        let paths = try RecordingPaths(path)
        try RecordingWriter(paths).close()
        #expect(throws: FeedError.self) { try RecordingWriter(paths) }
        try RecordingWriter(paths, overwrites: true).close()
        #expect(throws: FeedError.self) { try RecordingPaths("recording.txt") }
        #expect(throws: FeedError.self) { try RecordingWriter(RecordingPaths("/nowhere/at/all.jsonl")) }
        let packed = try RecordingPaths("x/y.jsonl.gz")
        #expect(packed.times == "x/y.times.txt.gz" && packed.sent == "x/y.sent.jsonl")
    }
}
