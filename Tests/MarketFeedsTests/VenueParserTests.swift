import MarketModel
import StreamCore
import TestKit
import Testing

@testable import MarketFeeds

@Suite("Venue messages")
struct VenueParserTests {
    static func trade(_ text: String, _ parse: (UnsafeRawBufferPointer) throws -> VenueMessage) throws -> (
        symbol: String, tick: Tick, id: Int, decimals: Int
    )? {
        try Array(text.utf8).withUnsafeBytes { bytes in
            guard case .trade(let trade) = try parse(bytes) else { return nil }
            return (trade.symbol.string, trade.tick, trade.id, trade.priceDecimals)
        }
    }

    @Test(
        "a Binance trade, combined and raw, spot and futures",
        arguments: [
            #"{"stream":"btcusdt@trade","data":{"e":"trade","E":1723161255343,"s":"BTCUSDT","t":3735683259,"p":"61837.63000000","q":"0.02000000","T":1723161255342,"m":true,"M":true}}"#,
            #"{"e":"trade","E":1723161255343,"s":"BTCUSDT","t":3735683259,"p":"61837.63","q":"0.02","T":1723161255342,"m":true,"M":true}"#,
            #"{"data":{"M":true,"T":1723161255342,"q":"0.020","p":"61837.630","t":3735683259,"X":"MARKET","s":"BTCUSDT","e":"trade"},"stream":"x"}"#,
        ])
    func binanceTrade(text: String) throws {
        let trade = try Self.trade(text, BinanceParser.parse)
        #expect(trade?.symbol == "BTCUSDT")
        #expect(trade?.tick == Tick(timestamp: 1723161255.342, price: 61837.63, volume: 0.02))
        #expect(trade?.id == 3_735_683_259)
        #expect(trade?.decimals == 2)
    }

