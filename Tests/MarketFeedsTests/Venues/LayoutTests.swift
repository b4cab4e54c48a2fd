import StreamCore
import TestKit
import Testing

@testable import MarketFeeds

/// A layout is a second way to read what the parser reads anyway: it may only be faster.
@Suite("Layouts")
struct LayoutTests {
    static let messages: [Venue: [String]] = [
        .binance: [
            #"{"stream":"btcusdt@trade","data":{"e":"trade","E":1723161255343,"s":"BTCUSDT","t":3735683259,"p":"61837.63000000","q":"0.02000000","T":1723161255342,"m":true,"M":true}}"#,
            #"{"e":"trade","E":1723161255343,"s":"BTCUSDT","t":35,"p":"0.5","q":"12","T":1,"m":false,"M":true}"#,
        ],
        .coinbase: [CoinbaseTests.match(1), CoinbaseTests.match(1_568_268, side: "buy", sequence: 201_390_075)],
        .kraken: [
            KrakenTests.update([KrakenTests.trade]),
            KrakenTests.update([KrakenTests.trade, KrakenTests.row(7)], type: "snapshot"),
        ],
        .coinbaseAdvanced: [
            CoinbaseAdvancedTests.message([CoinbaseAdvancedTests.row(7)]),
            CoinbaseAdvancedTests.message([CoinbaseAdvancedTests.row(8), CoinbaseAdvancedTests.row(7, side: "BUY")]),
        ],
        .krakenArrays: [KrakenArrayTests.trades],
        .bitstamp: [BitstampTests.trade(216_000_477), BitstampTests.trade(7, type: 1)],
        .gemini: [GeminiTests.trade(45_465_842_999), GeminiTests.trade(7, side: "sell")],
        .bybit: [
            BybitTests.message([BybitTests.row("20f43950-d8dd-5b31-9112-a178eb6023af", more: #""L":"PlusTick","#)]),
            BybitTests.message([BybitTests.row("1"), BybitTests.row("2", side: "Sell")]),
        ],
        .okx: [
            OKXTests.message([OKXTests.row(7, more: #","count":"1","source":"0","seqId":5"#)]),
            OKXTests.message([OKXTests.row(8, side: "sell"), OKXTests.row(9)], channel: "trades-all"),
        ],
        .bitfinex: [
            #"[7,"te",[670143472,1618677027100,-11.24375978,1.1e-7],1]"#, #"[7,"tu",[40,4000,1.5,60000]]"#,
        ],
        .intrinio: [
            IntrinioTests.quote("last", "GE", "28.97"), IntrinioTests.quote("last", "BRK.B", "412", size: "1"),
        ],
    ]

    private static let channels = {
        var channels = NumberedChannels()
        channels.open(7, .init(kind: .trades, slot: 0))
        return channels
    }()

    private static var parsers: [Venue: any VenueParser.Type] {
        [
            .binance: BinanceParser.self, .coinbase: CoinbaseParser.self,
            .coinbaseAdvanced: CoinbaseAdvancedParser.self,
            .kraken: KrakenParser.self, .krakenArrays: KrakenArrayParser.self, .bitstamp: BitstampParser.self,
            .gemini: GeminiParser.self, .bybit: BybitParser.self, .okx: OKXParser.self,
            .intrinio: IntrinioParser.self,
        ]
    }

    private static func byLayout(_ venue: Venue, _ bytes: UnsafeRawBufferPointer) -> [VenueTrade] {
        guard let parser = parsers[venue] else {
            return BitfinexParser.tradeByLayout(bytes, channels).map { [$0] } ?? []
        }
        var batch = VenueBatch()
        #expect(parser.parseLayout(bytes, into: &batch) != batch.trades.isEmpty)
        return batch.trades
    }

    private static func byKeys(_ venue: Venue, _ bytes: UnsafeRawBufferPointer) -> [VenueTrade] {
        var batch = VenueBatch()
        do {
            if let parser = parsers[venue] {
                _ = try parser.parseAnyLayout(bytes, into: &batch)
            } else {
                var (channels, ledger) = (Self.channels, TradeLedger(numbering: .unique))
                _ = try BitfinexParser.parseAnyLayout(bytes, into: &batch, &channels, &ledger)
            }
        } catch {
            return []
        }
        return batch.trades
    }

    private static func describe(_ trade: VenueTrade, _ bytes: UnsafeRawBufferPointer) -> String {
        let texts = [trade.symbol, trade.name, trade.price, trade.volume].map { $0.read(in: bytes).string }
        return "\(texts) \(trade.tick) \(trade.id) \(trade.side) \(trade.priceDecimals)"
    }

    @Test("reading by layout never changes a result", arguments: Array(messages.keys), 1...10)
    func agree(venue: Venue, seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let base = Self.messages[venue]!.map { Array($0.utf8) }
        let odd = Array("\"\\{},:.0123456789eE-tsTpq \u{1}".utf8)
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
            bytes.withUnsafeBytes { bytes in
                let fast = Self.byLayout(venue, bytes)
                guard !fast.isEmpty else { return }
                layouts += 1
                let slow = Self.byKeys(venue, bytes)
                #expect(
                    fast.map { Self.describe($0, bytes) } == slow.map { Self.describe($0, bytes) },
                    "\(String(decoding: bytes, as: UTF8.self))")
            }
        }
        #expect(layouts > 250)
    }
}
