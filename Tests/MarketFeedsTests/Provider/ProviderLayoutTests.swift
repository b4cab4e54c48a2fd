import StreamCore
import TestKit
import Testing

@testable import MarketFeeds

/// A layout is a second way to read what is read by its keys anyway: it may only be faster.
@Suite("Layouts of providers' messages")
struct ProviderLayoutTests {
    /// A reader, and what it says of a message.
    struct Reading {
        var reader: ProviderReader

        init(_ provider: ProviderConfiguration, wanted: [String]? = nil) {
            reader = ProviderReader(ProviderMapping(provider.shape))
            reader.wanted = wanted.map { SymbolTable($0) }
        }

        func hasLayout(of text: String) -> Bool {
            var tick = ProviderTick()
            return Array(text.utf8).withUnsafeBytes { reader.layouts.read($0, by: reader.mapping, into: &tick) }
        }

        mutating func story(of message: [UInt8]) -> String {
            message.withUnsafeBytes { bytes in
                let before = reader.counts
                var batch = VenueBatch()
                var words: [String] = []
                do {
                    words.append("\(try reader.parse(bytes, into: &batch))")
                } catch {
                    return "\(error)"
                }
                for trade in batch.trades {
                    let texts = [trade.symbol, trade.name, trade.price, trade.volume].map { $0.read(in: bytes).string }
                    words.append(
                        "\(texts) \(trade.tick) \(trade.id) \(trade.side) \(trade.priceDecimals) \(trade.slot)")
                }
                words.append("\(reader.counts.otherSymbols - before.otherSymbols)")
                return words.joined(separator: " ")
            }
        }
    }

    /// Configurations and messages that report one trade each.
    static let providers: [String: [String]] = [
        "guide": [
            #"{"type":"tick","symbol":"BTC-USD","timestamp":1732130000.5,"price":67234.5,"volume":0.25}"#,
            #"{"type":"tick", "symbol":"ETH-USD","side":null,"timestamp":"1732130000","price":"67234.50","volume":2e3}"#,
            #"{"type":"tick","symbol":7,"more":{"a":[1,true,"x"],"b":null},"timestamp":1,"price":1,"volume":0,"side":"sell"}"#,
            // As Python writes JSON.
            #"{"type": "tick", "symbol": "BTC-USD", "timestamp": 1732130000, "price": 67234.5, "volume": 1}"#,
        ],
        "nested": [
            #"{"channel":"trade","market":{"id":"BTC-USDT"},"data":{"p":"67234.50","q":"0.25","ts":1732130000500,"taker":"ask","seq":41}}"#,
            #"{"data":{"seq":"x-1","ts":"1732130000500","q":1,"p":5},"market":{"id":"BTC-USDT"},"channel":"trade"}"#,
        ],
        "rows": [
            #"[0,[["5541.20000","0.15850568","1534614057.321597","s"]],"trade","XBT/USD"]"#,
            #"[ 0, [ [ "5541.2", "0.15850568", "1534614057.321597", "s" ] ], "trade", "XBT/USD" ]"#,
        ],
        "texts": [
            #"[{"T":"t","S":"BTC/USD","p":"67234.50","s":"0.25","t":"2024-11-20T19:13:20.5Z","i":"a-1","tks":"B"}]"#,
            #"{"T":"t","S":"BTC/USD","p":"67234.50","s":"0.25","t":"2024-11-20T19:13:20Z","i":18446744073709551615}"#,
        ],
    ]

