import MarketModel
import Testing

@testable import MarketFeeds

@Suite("Bitfinex")
struct BitfinexTests {
    static func subscribed(_ number: Int, _ channel: String = "trades", _ symbol: String = "tIOTETH") -> String {
        #"{"event":"subscribed","channel":"\#(channel)","chanId":\#(number),"symbol":"\#(symbol)","pair":"\#(symbol.dropFirst())"}"#
    }

    @Test("the sign of the amount is the side, and exponents are numbers like others")
    func exponents() {
        let transcript = Transcript(
            .bitfinex,
            [
                Self.subscribed(205_046), #"[205046,"te",[670143472,1618677027100,-11.24375978,1.1e-7],1]"#,
                #"[205046,"te",[670143473,1618677027100,2e-8,0.0010290],2]"#,
            ])
        #expect(
            transcript.trades == [
                .init(
                    symbol: "tIOTETH", name: "670143472", price: "1.1e-7", volume: "11.24375978",
                    time: 1_618_677_027.1, side: .sell),
                .init(
                    symbol: "tIOTETH", name: "670143473", price: "0.0010290", volume: "2e-8", time: 1_618_677_027.1,
                    side: .buy),
            ])
        #expect(transcript.ticks[0] == Tick(timestamp: 1_618_677_027.1, price: 1.1e-7, volume: 11.24375978))
        #expect(transcript.session.priceDecimals == [8])
    }

    @Test("a snapshot is newest first; te and tu report the same trade")
    func snapshot() {
        let transcript = Transcript(
            .bitfinex,
            [
                Self.subscribed(7), "[7,[[30,3000,1,5],[20,2000,-1,5],[10,1000,1,5]],1]",
                #"[7,"te",[40,4000,1,5],2]"#, #"[7,"tu",[40,4000,1,5],3]"#,
            ])
        #expect(transcript.trades.map(\.name) == ["10", "20", "30", "40"])
        #expect(transcript.trades.map(\.side) == [.buy, .sell, .buy, .buy])
        #expect(transcript.counts.duplicates == 1 && transcript.counts.missing == 0)
    }

    @Test("a channel's number means what its subscription said, until it ends; then its data are lost, and counted")
    func channels() {
        let transcript = Transcript(
            .bitfinex,
            [
                #"[7,"te",[1,1000,1,5]]"#, Self.subscribed(7), #"[7,"te",[1,1000,1,5]]"#,
                Self.subscribed(8, "book"), "[8,[60400,1,0.68826974],5]", #"[8,"cs",-1234]"#,
                Self.subscribed(9, "ticker"), "[9,[1,2,3,4,5,6,7,8,9,10]]", #"[7,"hb"]"#,
                #"{"event":"unsubscribed","status":"OK","chanId":7}"#, #"[7,"te",[2,1000,1,5]]"#,
            ])
        #expect(
            transcript.kinds == [
                .malformed, .acknowledgement, .trades, .acknowledgement, .book, .book, .acknowledgement, .quotes,
                .heartbeat, .acknowledgement, .malformed,
            ])
        #expect(transcript.trades.count == 1 && transcript.counts.flaws[.unknownChannel] == 2)
    }

    @Test("a channel's heartbeat may come before its acknowledgement")
    func heartbeatBeforeAcknowledgement() {
        let transcript = Transcript(.bitfinex, [#"[7,"hb",139]"#, Self.subscribed(7), #"[7,"te",[1,1000,1,5],140]"#])
        #expect(transcript.kinds == [.heartbeat, .acknowledgement, .trades])
    }

    @Test(
        "everything else has its kind",
        arguments: [
            (#"{"event":"info","version":2,"serverId":"083bd8d4","platform":{"status":1}}"#, .status),
            (#"{"event":"conf","status":"OK","flags":65536}"#, .acknowledgement), (#"{"event":"pong"}"#, .heartbeat),
            (#"{"event":"error","msg":"symbol: invalid","code":10300}"#, .refusal), ("[]", .malformed),
            (#"[7]"#, .malformed), (#"[-1,"hb"]"#, .malformed), (#"[7,"hb""#, .malformed), ("{}", .other),
        ] as [(String, VenueMessageKind)])
    func kinds(text: String, kind: VenueMessageKind) {
        #expect(Transcript(.bitfinex, [text]).kinds == [kind])
    }
}
