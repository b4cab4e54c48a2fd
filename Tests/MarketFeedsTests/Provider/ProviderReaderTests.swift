import MarketModel
import StreamCore
import TestKit
import Testing

@testable import MarketFeeds

@Suite("Messages of providers")
struct ProviderReaderTests {
    /// What a session makes of messages, in words.
    struct Story {
        var session: VenueSession
        var lines: [String] = []

        init(_ provider: ProviderConfiguration, markets: [String] = []) {
            session = VenueSession(provider, markets: markets)
        }

        @discardableResult
        mutating func send(_ text: String) -> VenueMessageKind {
            Array(text.utf8).withUnsafeBytes { bytes in
                let kind = session.read(bytes)
                for trade in session.trades {
                    let (price, volume) = (trade.price.read(in: bytes).string, trade.volume.read(in: bytes).string)
                    let name = trade.name.isEmpty ? "" : " #\(trade.name.read(in: bytes).string)"
                    let side = trade.side == .unknown ? "" : " \(trade.side)"
                    lines.append(
                        "\(session.symbols.names[trade.market]) \(volume) at \(price), \(trade.tick.timestamp)\(side)\(name)"
                    )
                }
                for candle in session.candles { lines.append("closed \(Self.words(candle))") }
                for candle in session.openCandles { lines.append("open \(Self.words(candle))") }
                return kind
            }
        }

        private static func words(_ reported: VenueCandle) -> String {
            let candle = reported.candle
            return
                "\(reported.symbol) \(reported.seconds) \(Int(candle.timestamp)): \(candle.open) \(candle.high) \(candle.low) "
                + "\(candle.close) \(candle.volume)"
        }
    }

    private static func guide(markets: [String] = []) throws -> Story {
        Story(try ProviderExamples.configuration("guide"), markets: markets)
    }

    private static let tick =
        #"{"type":"tick","symbol":"BTC-USD","timestamp":1732130000.5,"price":67234.5,"volume":0.25}"#

    @Test(
        "differently built messages give the same kinds of things",
        arguments: [
            (
                "guide",
                [
                    "BTC-USD 0.25 at 67234.5, 1732130000.5",
                    "open BTC-USD 60 1732129980: 67230.0 67240.0 67225.5 67234.5 12.5",
                    "closed BTC-USD 60 1732129860: 67200.0 67210.0 67190.0 67205.0 3.0",
                    "closed BTC-USD 60 1732129920: 67205.0 67231.0 67205.0 67230.0 4.5",
                ]
            ),
            (
                "nested",
                [
                    "BTC-USDT 0.25 at 67234.50, 1732130000.5 sell #41", "BTC-USDT 1 at 67234.60, 1732130000.5 buy #43",
                ]
            ),
            (
                "rows",
                [
                    "XBT/USD 0.15850568 at 5541.20000, 1534614057.321597 sell",
                    "XBT/USD 0.1 at 5541.30000, 1534614057.5 buy",
                    "open XBT/USD 60 1534614060: 5541.3 5542.0 5541.0 5541.5 3.25",
                ]
            ),
            (
                "texts",
                [
                    "BTC/USD 0.25 at 67234.50, 1732130000.5 buy #a-1", "ETH/USD 2 at 3100, 1732130000.75 sell #a-2",
                    "open BTC/USD 60 1732129980: 67230.0 67240.0 67225.5 67234.5 12.5",
                ]
            ),
        ] as [(String, [String])])
    func shapes(name: String, lines: [String]) throws {
        var story = Story(try ProviderExamples.configuration(name))
        for message in ProviderExamples.messages(name) {
            let kind = story.send(message)
            #expect(kind != .malformed && kind != .other, "\(message)")
        }
        #expect(story.lines == lines)
        #expect(story.session.counts.missing == (name == "nested" ? 1 : 0), "numbers that count up show a missing one")
    }

