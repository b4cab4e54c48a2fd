import StreamCore
import Testing

@testable import MarketFeeds

@Suite("Bitstamp")
struct BitstampTests {
    static func trade(_ id: Int, type: Int = 0, market: String = "ethusd") -> String {
        #"{"data":{"id":\#(id),"timestamp":"1641343699","amount":0.0792,"amount_str":"0.07920000","price":3805.4,"price_str":"3805.40","type":\#(type),"microtimestamp":"1641343699596001","buy_order_id":1443875737346049,"sell_order_id":1443875731320832},"channel":"live_trades_\#(market)","event":"trade"}"#
    }

    @Test("of a value that comes as a number and as a string, the string is read: it has all digits")
    func strings() {
        let transcript = Transcript(.bitstamp, [Self.trade(216_000_477), Self.trade(216_000_484, type: 1)])
        func trade(_ name: String, _ side: VenueTrade.Side) -> Transcript.Trade {
            .init(
                symbol: "ethusd", name: name, price: "3805.40", volume: "0.07920000", time: 1_641_343_699.596001,
                side: side)
        }
        #expect(transcript.trades == [trade("216000477", .buy), trade("216000484", .sell)])
        // Numbers are of all markets together: a jump says nothing.
        #expect(transcript.counts.missing == 0)
    }

    @Test("keys in any order; the same trade again is a duplicate, the same number of another market is not")
    func repeated() {
        let turned =
            #"{"event":"trade","channel":"live_trades_ethusd","data":{"microtimestamp":"1641343699596001","type":0,"price_str":"3805.40","amount_str":"0.07920000","id":5}}"#
        let transcript = Transcript(
            .bitstamp, [Self.trade(7), turned, Self.trade(7), Self.trade(7, market: "btcusd"), Self.trade(5)])
        #expect(transcript.trades.map(\.name) == ["7", "5", "7"] && transcript.counts.duplicates == 2)
        #expect(transcript.session.symbols.names == ["ethusd", "btcusd"])
    }

    @Test(
        "everything else has its kind",
        arguments: [
            (#"{"event":"bts:subscription_succeeded","channel":"live_trades_ethusd","data":{}}"#, .acknowledgement),
            (#"{"event":"bts:heartbeat","channel":"","data":{"status":"success"}}"#, .heartbeat),
            (
                #"{"event":"bts:error","channel":"","data":{"code":null,"message":"Bad subscription string."}}"#,
                .refusal
            ),
            (#"{"event":"bts:request_reconnect","channel":"","data":""}"#, .status),
            (
                #"{"data":{"timestamp":"1","bids":[],"asks":[]},"channel":"diff_order_book_ethusd","event":"data"}"#,
                .book
            ),
            (#"{"event":"trade","channel":"live_orders_ethusd","data":{"id":1}}"#, .malformed), ("{}", .malformed),
            (#"{"event":"order_created"}"#, .other),
        ] as [(String, VenueMessageKind)])
    func kinds(text: String, kind: VenueMessageKind) {
        #expect(Transcript(.bitstamp, [text]).kinds == [kind])
    }
}