    @Test("reading by layout never changes a result", arguments: ProviderExamples.names, 1...10)
    func agree(name: String, seed: Int) throws {
        let provider = try ProviderExamples.configuration(name)
        let wanted = seed % 2 == 0 ? ["BTC-USD", "ETH-USD", "7", "BTC-USDT", "XBT/USD", "BTC/USD"] : nil
        var generator = SeededGenerator(seed: UInt64(seed))
        let base = Self.providers[name]!.map { Array($0.utf8) }
        let odd = Array("\"\\{}[],:.0123456789eE-tsTpq nul\u{1}".utf8)
        var learned = Reading(provider, wanted: wanted)
        for message in base { _ = learned.story(of: message) }
        var layouts = 0
        for _ in 0..<1000 {
            var bytes = base.randomElement(using: &generator)!
            for _ in 0..<Int.random(in: 0...2, using: &generator) {
                let at = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes.remove(at: at)
                case 1: bytes.insert(odd.randomElement(using: &generator)!, at: at)
                default: bytes[at] = odd.randomElement(using: &generator)!
                }
            }
            if learned.hasLayout(of: String(decoding: bytes, as: UTF8.self)) { layouts += 1 }
            var fresh = Reading(provider, wanted: wanted)
            let (fast, slow) = (learned.story(of: bytes), fresh.story(of: bytes))
            #expect(fast == slow, "\(String(decoding: bytes, as: UTF8.self))")
        }
        #expect(layouts > 200)
    }

    @Test("a layout is learned from one message, for others of its type only")
    func types() throws {
        var reading = Reading(try ProviderExamples.configuration("guide"))
        let tick = #"{"type":"tick","symbol":"A","timestamp":1,"price":2,"volume":3}"#
        #expect(!reading.hasLayout(of: tick))
        _ = reading.story(of: Array(tick.utf8))
        #expect(reading.hasLayout(of: #"{"type":"tick","symbol":"BTC-USD","timestamp":1.5,"price":2e3,"volume":0}"#))
        for other in [
            #"{"type":"tock","symbol":"A","timestamp":1,"price":2,"volume":3}"#,
            #"{"type":"tick","symbol":"A","timestamp":1,"prize":2,"volume":3}"#,
            #"{"type":"tick","symbol":"A","timestamp":1,"price":2,"volume":3,"side":"buy"}"#,
            #"{"type":"tick","symbol":"A\n","timestamp":1,"price":2,"volume":3}"#,
            #"{"type":"tick","symbol":"A","timestamp":1,"price":true,"volume":3}"#,
            #"{"type":"tick","symbol":"A","timestamp":1,"price":02,"volume":3}"#,
            #"{"type":"tick","symbol":"A","timestamp":1,"price":2,"volume":3} "#,
        ] {
            #expect(!reading.hasLayout(of: other), "\(other)")
        }
    }

    @Test("space before values is not taken for the values, nor for the type")
    func spaces() throws {
        var reading = Reading(try ProviderExamples.configuration("guide"), wanted: ["A"])
        let tick = #"{"type": "tick", "symbol":  "A", "timestamp": 1732130000, "price": 2, "volume": 3}"#
        let first = reading.story(of: Array(tick.utf8))
        #expect(reading.hasLayout(of: tick) && reading.story(of: Array(tick.utf8)) == first)
        #expect(!reading.hasLayout(of: tick.replacing("tick", with: "news")))
        #expect(reading.reader.counts.otherSymbols == 0)
    }

    @Test("messages beside others, with several rows, of other meanings or with escapes have no layout")
    func unsuitable() throws {
        let row = #"{"T":"t","S":"BTC/USD","p":"1","s":"2","t":"2024-11-20T19:13:20Z","i":"a"}"#
        for message in [
            "[\(row),\(row)]", #"[\#(row),{"T":"x"}]"#, #"[{"T":"subscription"},\#(row)]"#,
            #"[{"T":"b","S":"B","o":"1","h":"1","l":"1","c":"1","v":"1","t":"2024-11-20T19:13:00Z"}]"#,
            row.replacing("\"a\"", with: #""\u0061""#), row.replacing("\"S\"", with: #""\u0053""#),
        ] {
            var reading = Reading(try ProviderExamples.configuration("texts"))
            let fresh = reading.story(of: Array(message.utf8))
            #expect(!reading.hasLayout(of: message) && reading.story(of: Array(message.utf8)) == fresh, "\(message)")
        }
        var rows = Reading(try ProviderExamples.configuration("rows"))
        let two = #"[0,[["1","2","3","s"],["4","5","6","b"]],"trade","XBT/USD"]"#
        _ = rows.story(of: Array(two.utf8))
        #expect(!rows.hasLayout(of: two))
    }

    @Test("four layouts are known, and an older one makes room for what comes often")
    func replaced() throws {
        var reading = Reading(try ProviderExamples.configuration("guide"))
        func message(_ more: Int) -> String {
            #"{"type":"tick","key\#(more)":0,"symbol":"A","timestamp":1,"price":2,"volume":3}"#
        }
        for more in 0..<5 { _ = reading.story(of: Array(message(more).utf8)) }
        #expect((0..<5).map { reading.hasLayout(of: message($0)) } == [true, true, true, true, false])
        for _ in 0..<100 { _ = reading.story(of: Array(message(4).utf8)) }
        #expect((0..<5).map { reading.hasLayout(of: message($0)) } == [false, true, true, true, true])
    }

    @Test("a session read by layout has the same trades, counts and refusals")
    func session() throws {
        var story = ProviderReaderTests.Story(try ProviderExamples.configuration("guide"), markets: ["A"])
        func send(_ symbol: String, _ price: String) -> VenueMessageKind {
            story.send(#"{"type":"tick","symbol":"\#(symbol)","timestamp":1732130000,"price":\#(price),"volume":1}"#)
        }
        #expect(
            [send("A", "1.50"), send("B", "2"), send("A", "3"), send("A", "\"\""), send("B", "x"), send("A", "4")]
                == [.trades, .trades, .trades, .malformed, .malformed, .trades])
        #expect(story.lines == ["A 1 at 1.50, 1732130000.0", "A 1 at 3, 1732130000.0", "A 1 at 4, 1732130000.0"])
        #expect(story.session.counts.trades == 3 && story.session.counts.malformed == 2)
        #expect(story.session.providerCounts?.otherSymbols == 1)
    }
}
