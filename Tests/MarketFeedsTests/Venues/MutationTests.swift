import StreamCore
import TestKit
import Testing

@testable import MarketFeeds

/// Frames that are damaged: nothing crashes, and each loss is counted with its reason.
@Suite("Damaged messages")
struct MutationTests {
    /// Messages of each venue, written by hand after recorded ones.
    static let written: [Venue: [String]] = LayoutTests.messages.merging([
        .bitfinex: [
            BitfinexTests.subscribed(7), #"[7,"te",[40,4000,-1.5,1.1e-7],2]"#,
            "[7,[[30,3000,1,5],[20,2000,-1,5],[10,1000,1,5]],1]", #"[7,"hb"]"#,
        ],
        .candlewire: [CandlewireVenueTests.tick(7), CandlewireVenueTests.candle(8), CandlewireVenueTests.skipped(5)],
        .provider: [
            CandlewireVenueTests.tick(7), ProviderExamples.messages("guide")[1], ProviderExamples.messages("guide")[2],
        ],
        .binance: [
            LayoutTests.messages[.binance]![0], BinanceTests.kline(1_617_566_580_000, isClosed: true),
            #"{"stream":"a@bookTicker","data":{"u":5,"s":"A","b":"6.1","B":"3.7","a":"6.2","A":"1.5"}}"#,
        ],
        .kraken: [
            KrakenTests.update([KrakenTests.trade, KrakenTests.row(7)]), KrakenTests.ohlc(35, close: 77500),
            #"{"channel":"status","type":"update","data":[{"connection_id":16763580994566763544}]}"#,
        ],
        .intrinio: [
            IntrinioTests.quote("last", "AAPL", "189.25", size: "100"), IntrinioTests.quote("ask", "GE", "28.97"),
            #"{"topic":"fxcm:pair:EUR/USD","event":"price_update","payload":{"code":"EUR/USD","bid_price":1.13685,"#
                + #""ask_price":null,"time":"2018-12-18 22:38:06.964Z"},"ref":null}"#,
            IntrinioTests.reply("iex:securities:AAPL", ref: "\"1\"", #"{"status":"ok","response":{}}"#),
        ],
        .okx: [
            OKXTests.message([OKXTests.row(7), OKXTests.row(8)]), OKXTests.ticker,
            OKXTests.candle("candle1m", closed: "1"),
        ],
        .gemini: [GeminiTests.trade(7), GeminiTests.snapshot([9, 8, 7])],
        .coinbase: [CoinbaseTests.match(7), CoinbaseTests.ticker(8), CoinbaseTests.match(9, type: "last_match")],
    ]) { $1 }

    static func frames(_ venue: Venue) -> [[UInt8]] {
        guard venue == .intrinioEquities else { return (written[venue] ?? []).map { Array($0.utf8) } }
        let items = IntrinioEquitiesTests.session
        return [[UInt8(items.count)] + items.flatMap { $0 }] + items.map { [1] + $0 }
    }

    /// Damages `bytes` in one to three places.
    static func damage(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
        let numbers = [
            "9007199254740993", "-1", "1e300", "-1e-300", "1e999", "18446744073709551615", "99999999999999999999999",
            "0.5", "null", "\"\"", "[]", "{}", "00", "-",
        ]
        for _ in 0..<Int.random(in: 1...3, using: &generator) where !bytes.isEmpty {
            let at = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: bytes.remove(at: at)
            case 1: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: at)
            case 2: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 3: bytes.removeSubrange(at...)
            case 4: bytes.insert(contentsOf: bytes[at...].prefix(40), at: at)
            default:
                // A value becomes one from the ends of the range.
                let ends = Array(",}]".utf8)
                guard let start = bytes[at...].firstIndex(where: { $0 == 0x3A || $0 == 0x5B || $0 == 0x2C }) else {
                    break
                }
                let end = bytes[(start + 1)...].firstIndex { ends.contains($0) } ?? bytes.count
                bytes.replaceSubrange(start + 1..<end, with: numbers.randomElement(using: &generator)!.utf8)
            }
        }
    }

    /// Feeds damaged messages among good ones.
    static func check(_ venue: Venue, _ frames: [[UInt8]], seed: UInt64, rounds: Int) {
        var generator = SeededGenerator(seed: seed)
        var session = VenueSession(venue: venue)
        for _ in 0..<rounds {
            var bytes = frames.randomElement(using: &generator)!
            if Int.random(in: 0..<5, using: &generator) > 0 { damage(&bytes, &generator) }
            bytes.withUnsafeBytes { bytes in
                let before = session.counts
                let kind = session.read(bytes)
                // What is in hand can be read, and belongs to a market.
                for trade in session.trades {
                    precondition(session.symbols.names.indices.contains(trade.market))
                    _ = trade.price.read(in: bytes).string + trade.name.read(in: bytes).string
                }
                #expect(session.trades.count == session.counts.trades - before.trades)
                #expect(session.counts.kinds[kind] == before.kinds[kind] + 1)
                if kind == .malformed { #expect(session.trades.isEmpty && session.quotes.isEmpty) }
            }
        }
        let counts = session.counts
        #expect(counts.messages == rounds)
        #expect(VenueMessageKind.allCases.reduce(0) { $0 + counts.kinds[$1] } == rounds)
        #expect(VenueFlaw.allCases.reduce(0) { $0 + counts.flaws[$1] } == counts.malformed)
        #expect(counts.malformed > rounds / 4 && counts.malformed < rounds)
        #expect(counts.flaws[venue == .intrinioEquities ? .badLength : .notJSON] > 0 && counts.missing >= 0)
    }

    @Test("nothing crashes, and each loss has a reason", arguments: Venue.allCases, 1...5)
    func writtenMessages(venue: Venue, seed: Int) {
        Self.check(venue, Self.frames(venue), seed: UInt64(seed), rounds: 1000)
    }

    @Test("a message that ends early is malformed wherever it ends", arguments: Venue.allCases)
    func everyEnd(venue: Venue) {
        for message in Self.frames(venue) {
            for length in 0..<message.count {
                var transcript = Transcript(venue)
                #expect(transcript.send(Array(message[..<length])) == .malformed)
            }
        }
    }
}
