import MarketModel
import StreamCore
import Testing

/// A stream that has run for long: its offsets are more than 32 bits hold, on machines whose word has 32 as well.
@Suite("Offsets beyond 32 bits")
struct LongStreamTests {
    static let offsets: [Int64] = [1 << 31, (1 << 32) + 5, 1 << 40, (1 << 53) - 8]

    static func tick(_ offset: Int64) -> String {
        #"receive 1 {"type":"tick","symbol":"BTC","timeframe":"1m","timestamp":1,"price":2,"volume":3,"offset":\#(offset)}"#
    }

    @Test("are written and read in both directions as what they are", arguments: offsets)
    func wire(offset: Int64) throws {
        let text = written {
            ServerMessageWriter.tick(
                Tick(timestamp: 1, price: 2, volume: 3), symbol: ServerMessageWriter.symbolJSON("A"), timeframe: .m1,
                offset: offset, into: &$0)
        }
        guard case .tick(_, _, _, let read?) = try text.bytes({ try ServerMessage.decode($0) }) else {
            Issue.record("no tick: \(text)")
            return
        }
        // The type and not only the value: a machine word would lose it in WebAssembly.
        let typed: Int64 = read
        #expect(typed == offset && text.hasSuffix("\"offset\":\(offset)}"))
        let request = SubscribeRequest(
            symbol: "A", timeframe: .m1, recover: StreamPosition(epoch: "e", offset: offset))
        let sent = written { ClientMessageWriter.write(.subscribe(request), into: &$0) }
        #expect(try sent.bytes({ try ClientMessage.decode($0) }) == .subscribe(request))
    }

    @Test("a session follows them, finds a gap and recovers from them", arguments: offsets)
    func session(offset: Int64) {
        var stage = SessionStage()
        for line in [
            "0 subscribe BTC", "0 connect", "0 opened 1",
            #"1 receive 1 {"type":"subscribed","id":1,"symbol":"BTC","timeframe":"1m","epoch":"e","offset":\#(offset)}"#,
            #"1 receive 1 {"type":"snapshot","symbol":"BTC","timeframe":"1m","candles":[],"epoch":"e","offset":\#(offset)}"#,
            "2 " + Self.tick(offset + 1), "2 " + Self.tick(offset + 1),
            #"2 receive 1 {"type":"skipped","symbol":"BTC","timeframe":"1m","count":2}"#, "2 " + Self.tick(offset + 4),
        ] { stage.perform(line[...]) }
        let info = (0...2).compactMap { stage.session.subscription(SubscriptionNumber(rawValue: $0)) }.first
        #expect(info?.position == StreamPosition(epoch: "e", offset: offset + 4))
        let diagnostics = stage.session.diagnostics
        #expect(diagnostics.malformed == 0 && diagnostics.gaps == 0)
        #expect(diagnostics.duplicates == 1 && diagnostics.skipped == 2)
        stage.perform("3 closed 1 1006")
        stage.perform("timer")
        stage.perform("\(stage.now) opened 2")
        #expect(
            stage.lines.last { $0.contains("\"recover\"") }?.contains("\"offset\":\(offset + 4)}") == true,
            "\(stage.lines)")
    }

    @Test("an outbox counts what it leaves out", arguments: offsets)
    func outbox(offset: Int64) {
        let reader = OutboxReader()
        reader.outbox.open(stream: 1, at: offset)
        #expect(reader.passThrough(first: offset + 1, last: offset + 3))
        reader.block()
        reader.offer(["t\(offset + 4)", "t\(offset + 5)"])
        reader.drain()
        #expect(reader.written == ["-1", "t\(offset + 5)"])
        #expect(reader.outbox.position(of: 1) == offset + 5)
    }
}
