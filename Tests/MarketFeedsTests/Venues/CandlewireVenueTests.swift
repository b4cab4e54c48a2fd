import MarketModel
import StreamCore
import TestKit
import Testing

@testable import MarketFeeds

@Suite("A candlewire server as a venue")
struct CandlewireVenueTests {
    static func transcript(_ messages: [String]) -> Transcript { Transcript(.candlewire, messages) }

    static func tick(_ offset: Int?, _ timeframe: String? = "1m", symbol: String = "BTC-USD", price: String = "67234.5")
        -> String
    {
        #"{"type":"tick","symbol":"\#(symbol)","timestamp":1732130000.123,"price":\#(price),"volume":0.25"#
            + (timeframe.map { #","timeframe":"\#($0)""# } ?? "") + (offset.map { ",\"offset\":\($0)" } ?? "") + "}"
    }

    static func candle(_ offset: Int, _ timeframe: String = "1m") -> String {
        #"{"type":"candle","symbol":"BTC-USD","timestamp":1732129980,"open":1,"high":1,"low":1,"close":1,"volume":1,"#
            + #""timeframe":"\#(timeframe)","final":false,"revision":0,"quality":"complete","offset":\#(offset)}"#
    }

    static func skipped(_ count: Int, _ timeframe: String = "1m") -> String {
        #"{"type":"skipped","symbol":"BTC-USD","timeframe":"\#(timeframe)","count":\#(count)}"#
    }

    @Test("ticks become ticks; candles take offsets; the other timeframes repeat the ticks")
    func ticks() {
        let transcript = Self.transcript([
            Self.tick(7), Self.tick(3, "5m"), Self.candle(8), Self.tick(9, price: "67234.25"), Self.tick(4, "5m"),
            Self.tick(1, "5m", symbol: "ETH-USD"),
        ])
        let session = transcript.session
        func trade(_ symbol: String, _ price: String) -> Transcript.Trade {
            .init(symbol: symbol, name: "", price: price, volume: "0.25", time: 1_732_130_000.123, side: .unknown)
        }
        #expect(
            transcript.trades == [
                trade("BTC-USD", "67234.5"), trade("BTC-USD", "67234.25"), trade("ETH-USD", "67234.5"),
            ])
        #expect(transcript.ticks[1] == Tick(timestamp: 1_732_130_000.123, price: 67_234.25, volume: 0.25))
        #expect(transcript.kinds == [.trades, .trades, .candles, .trades, .trades, .trades])
        #expect(session.counts.trades == 3 && session.counts.missing == 0)
        #expect(session.priceDecimals == [2, 1])
        #expect(session.symbols.names == ["BTC-USD", "ETH-USD"])
    }

    @Test("a repeated offset is a duplicate, a hole is missing, what was skipped is missing once")
    func holes() {
        let session = Self.transcript([
            Self.tick(10), Self.tick(10), Self.tick(9), Self.tick(12), Self.skipped(5), Self.tick(18),
            Self.skipped(3, "5m"), Self.tick(19),
        ]).session
        #expect(session.counts.duplicates == 2)
        #expect(session.counts.missing == 1 + 5)
        #expect(session.counts.trades == 4)
    }

    @Test(
        "numbers made to overflow a counter overflow nothing",
        arguments: [9_007_199_254_740_992, 1 << 30, (1 << 30) - 1])
    func hostileCounts(count: Int) {
        let skips = Array(repeating: Self.skipped(count), count: 3000)
        let session = Self.transcript([Self.tick(1)] + skips + [Self.tick(2)]).session
        #expect(session.counts.messages == 3002 && session.counts.malformed == 0)
        #expect(session.counts.missing == (count < 1 << 30 ? 3000 * count : 0))
    }

    @Test("offsets that go to and fro between the ends overflow nothing")
    func hostileOffsets() {
        let back = #"{"type":"snapshot","symbol":"BTC-USD","timeframe":"1m","epoch":"e","offset":-9007199254740992}"#
        let lap = [back, Self.tick(9_007_199_254_740_992), back, Self.candle(9_007_199_254_740_992)]
        let session = Self.transcript([Self.tick(1)] + Array(repeating: lap, count: 1000).joined()).session
        #expect(session.counts.missing == .max)
    }

    @Test("no line that is nearly a message stops the reader", arguments: 1...20)
    func random(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let templates = [
            Self.tick(7), Self.candle(8), Self.skipped(5),
            #"{"type":"snapshot","symbol":"BTC-USD","timeframe":"1m","candles":[],"epoch":"b","offset":3}"#,
            #"{"type":"subscribed","symbol":"BTC-USD","timeframe":"1m","epoch":"x","offset":1,"recovered":false}"#,
        ].map { Array($0.utf8) }
        let numbers = ["9007199254740992", "-9007199254740992", "1e300", "-1", "0", "1073741823", "4294967296", "0.5"]
        var session = VenueSession(venue: .candlewire)
        for _ in 0..<3000 {
            var bytes = templates.randomElement(using: &generator)!
            for _ in 0..<Int.random(in: 0...2, using: &generator) {
                let at = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes.remove(at: at)
                case 1: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: at)
                case 2: bytes[at] = UInt8.random(in: 0...255, using: &generator)
                default:
                    // A number of the message becomes one from the ends of the range.
                    guard let colon = bytes[at...].firstIndex(of: UInt8(ascii: ":")) else { break }
                    let end = bytes[(colon + 1)...].firstIndex { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "}") }
                    bytes.replaceSubrange(
                        colon + 1..<(end ?? bytes.count), with: numbers.randomElement(using: &generator)!.utf8)
                }
            }
            bytes.withUnsafeBytes { _ = session.read($0) }
        }
        #expect(session.counts.messages == 3000 && session.counts.trades > 0 && session.counts.missing >= 0)
        #expect(session.counts.malformed > 100 && session.counts.malformed < 2900)
    }

    @Test("a snapshot stands for what was before it, also where a new epoch counts from the beginning")
    func snapshot() {
        let transcript = Self.transcript([
            Self.tick(500),
            #"{"type":"snapshot","symbol":"BTC-USD","timeframe":"1m","candles":[],"epoch":"b","offset":3}"#,
            Self.tick(4),
        ])
        #expect(transcript.trades.count == 2 && transcript.kinds[1] == .status)
        #expect(transcript.counts.missing == 0 && transcript.counts.duplicates == 0)
    }

    @Test("a server that sends no offsets can be read, too")
    func plain() {
        let session = Self.transcript([Self.tick(nil, nil), Self.tick(nil, nil), Self.tick(nil, nil)]).session
        #expect(session.counts.trades == 3)
    }

    @Test(
        "what is no usable message costs itself only",
        arguments: [
            #"{"type":"tick","symbol":"A","timestamp":1,"price":"1","volume":1}"#,
            #"{"type":"tick","symbol":"A","timestamp":1,"volume":1}"#, #"{"type":"tick","price":1}"#, "[]", "{}",
            #"{"type":"skipped","symbol":"A"}"#, #"{"type":7}"#,
        ])
    func malformed(message: String) {
        let session = Self.transcript([message, Self.tick(1)]).session
        #expect(session.counts.malformed == 1 && session.counts.trades == 1)
    }

    @Test(
        "recognised by its messages, and not taken for another venue",
        arguments: [
            (Self.tick(1), Venue.candlewire), (Self.candle(2), .candlewire), (Self.tick(nil, nil), .candlewire),
            (
                #"{"type":"subscribed","symbol":"A","timeframe":"1m","epoch":"x","offset":1,"recovered":false}"#,
                .candlewire
            ),
            (#"{"type":"snapshot","product_id":"BTC-USD","bids":[],"asks":[]}"#, .coinbase),
            (#"{"type":"pong","id":1}"#, nil), (#"{"type":"trade","symbol":"BTCUSD","price":"1"}"#, nil),
        ] as [(String, Venue?)])
    func detected(message: String, venue: Venue?) {
        #expect(Array(message.utf8).withUnsafeBytes { Venue.recognise($0) } == venue)
    }
}