    @Test("reading by layout never changes a result", arguments: 1...20)
    func layoutAgrees(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let base = [
            #"{"stream":"btcusdt@trade","data":{"e":"trade","E":1723161255343,"s":"BTCUSDT","t":3735683259,"p":"61837.63000000","q":"0.02000000","T":1723161255342,"m":true,"M":true}}"#,
            #"{"e":"trade","E":1723161255343,"s":"BTCUSDT","t":35,"p":"0.5","q":"12","T":1,"m":false,"M":true}"#,
        ].map { Array($0.utf8) }
        let odd = Array("\"\\{},:.0123456789eE-tsTpq \u{1}".utf8)
        var layouts = 0
        for _ in 0..<2000 {
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
                guard let fast = BinanceTradeLayout.parse(bytes) else { return }
                layouts += 1
                guard case .trade(let slow)? = try? BinanceParser.parseAnyLayout(bytes) else {
                    Issue.record("only the layout takes \(String(decoding: bytes, as: UTF8.self))")
                    return
                }
                #expect(fast.symbol.string == slow.symbol.string)
                #expect(fast.tick == slow.tick)
                #expect(fast.id == slow.id)
                #expect(fast.priceDecimals == slow.priceDecimals)
            }
        }
        #expect(layouts > 500)
    }

    @Test(
        "a Binance aggregate carries its own id; other messages are none of ours",
        arguments: [
            (
                #"{"stream":"btcusdt@aggTrade","data":{"e":"aggTrade","E":1617566591315,"s":"BTCUSDT","a":665076760,"p":"58001.03000000","q":"0.08620500","f":745522877,"l":745522877,"T":1617566591314,"m":true,"M":true}}"#,
                665_076_760
            ),
            (
                #"{"stream":"btcusdt@bookTicker","data":{"u":50093239212,"s":"BTCUSDT","b":"61837.63","B":"3.7","a":"61837.64","A":"1.5"}}"#,
                nil
            ),
            (
                #"{"e":"depthUpdate","E":1672515782136,"s":"BNBBTC","U":157,"u":160,"b":[["0.0024","10"]],"a":[["0.0026","100"]]}"#,
                nil
            ),
            (#"{"result":null,"id":1}"#, nil),
            (#"{"e":"kline","E":1,"s":"X","k":{"t":1,"T":2,"s":"X","i":"1m","q":"3"}}"#, nil),
        ])
    func binanceOthers(text: String, id: Int?) throws {
        #expect(try Self.trade(text, BinanceParser.parse)?.id == id)
    }

    @Test(
        "a Coinbase match is a trade; last_match and tickers are not",
        arguments: [
            (
                #"{"type":"match","trade_id":1568268,"side":"sell","size":"450","price":"0.791","product_id":"SKL-USD","sequence":1,"time":"2021-04-17T16:43:37.121358Z"}"#,
                true
            ),
            (
                #"{"time":"2021-04-17T18:43:37.121358+02:00","product_id":"SKL-USD","price":"0.7910","size":"450.0","trade_id":1568268,"type":"match"}"#,
                true
            ),
            (
                #"{"type":"last_match","trade_id":1568268,"size":"450","price":"0.791","product_id":"SKL-USD","time":"2021-04-17T16:43:37.121358Z"}"#,
                false
            ),
            (
                #"{"type":"ticker","product_id":"YFI-BTC","price":"0.82601","time":"2021-04-17T16:43:15.270101Z","trade_id":889760}"#,
                false
            ),
            (#"{"type":"subscriptions","channels":[{"name":"ticker","product_ids":["BTC-USD"]}]}"#, false),
        ])
    func coinbase(text: String, isTrade: Bool) throws {
        let trade = try Self.trade(text, CoinbaseParser.parse)
        #expect((trade != nil) == isTrade)
        guard let trade else { return }
        #expect(trade.symbol == "SKL-USD")
        #expect(trade.tick == Tick(timestamp: 1618677817.121358, price: 0.791, volume: 450))
        #expect(trade.decimals == 3)
    }

    @Test(
        "a trade that lacks something says what",
        arguments: [
            (#"{"type":"match","trade_id":1,"size":"1","product_id":"A","time":"2021-04-17T16:43:37Z"}"#, "price"),
            (#"{"type":"match","trade_id":1,"price":"1","size":"1","product_id":"A"}"#, "time"),
        ])
    func missing(text: String, field: String) {
        #expect {
            try Self.trade(text, CoinbaseParser.parse)
        } throws: {
            if case .missingField(let name) = $0 as? VenueParseError { return name.description == field }
            return false
        }
    }

    @Test(
        "the venue is recognised by its messages",
        arguments: [
            (#"{"type":"subscriptions","channels":[]}"#, Venue.coinbase), (#"{"stream":"a","data":{}}"#, .binance),
            (#"{"e":"aggTrade","s":"A"}"#, .binance),
            (#"{"type":"l2update","product_id":"A","changes":[]}"#, .coinbase),
            (#"{"channel":"market_trades","events":[]}"#, nil), (#"[1,[["1","2"]],"trade"]"#, nil), ("garbage", nil),
        ])
    func recognises(text: String, venue: Venue?) {
        #expect(Array(text.utf8).withUnsafeBytes { Venue.recognise($0) } == venue)
    }

    @Test("a session drops duplicates, counts gaps and malformed messages, and goes on")
    func session() {
        var session = VenueSession(venue: .binance)
        func send(_ id: Int, symbol: String = "A", type: String = "trade") -> VenueSession.Event {
            let key = type == "trade" ? "t" : "a"
            let text = #"{"e":"\#(type)","s":"\#(symbol)","\#(key)":\#(id),"p":"1.5","q":"2","T":1000}"#
            return Array(text.utf8).withUnsafeBytes { session.receive($0) }
        }
        let tick = Tick(timestamp: 1, price: 1.5, volume: 2)
        #expect(send(5) == .tick(market: 0, tick, isNew: true))
        #expect(send(6) == .tick(market: 0, tick, isNew: false))
        #expect(send(6) == .duplicate)
        #expect(send(5) == .duplicate)
        #expect(send(9) == .tick(market: 0, tick, isNew: false))
        // The same trades told a second way would count twice.
        #expect(send(1, type: "aggTrade") == .ignored)
        #expect(send(1, symbol: "B", type: "aggTrade") == .tick(market: 1, tick, isNew: true))
        #expect(Array("{\"e\":".utf8).withUnsafeBytes { session.receive($0) } == .malformed)
        #expect(session.counts.duplicates == 2)
        #expect(session.counts.missing == 2)
        #expect(session.counts.malformed == 1)
        #expect(session.counts.trades == 4)
    }
}
