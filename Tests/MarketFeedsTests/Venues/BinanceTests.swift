import MarketModel
import Testing

@testable import MarketFeeds

@Suite("Binance")
struct BinanceTests {
    @Test(
        "a trade, combined and raw, spot and futures, whatever the order of its keys",
        arguments: [
            #"{"stream":"btcusdt@trade","data":{"e":"trade","E":1723161255343,"s":"BTCUSDT","t":3735683259,"p":"61837.63000000","q":"0.02000000","T":1723161255342,"m":true,"M":true}}"#,
            #"{"e":"trade","E":1723161255343,"s":"BTCUSDT","t":3735683259,"p":"61837.63000000","q":"0.02000000","T":1723161255342,"m":true,"M":true}"#,
            #"{"data":{"m":true,"T":1723161255342,"q":"0.02000000","p":"61837.63000000","t":3735683259,"X":"MARKET","s":"BTCUSDT","e":"trade"},"stream":"x"}"#,
        ])
    func trade(text: String) {
        let transcript = Transcript(.binance, [text])
        #expect(
            transcript.trades == [
                .init(
                    symbol: "BTCUSDT", name: "3735683259", price: "61837.63000000", volume: "0.02000000",
                    time: 1_723_161_255.342, side: .sell)
            ])
        #expect(transcript.ticks == [Tick(timestamp: 1_723_161_255.342, price: 61837.63, volume: 0.02)])
        #expect(transcript.session.priceDecimals == [2] && transcript.kinds == [.trades])
    }

    @Test("an aggregate has its own number, and the taker bought where the buyer did not wait")
    func aggregate() {
        let transcript = Transcript(
            .binance,
            [
                #"{"stream":"btcusdt@aggTrade","data":{"e":"aggTrade","E":1617566591315,"s":"BTCUSDT","a":665076760,"p":"58001.03000000","q":"0.08620500","f":745522877,"l":745522879,"T":1617566591314,"m":false,"M":true}}"#
            ])
        #expect(transcript.trades.map(\.name) == ["665076760"] && transcript.trades.map(\.side) == [.buy])
    }

    @Test(
        "trades and aggregates report the same trades: the kind of a market's first message counts, the other does not")
    func oneStream() {
        func message(_ type: String, _ id: Int, _ symbol: String = "A") -> String {
            let key = type == "trade" ? "t" : "a"
            return #"{"e":"\#(type)","s":"\#(symbol)","\#(key)":\#(id),"p":"1.5","q":"2","T":1000}"#
        }
        let transcript = Transcript(
            .binance,
            [
                message("trade", 5), message("aggTrade", 1), message("trade", 6), message("aggTrade", 1, "B"),
                message("trade", 9, "B"),
            ])
        #expect(transcript.trades.map(\.symbol) == ["A", "A", "B"])
        #expect(transcript.trades.map(\.name) == ["5", "6", "1"])
        #expect(transcript.counts.duplicates == 0 && transcript.counts.missing == 0)
    }

    @Test("keys that differ only by case are different keys")
    func keysByCase() {
        // Of each pair the wrong one comes last: E, S, P, Q, t as a string, and M.
        let transcript = Transcript(
            .binance,
            [
                #"{"e":"trade","E":2,"s":"A","S":"Z","t":7,"p":"1.5","P":"9","q":"2","Q":"9","T":1000,"m":false,"M":true}"#
            ])
        #expect(
            transcript.trades == [.init(symbol: "A", name: "7", price: "1.5", volume: "2", time: 1, side: .buy)])
    }

    static func kline(_ start: Int, isClosed: Bool) -> String {
        #"{"stream":"btcusdt@kline_1m","data":{"e":"kline","E":1617566640068,"s":"BTCUSDT","k":{"t":\#(start),"T":\#(start + 59_999),"s":"BTCUSDT","i":"1m","f":745522651,"L":745523670,"o":"57994.60000000","c":"57999.99000000","h":"58018.03000000","l":"57974.41000000","v":"23.06712200","n":1020,"x":\#(isClosed),"q":"1337913.58654308","V":"11.41334700","Q":"661954.86510045","B":"0"}}}"#
    }

    @Test("a kline counts once it is closed, and is no trade")
    func klines() {
        let transcript = Transcript(
            .binance, [Self.kline(1_617_566_580_000, isClosed: false), Self.kline(1_617_566_580_000, isClosed: true)])
        #expect(transcript.kinds == [.candles, .candles] && transcript.trades.isEmpty)
        #expect(
            transcript.candles == [
                VenueCandle(
                    symbol: "BTCUSDT", seconds: 60,
                    candle: Candle(
                        timestamp: 1_617_566_580, open: 57994.6, high: 58018.03, low: 57974.41, close: 57999.99,
                        volume: 23.067122), trades: 1020, lastTrade: 745_523_670)
            ])
    }

    @Test("a bookTicker has neither type nor time on the spot market, and both of futures")
    func quotes() {
        let transcript = Transcript(
            .binance,
            [
                #"{"stream":"btcusdt@bookTicker","data":{"e":"bookTicker","u":5,"s":"BTCUSDT","b":"61837.63000000","B":"3.78","a":"61837.64000000","A":"1.54","T":1723161255342,"E":1723161255343}}"#,
                #"{"stream":"btcusdt@bookTicker","data":{"u":50093239212,"s":"BTCUSDT","b":"61837.63000000","B":"3.78826000","a":"61837.64000000","A":"1.54698000"}}"#,
            ])
        #expect(transcript.kinds == [.quotes, .quotes])
        #expect(transcript.quotes.map(\.timestamp) == [1_723_161_255.342, nil])
        #expect(transcript.quotes.allSatisfy { $0.bid == 61837.63 && $0.ask == 61837.64 })
    }

    @Test("a 24 h ticker is a quote with the day's figures, whatever the sign of the change")
    func day() {
        let transcript = Transcript(
            .binance,
            [
                #"{"stream":"bnbbtc@ticker","data":{"e":"24hrTicker","E":1672515782136,"s":"BNBBTC","p":"-0.0015","P":"-2.500","w":"0.0018","x":"0.0009","c":"0.0025","Q":"10","b":"0.0024","B":"10","a":"0.0026","A":"100","o":"0.0010","h":"0.0027","l":"0.0009","v":"10000","q":"18","O":0,"C":86400000,"F":0,"L":18150,"n":18151}}"#
            ])
        #expect(transcript.kinds == [.quotes] && transcript.trades.isEmpty)
        #expect(transcript.quotes.map(\.bid) == [0.0024] && transcript.quotes.map(\.ask) == [0.0026])
        #expect(transcript.quotes.map(\.timestamp) == [1_672_515_782.136])
        #expect(transcript.quotes.map(\.day) == [VenueDay(open: 0.001, high: 0.0027, low: 0.0009, volume: 10_000)])
    }

    @Test(
        "everything else has its kind",
        arguments: [
            (#"{"e":"depthUpdate","E":1,"s":"B","U":157,"u":160,"b":[["0.0024","10"]],"a":[]}"#, .book),
            (#"{"result":null,"id":1}"#, .acknowledgement), (#"{"code":2,"msg":"Invalid request"}"#, .refusal),
            (#"{"error":{"code":3,"msg":"Invalid JSON"},"id":4}"#, .refusal),
            (#"{"e":"serverShutdown","E":1770123456789}"#, .other), (#"{}"#, .other),
            (#"{"e":"trade","s":"A","p":"1.5","q":"2","T":1000}"#, .malformed), ("[1]", .malformed),
        ] as [(String, VenueMessageKind)])
    func kinds(text: String, kind: VenueMessageKind) {
        #expect(Transcript(.binance, [text]).kinds == [kind])
    }
}
