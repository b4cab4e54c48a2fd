import Testing

@testable import MarketFeeds

@Suite("Gemini")
struct GeminiTests {
    static func trade(_ id: Int, side: String = "buy", symbol: String = "FILUSD") -> String {
        #"{"type":"trade","symbol":"\#(symbol)","event_id":\#(id),"timestamp":1624493681030,"price":"58.4998","quantity":"15.4053","side":"\#(side)"}"#
    }

    static func snapshot(_ ids: [Int]) -> String {
        #"{"type":"l2_updates","symbol":"FILUSD","changes":[["buy","58.387","56"]],"trades":[\#(ids.map { trade($0) }.joined(separator: ","))],"auction_events":[]}"#
    }

    @Test("a trade")
    func trades() {
        let transcript = Transcript(.gemini, [Self.trade(45_465_842_999), Self.trade(45_465_843_005, side: "sell")])
        func trade(_ name: String, _ side: VenueTrade.Side) -> Transcript.Trade {
            .init(
                symbol: "FILUSD", name: name, price: "58.4998", volume: "15.4053", time: 1_624_493_681.03, side: side)
        }
        #expect(transcript.trades == [trade("45465842999", .buy), trade("45465843005", .sell)])
        #expect(transcript.counts.missing == 0)
    }

    @Test("the first l2_updates has the last trades, newest first; after a reconnect they overlap")
    func firstTrades() {
        let transcript = Transcript(
            .gemini, [Self.snapshot([30, 20, 10]), Self.trade(40), Self.snapshot([50, 40, 30])])
        #expect(transcript.trades.map(\.name) == ["10", "20", "30", "40", "50"])
        #expect(transcript.counts.duplicates == 2 && transcript.kinds == [.trades, .trades, .trades])
    }

    @Test("identical l2 frames are real, each of them: 51 of 655 recorded ones")
    func identicalFrames() {
        let change = #"{"type":"l2_updates","symbol":"BTCGBP","changes":[["sell","24100.5","0"]]}"#
        let transcript = Transcript(.gemini, [change, change, change])
        #expect(transcript.kinds == [.book, .book, .book] && transcript.counts.duplicates == 0)
    }

    @Test(
        "everything else has its kind",
        arguments: [
            (#"{"type":"heartbeat","timestamp":1624493666869}"#, .heartbeat), (#"{"type":"auction"}"#, .other),
            (#"{"result":"error","reason":"InvalidJson"}"#, .refusal), ("{}", .malformed),
            (#"{"type":"trade","symbol":"FILUSD","event_id":1,"timestamp":1,"price":"1"}"#, .malformed),
            (#"{"type":"subscription_ack","subscriptions":[]}"#, .acknowledgement),
        ] as [(String, VenueMessageKind)])
    func kinds(text: String, kind: VenueMessageKind) {
        #expect(Transcript(.gemini, [text]).kinds == [kind])
    }
}
