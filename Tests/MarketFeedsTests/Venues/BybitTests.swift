import Testing

@testable import MarketFeeds

@Suite("Bybit, version 5")
struct BybitTests {
    static func row(_ name: String, side: String = "Buy", more: String = "") -> String {
        #"{"T":1672304486865,"s":"BTCUSDT","S":"\#(side)","v":"0.001","p":"16578.50",\#(more)"i":"\#(name)","BT":false}"#
    }

    static func message(_ rows: [String]) -> String {
        #"{"topic":"publicTrade.BTCUSDT","type":"snapshot","ts":1672304486868,"data":[\#(rows.joined(separator: ","))]}"#
    }

    @Test("names are UUIDs or numbers; repeated they are duplicates")
    func names() {
        let uuid = "20f43950-d8dd-5b31-9112-a178eb6023af"
        let transcript = Transcript(
            .bybit,
            [
                Self.message([
                    Self.row(uuid, more: #""L":"PlusTick","#), Self.row("2290000000061666327", side: "Sell"),
                ]),
                Self.message([Self.row(uuid)]),
            ])
        func trade(_ name: String, _ side: VenueTrade.Side) -> Transcript.Trade {
            .init(
                symbol: "BTCUSDT", name: name, price: "16578.50", volume: "0.001", time: 1_672_304_486.865, side: side)
        }
        #expect(transcript.trades == [trade(uuid, .buy), trade("2290000000061666327", .sell)])
        #expect(transcript.counts.duplicates == 1)
    }

    @Test("keys that differ only by case, in any order")
    func keysByCase() {
        let transcript = Transcript(
            .bybit,
            [
                #"{"data":[{"BT":true,"i":"a","p":"1.50","v":"2","S":"Sell","s":"X","t":9,"T":1000}],"topic":"publicTrade.X"}"#
            ])
        #expect(
            transcript.trades == [.init(symbol: "X", name: "a", price: "1.50", volume: "2", time: 1, side: .sell)])
    }

    @Test("acknowledgements are equal byte by byte, and each is one")
    func doubledAcknowledgements() {
        let answer =
            #"{"success":true,"ret_msg":"subscribe","conn_id":"1764937c-c1f0-4e2b-969d-82fee8151f2c","op":"subscribe"}"#
        let transcript = Transcript(.bybit, [answer, Self.message([Self.row("a")]), answer, answer])
        #expect(transcript.counts.kinds[.acknowledgement] == 3 && transcript.trades.count == 1)
        #expect(transcript.counts.duplicates == 0)
    }

    @Test(
        "everything else has its kind",
        arguments: [
            (
                #"{"topic":"orderbook.1.OPUSDC","ts":1749833472906,"type":"snapshot","data":{"s":"OPUSDC","b":[["0.579","3886.45"]],"a":[],"u":1,"seq":2},"cts":3}"#,
                .book
            ),
            (#"{"success":false,"ret_msg":"error:handler not found","conn_id":"x","op":"subscribe"}"#, .refusal),
            (#"{"success":true,"ret_msg":"pong","conn_id":"x","op":"ping"}"#, .heartbeat),
            (#"{"topic":"publicTrade.X"}"#, .malformed), (#"{"topic":"kline.1.X","data":[]}"#, .candles),
            (#"{"topic":"publicTrade.X","data":[{"s":"X"}]}"#, .malformed), ("{}", .other),
        ] as [(String, VenueMessageKind)])
    func kinds(text: String, kind: VenueMessageKind) {
        #expect(Transcript(.bybit, [text]).kinds == [kind])
    }
}