    @Test("messages of unknown types are counted, each type is named once, and nothing ends")
    func unknownTypes() throws {
        var story = try Self.guide()
        var names: [String] = []
        for text in [#"{"type":"news"}"#, Self.tick, #"{"type":"news"}"#, #"{"type":7}"#, "[]", Self.tick] {
            story.send(text)
            if let name = story.session.newType { names.append(name) }
        }
        #expect(names == ["news", "7"])
        #expect(story.session.providerCounts?.unknownTypes == 3)
        #expect(story.lines.count == 2 && story.session.counts.malformed == 0)
        for number in 0..<100 { story.send(#"{"type":"t\#(number)"}"#) }
        #expect(story.session.newType == nil, "a hundred different values are not message types")
        #expect(story.session.providerCounts?.unknownTypes == 103)
    }

    @Test(
        "a tick without one of its values is lost, and the value is named",
        arguments: ["symbol", "timestamp", "price", "volume", "type"])
    func missingInTick(field: String) throws {
        var story = try Self.guide()
        #expect(story.send(Self.tick) == .trades)
        for text in [
            Self.tick.replacingOccurrences("\"\(field)\"", "\"other\""),
            Self.tick.replacingValue(of: field, by: "null"), Self.tick.replacingValue(of: field, by: "{}"),
        ] {
            #expect(story.send(text) == .malformed, "\(text)")
        }
        let named = try #require(ProviderField.allCases.first { $0.word == field })
        #expect(story.session.providerCounts?.missing[named] == 3)
        #expect(story.session.counts.flaws[.missingField] == 3 && story.lines.count == 1)
    }

    @Test(
        "a candle without one of its values is lost, and the value is named",
        arguments: ["symbol", "timestamp", "open", "high", "low", "close", "volume"])
    func missingInCandle(field: String) throws {
        var story = try Self.guide()
        let candle = ProviderExamples.messages("guide")[1]
        #expect(story.send(candle) == .candles)
        #expect(story.send(candle.replacingOccurrences("\"\(field)\"", "\"other\"")) == .malformed)
        let named = try #require(ProviderField.allCases.first { $0.word == field })
        #expect(story.session.providerCounts?.missing[named] == 1)
    }

    @Test("a candle that cannot be is lost: not ordered, of no time, of an unknown length")
    func impossibleCandles() throws {
        var story = try Self.guide()
        let candle = ProviderExamples.messages("guide")[1]
        for (field, value) in [
            ("high", "1"), ("low", "-5"), ("volume", "-1"), ("timestamp", "1e300"), ("timestamp", "-5"),
            ("timestamp", "1732129980000"), ("open", "\"x\""), ("close", "true"),
        ] {
            #expect(story.send(candle.replacingValue(of: field, by: value)) == .malformed, "\(field) \(value)")
        }
        #expect(story.send(candle.replacingOccurrences("\"volume\"", "\"timeframe\":\"7m\",\"volume\"")) == .malformed)
        #expect(story.lines.isEmpty && story.session.counts.flaws[.badValue] == 9)
    }

    @Test("a snapshot's candles are closed but for the newest, in whichever order they come")
    func snapshots() throws {
        func candle(_ minute: Int) -> String {
            #"{"timestamp":\#(1_732_129_980 + minute * 60),"open":1,"high":2,"low":1,"close":\#(minute),"volume":1}"#
                .replacingOccurrences("\"close\":0", "\"close\":1")
        }
        for order in [[0, 1, 2], [2, 1, 0]] {
            var story = try Self.guide()
            let list = order.map(candle).joined(separator: ",")
            let text = #"{"type":"snapshot","symbol":"A","candles":[\#(list)]}"#
            #expect(story.send(text) == .candles)
            #expect(story.lines.filter { $0.hasPrefix("closed") }.count == 2)
            #expect(story.lines.filter { $0.hasPrefix("open") }.map { $0.contains("1732130100") } == [true])
            story.lines = []
            #expect(story.send(text) == .candles, "again, as after an outage")
            #expect(story.lines.filter { $0.hasPrefix("open") }.count == 1)
        }
        var story = try Self.guide()
        #expect(story.send(#"{"type":"snapshot","symbol":"A"}"#) == .malformed)
        #expect(story.session.providerCounts?.missing[.rows] == 1)
        #expect(story.send(#"{"type":"snapshot","symbol":"A","candles":[]}"#) == .candles)
    }

    @Test("messages of other symbols are not accepted, and counted")
    func otherSymbols() throws {
        var story = try Self.guide(markets: ["ETH-USD", "BTC-USD"])
        story.send(Self.tick)
        story.send(Self.tick.replacingOccurrences("BTC-USD", "XRP-USD"))
        for message in ProviderExamples.messages("guide") { story.send(message.replacingOccurrences("BTC-USD", "A")) }
        #expect(story.lines == ["BTC-USD 0.25 at 67234.5, 1732130000.5"])
        #expect(story.session.symbols.names == ["ETH-USD", "BTC-USD"])
        #expect(story.session.providerCounts?.otherSymbols == 5, "a snapshot's two candles are two")
    }

    @Test(
        "times in each unit, as numbers and as texts, to the digit",
        arguments: [
            ("s", "1732130000.25", 1_732_130_000.25), ("s", "\"1732130000\"", 1_732_130_000),
            ("ms", "1732130000250", 1_732_130_000.25), ("ms", "1732130000250.5", 1_732_130_000.2505),
            ("us", "1732130000250001", 1_732_130_000.250001), ("ns", "1732130000250001500", 1_732_130_000.2500015),
            ("ns", "\"1732130000250000000\"", 1_732_130_000.25),
            ("iso8601", "\"2024-11-20T19:13:20.25Z\"", 1_732_130_000.25),
            ("iso8601", "\"2024-11-20T20:13:20.25+01:00\"", 1_732_130_000.25),
        ] as [(String, String, Double)])
    func times(unit: String, text: String, seconds: Double) throws {
        var story = Story(try ProviderExamples.read(#"{"url":"wss://a","time":"\#(unit)"}"#))
        story.send(Self.tick.replacingValue(of: "timestamp", by: text))
        #expect(story.lines == ["BTC-USD 0.25 at 67234.5, \(seconds)"])
        for bad in ["\"soon\"", "true", "\"\"", unit == "iso8601" ? "5" : "\"2024-11-20T19:13:20Z\""] {
            #expect(story.send(Self.tick.replacingValue(of: "timestamp", by: bad)) == .malformed, "\(bad)")
        }
    }

    @Test("messages in an envelope, one or several, and answers outside of it")
    func envelope() throws {
        var story = Story(try ProviderExamples.read(#"{"url":"wss://a","batch":"p.messages"}"#))
        #expect(story.send(#"{"p":{"n":2,"messages":[\#(Self.tick),\#(Self.tick)]},"q":1}"#) == .trades)
        #expect(story.send(#"{"p":{"messages":\#(Self.tick)}}"#) == .trades)
        #expect(story.send(#"{"type":"error","message":"no"}"#) == .refusal)
        #expect(story.lines.count == 3)
        #expect(story.send(#"{"p":{"messages":[\#(Self.tick),5]}}"#) == .malformed, "all of it or nothing")
        #expect(story.send(#"{"p":{"messages":[\#(Self.tick)]}x"#) == .malformed)
        #expect(story.lines.count == 3)
    }

    @Test("without types messages are recognised by their fields")
    func untyped() throws {
        var story = Story(
            try ProviderExamples.read(
                #"{"url":"wss://a","type":null,"tick":{"volume":null},"snapshot":null,"error":{"message":"err"}}"#))
        #expect(story.send(#"{"symbol":"A","price":"5.10","timestamp":9}"#) == .trades)
        #expect(
            story.send(#"{"symbol":"A","timestamp":60,"open":1,"high":1,"low":1,"close":1,"volume":0}"#) == .candles)
        #expect(story.send(#"{"err":"no such symbol"}"#) == .refusal)
        #expect(story.send(#"{"hello":1}"#) == .other)
        #expect(story.lines.first == "A  at 5.10, 9.0")
    }

    @Test("repeated trades are recognised where trades have names, numbers or texts")
    func repeated() throws {
        var story = Story(try ProviderExamples.read(#"{"url":"wss://a","tick":{"id":"id"}}"#))
        for id in ["5", "\"x-7\"", "5", "\"x-7\"", "\"5\"", "6"] {
            story.send(Self.tick.replacingOccurrences("\"volume\"", "\"id\":\(id),\"volume\""))
        }
        #expect(story.lines.map { $0.split(separator: "#").last ?? "" } == ["5", "x-7", "6"])
        #expect(story.session.counts.duplicates == 3)
        #expect(story.send(Self.tick) == .malformed, "a name that is named must be there")
    }

    @Test("keys with escapes, in any order, with blanks, are the same keys")
    func escapes() throws {
        var story = try Self.guide(markets: ["BTC/USD"])
        let text =
            #"{ "volume" : 1 , "pri\u0063e":2, "symbol" : "BTC\/USD","x":{"price":9},"timestamp":3 ,"t\u0079pe":"ti\u0063k" } "#
        #expect(story.send(text) == .trades)
        #expect(story.lines == ["BTC/USD 1 at 2, 3.0"])
    }

    @Test("damaged messages crash nothing and each loss has a reason", arguments: ProviderExamples.names, 1...5)
    func mutations(name: String, seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let provider = try ProviderExamples.configuration(name)
        let frames = ProviderExamples.messages(name).map { Array($0.utf8) }
        var session = VenueSession(provider)
        for _ in 0..<1000 {
            var bytes = frames.randomElement(using: &generator)!
            if Int.random(in: 0..<5, using: &generator) > 0 { MutationTests.damage(&bytes, &generator) }
            bytes.withUnsafeBytes { bytes in
                let before = session.counts
                let kind = session.read(bytes)
                #expect(session.trades.count == session.counts.trades - before.trades)
                if kind == .malformed { #expect(session.trades.isEmpty && session.candles.isEmpty) }
                for candle in session.candles + session.openCandles { #expect(candle.candle.isWellFormed) }
                for trade in session.trades {
                    #expect(DecimalParser.parseWhole(trade.price.read(in: bytes).raw) == trade.tick.price)
                }
            }
        }
        let counts = session.counts
        #expect(counts.messages == 1000 && counts.malformed > 250 && counts.malformed < 1000)
        #expect(VenueFlaw.allCases.reduce(0) { $0 + counts.flaws[$1] } == counts.malformed)
        let missing = ProviderField.allCases.reduce(0) { $0 + (session.providerCounts?.missing[$1] ?? 0) }
        #expect(missing == counts.flaws[.missingField])
        #expect(
            try ProviderAdapter(provider, token: "t").answers(to: UnsafeRawBufferPointer(start: nil, count: 0), .other)
                == [])
    }

    @Test("a message that ends early is malformed wherever it ends", arguments: ProviderExamples.names)
    func everyEnd(name: String) throws {
        var story = Story(try ProviderExamples.configuration(name))
        for message in ProviderExamples.messages(name) {
            for length in 0..<message.utf8.count {
                #expect(story.send(String(message.prefix(length))) == .malformed)
            }
        }
        #expect(story.lines.isEmpty)
    }
}

extension String {
    func replacingOccurrences(_ text: String, _ other: String) -> String {
        split(separator: text, omittingEmptySubsequences: false).joined(separator: other)
    }

    /// The value behind a key, which must be a plain one, replaced.
    func replacingValue(of key: String, by value: String) -> String {
        guard let mark = range(ofText: "\"\(key)\":") else { return self }
        let end = self[mark...].firstIndex { $0 == "," || $0 == "}" } ?? endIndex
        return self[..<mark] + value + self[end...]
    }

    /// Where the text ends.
    private func range(ofText text: String) -> Index? {
        var at = startIndex
        while at < endIndex {
            if self[at...].hasPrefix(text) { return index(at, offsetBy: text.count) }
            at = index(after: at)
        }
        return nil
    }
}
