import MarketModel
import Testing

@testable import MarketFeeds

@Suite("OKX, version 5")
struct OKXTests {
    static func row(_ id: Int, side: String = "buy", symbol: String = "BTC-USDT", more: String = "") -> String {
        #"{"instId":"\#(symbol)","tradeId":"\#(id)","px":"42219.90","sz":"0.12060306","side":"\#(side)","#
            + #""ts":"1630048897897"\#(more)}"#
    }

    static func message(_ rows: [String], channel: String = "trades") -> String {
        #"{"arg":{"channel":"\#(channel)","instId":"BTC-USDT"},"data":[\#(rows.joined(separator: ","))]}"#
    }

    static let ticker =
        #"{"arg":{"channel":"tickers","instId":"BTC-USDT"},"data":[{"instType":"SPOT","instId":"BTC-USDT","last":"9.9","#
        + #""lastSz":"0.1","askPx":"10.5","askSz":"11","bidPx":"8.5","bidSz":"5","open24h":"9","high24h":"11","#
        + #""low24h":"8","volCcy24h":"2222","vol24h":"33","sodUtc0":"1","sodUtc8":"1","ts":"1597026383085"}]}"#

    static func candle(_ channel: String, closed: String) -> String {
        #"{"arg":{"channel":"\#(channel)","instId":"BTC-USDT"},"data":[["1597026360000","8533.02","8553.74","8527.17","#
            + #""8548.26","45.5","529.5858061","529.5858061","\#(closed)"]]}"#
    }

