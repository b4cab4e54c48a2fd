import Testing

@testable import MarketFeeds

@Suite("Kraken, version 1")
struct KrakenArrayTests {
    static let trades =
        #"[993,[["354.04000000","0.28245396","1618678150.826417","s","m",""],["353.81000000","1.71754604","1618678150.827816","b","l",""]],"trade","XMR/USD"]"#

    @Test("trades end with an empty string, and have no numbers: each counts")
    func manyTrades() {
        let transcript = Transcript(.krakenArrays, [Self.trades, Self.trades])
        func trade(_ price: String, _ volume: String, _ time: Double, _ side: VenueTrade.Side) -> Transcript.Trade {
            .init(symbol: "XMR/USD", name: "", price: price, volume: volume, time: time, side: side)
        }
        #expect(
            transcript.lastTrades == [
                trade("354.04000000", "0.28245396", 1_618_678_150.826417, .sell),
                trade("353.81000000", "1.71754604", 1_618_678_150.827816, .buy),
            ])
        #expect(transcript.trades.count == 4 && transcript.counts.duplicates == 0)
    }

    @Test("spaces and further elements do not matter")
    func anyLayout() {
        let transcript = Transcript(
            .krakenArrays, [#"[ 993, [ ["1.5", "2", "1.25", "s", "l", "", "more"] ], "trade", "XMR\/USD" ]"#])
        #expect(
            transcript.trades == [
                .init(symbol: "XMR/USD", name: "", price: "1.5", volume: "2", time: 1.25, side: .sell)
            ])
    }

    @Test(
        "a connection's number above Int64, and a book of five elements",
        arguments: [
            (
                #"{"connectionID":18239578009413566319,"event":"systemStatus","status":"online","version":"1.8.3"}"#,
                .status
            ),
            (
                #"[1664,{"a":[["1.0","2.0","1618678150.8"]]},{"b":[["0.9","2.0","1618678150.8"]],"c":"1"},"book-1000","WAVES/EUR"]"#,
                .book
            ),
            (#"[1664,{"as":[],"bs":[]},"book-1000","WAVES/EUR"]"#, .book),
            (#"[1668,{"a":["8.7","1","1.0"],"c":["8.7","1"]},"ticker","WAVES/EUR"]"#, .quotes),
            (#"{"event":"heartbeat"}"#, .heartbeat),
            (
                #"{"channelID":993,"channelName":"trade","event":"subscriptionStatus","pair":"XMR/USD","status":"subscribed","subscription":{"name":"trade"}}"#,
                .acknowledgement
            ),
            (
                #"{"errorMessage":"Currency pair not supported","event":"subscriptionStatus","status":"error"}"#,
                .refusal
            ),
            (#"[993,[["354.04000000","0.28245396"]],"trade","XMR/USD"]"#, .malformed), ("[]", .malformed),
            (#"[993,"trade","XMR/USD"]"#, .malformed), ("7", .malformed),
        ] as [(String, VenueMessageKind)])
    func kinds(text: String, kind: VenueMessageKind) {
        #expect(Transcript(.krakenArrays, [text]).kinds == [kind])
    }
}