    @Test("trades of both channels, one or many; sent again they are duplicates")
    func trades() {
        let transcript = Transcript(
            .okx,
            [
                Self.message([Self.row(130_639_474, more: #","count":"3","source":"0","seqId":1234"#)]),
                Self.message([Self.row(130_639_480, side: "sell"), Self.row(130_639_474)], channel: "trades-all"),
            ])
        func trade(_ name: String, _ side: VenueTrade.Side) -> Transcript.Trade {
            .init(
                symbol: "BTC-USDT", name: name, price: "42219.90", volume: "0.12060306", time: 1_630_048_897.897,
                side: side)
        }
        #expect(transcript.trades == [trade("130639474", .buy), trade("130639480", .sell)])
        #expect(transcript.counts.duplicates == 1 && transcript.counts.missing == 0)
    }

    @Test("members in any order")
    func order() {
        let transcript = Transcript(
            .okx,
            [
                #"{"data":[{"ts":"1000","side":"sell","sz":"2","px":"1.50","tradeId":"7","instId":"X-Y"}],"arg":{"instId":"X-Y","channel":"trades"}}"#
            ])
        #expect(
            transcript.trades == [.init(symbol: "X-Y", name: "7", price: "1.50", volume: "2", time: 1, side: .sell)])
    }

    @Test("a ticker has the best prices and the day; without a bid it says nothing")
    func quotes() {
        let transcript = Transcript(
            .okx,
            [Self.message([Self.row(1)]), Self.ticker, Self.ticker.replacing(#""bidPx":"8.5""#, with: #""bidPx":"""#)])
        #expect(transcript.quotes.count == 1)
        let quote = transcript.quotes.first
        #expect(quote?.bid == 8.5 && quote?.ask == 10.5 && quote?.timestamp == 1_597_026_383.085)
        #expect(quote?.day == VenueDay(open: 9, high: 11, low: 8, volume: 33))
    }

    @Test("a candle says whether it is closed; lengths that nothing here has are left out")
    func candles() {
        let transcript = Transcript(
            .okx,
            [
                Self.candle("candle1m", closed: "0"), Self.candle("candle1m", closed: "1"),
                Self.candle("candle1Dutc", closed: "1"), Self.candle("candle1s", closed: "1"),
            ])
        let candle = Candle(
            timestamp: 1_597_026_360, open: 8533.02, high: 8553.74, low: 8527.17, close: 8548.26, volume: 45.5)
        #expect(transcript.candles.map(\.seconds) == [60, 86_400])
        #expect(transcript.candles.allSatisfy { $0.candle == candle && $0.symbol == "BTC-USDT" })
        #expect(transcript.counts.kinds[.candles] == 4)
    }

    @Test(
        "everything else has its kind",
        arguments: [
            ("pong", .heartbeat),
            (
                #"{"event":"subscribe","arg":{"channel":"trades","instId":"BTC-USDT"},"connId":"a4d3ae55"}"#,
                .acknowledgement
            ),
            (#"{"event":"error","code":"60012","msg":"Invalid request","connId":"a4d3ae55"}"#, .refusal),
            (
                #"{"event":"notice","code":"64008","msg":"The connection will soon be closed","connId":"a4d3ae55"}"#,
                .status
            ),
            (#"{"arg":{"channel":"books","instId":"X-Y"},"action":"snapshot","data":[{"asks":[],"bids":[]}]}"#, .book),
            (#"{"arg":{"channel":"trades","instId":"X-Y"}}"#, .malformed),
            (#"{"arg":{"channel":"trades","instId":"X-Y"},"data":[{"instId":"X-Y"}]}"#, .malformed),
            (#"{"arg":{"channel":"candle1m","instId":"X-Y"},"data":[["1"]]}"#, .malformed), ("{}", .other),
            ("ping", .malformed),
        ] as [(String, VenueMessageKind)])
    func kinds(text: String, kind: VenueMessageKind) {
        #expect(Transcript(.okx, [text]).kinds == [kind])
    }

    @Test(
        "the venue is recognised by its messages, and not taken for Bitget",
        arguments: [
            (Self.message([Self.row(1)]), .okx), (Self.ticker, .okx),
            (#"{"event":"subscribe","arg":{"channel":"trades","instId":"X-Y"},"connId":"a4d3ae55"}"#, .okx),
            (#"{"action":"snapshot","arg":{"instType":"sp","channel":"trade","instId":"X"},"data":[]}"#, nil),
            ("pong", nil),
        ] as [(String, Venue?)])
    func recognised(text: String, venue: Venue?) {
        #expect(Array(text.utf8).withUnsafeBytes { Venue.recognise($0) } == venue)
    }

    private func answers(_ text: String, _ kind: VenueMessageKind, _ adapter: OKXAdapter = .trades) -> [FeedAnswer] {
        Array(text.utf8).withUnsafeBytes { adapter.answers(to: $0, kind) }
    }

    @Test("requests name each channel, and answers are about the one whose trades count")
    func requests() {
        #expect(
            OKXAdapter.trades.request(.subscribe, ["BTC-USDT", "ETH-USDT"], number: 3)
                == #"{"id":"3","op":"subscribe","args":[{"channel":"trades","instId":"BTC-USDT"},"#
                + #"{"channel":"trades","instId":"ETH-USDT"}]}"#)
        #expect(
            OKXAdapter.everyTrade.request(.unsubscribe, extra: "candle1m", ["BTC-USDT"], number: 4)
                == #"{"id":"4","op":"unsubscribe","args":[{"channel":"candle1m","instId":"BTC-USDT"}]}"#)
        func granted(_ channel: String, _ event: String = "subscribe") -> String {
            #"{"event":"\#(event)","arg":{"channel":"\#(channel)","instId":"BTC-USDT"},"connId":"a"}"#
        }
        #expect(answers(granted("trades"), .acknowledgement) == [.subscribed(["BTC-USDT"])])
        #expect(answers(granted("trades", "unsubscribe"), .acknowledgement) == [.ended(["BTC-USDT"])])
        #expect(answers(granted("tickers"), .acknowledgement).isEmpty)
        #expect(answers(granted("trades-all"), .acknowledgement, .everyTrade) == [.subscribed(["BTC-USDT"])])
        let unknown = "Wrong URL or channel:trades,instId:NO-NE doesn't exist."
        #expect(
            answers(#"{"id":"3","event":"error","code":"60018","msg":"\#(unknown)","connId":"a"}"#, .refusal)
                == [.refused(request: 3, symbols: ["NO-NE"], reason: "\(unknown) (code 60018)")])
        #expect(
            answers(#"{"event":"notice","code":"64008","msg":"Please reconnect.","connId":"a"}"#, .status)
                == [.goingAway("Please reconnect.")])
    }

    @Test("history leaves out neither end, and reads newest first, the running candle and refusals")
    func history() throws {
        let history = OKXHistory()
        #expect(
            history.request(symbol: "BTC-USDT", timeframe: .d1, from: 1_723_075_200, to: 1_723_161_600)
                == "/api/v5/market/history-candles?instId=BTC-USDT&bar=1Dutc&limit=100&before=1723075199999"
                + "&after=1723161600000")
        let body =
            #"{"code":"0","msg":"","data":[["1597026420000","2","3","1","2","5","5","10","0"],"#
            + #"["1597026360000","1","2","1","2","4","4","8","1"]]}"#
        let candles = try history.candles(from: Array(body.utf8))
        #expect(candles.map(\.candle.timestamp) == [1_597_026_420, 1_597_026_360])
        #expect(candles.map(\.isRunning) == [true, false])
        let list =
            #"{"code":"0","data":[{"instId":"BTC-USDT","baseCcy":"BTC","quoteCcy":"USDT","tickSz":"0.10","state":"live"}]}"#
        #expect(
            try history.symbols(from: Array(list.utf8))
                == [VenueSymbol(symbol: "BTC-USDT", base: "BTC", quote: "USDT", precision: 1, status: "live")])
        #expect {
            try history.candles(from: Array(#"{"code":"51001","msg":"Instrument ID does not exist","data":[]}"#.utf8))
        } throws: {
            let error = $0 as? HistoryError
            return error?.kind == .refused && error?.description == "okx says “Instrument ID does not exist” (51001)."
        }
    }
}
