import MarketModel
import Testing

@testable import MarketFeeds

@Suite("Kraken, version 2")
struct KrakenTests {
    static let trade =
        #"{"symbol":"BTC/USD","side":"sell","price":84095.70,"qty":0.00275720,"ord_type":"limit","trade_id":109183886,"timestamp":"2026-09-26T18:09:13.157776Z"}"#

    static func update(_ rows: [String], type: String = "update") -> String {
        #"{"channel":"trade","type":"\#(type)","data":[\#(rows.joined(separator: ","))]}"#
    }

    static func row(_ id: UInt64, time: String = "2026-09-26T18:09:13.157776Z", side: String = "buy") -> String {
        #"{"symbol":"ETH/USD","side":"\#(side)","price":2689.1,"qty":1,"ord_type":"market","trade_id":\#(id),"timestamp":"\#(time)"}"#
    }

    @Test("numbers keep their digits, trailing zeros too, as a checksum needs them")
    func digits() {
        let transcript = Transcript(.kraken, [Self.update([Self.trade])])
        #expect(
            transcript.trades == [
                .init(
                    symbol: "BTC/USD", name: "109183886", price: "84095.70", volume: "0.00275720",
                    time: 1_790_446_153.157776, side: .sell)
            ])
        #expect(transcript.session.priceDecimals == [1])
    }

    @Test("a message with many trades, oldest first, also where the keys come in another order")
    func batch() {
        let turned =
            #"{"data":[{"timestamp":"2026-09-26T18:09:13.157776Z","trade_id":3,"qty":8.32e-6,"price":1e2,"side":"sell","symbol":"ETH/USD"}],"type":"update","channel":"trade"}"#
        let transcript = Transcript(
            .kraken, [Self.update([Self.row(1), Self.row(2, side: "sell")], type: "snapshot"), turned])
        #expect(transcript.trades.map(\.name) == ["1", "2", "3"])
        #expect(transcript.trades.map(\.side) == [.buy, .sell, .sell])
        #expect(transcript.ticks[2].price == 100 && transcript.ticks[2].volume == 8.32e-6)
        #expect(transcript.trades[2].volume == "8.32e-6")
    }

    @Test("equal times are normal: 26 of 102 recorded trades have them")
    func equalTimes() {
        let transcript = Transcript(.kraken, [Self.update([Self.row(1), Self.row(2)]), Self.update([Self.row(3)])])
        #expect(transcript.trades.count == 3 && Set(transcript.trades.map(\.time)).count == 1)
    }

    @Test("a snapshot after a reconnect repeats what was reported; what was missed in between is reported, too")
    func overlap() {
        let transcript = Transcript(
            .kraken, [Self.update([Self.row(5)]), Self.update((4...8).map { Self.row($0) }, type: "snapshot")])
        #expect(transcript.trades.map(\.name) == ["5", "4", "6", "7", "8"])
        #expect(transcript.counts.duplicates == 1 && transcript.counts.missing == 0)
    }

    @Test("numbers above Int64, of connections and of trades")
    func largeNumbers() {
        let status =
            #"{"channel":"status","type":"update","data":[{"version":"2.0.10","system":"online","api_version":"v2","connection_id":16763580994566763544}]}"#
        let transcript = Transcript(
            .kraken,
            [status, Self.update([Self.row(.max - 1)]), Self.update([Self.row(.max)]), Self.update([Self.row(.max)])])
        #expect(transcript.kinds == [.status, .trades, .trades, .trades])
        #expect(transcript.trades.map(\.name) == ["18446744073709551614", "18446744073709551615"])
        #expect(transcript.counts.duplicates == 1 && transcript.counts.missing == 0)
        // One more than fits is refused, and nothing else is lost.
        let beyond = Self.update([Self.row(1)]).replacing("\"trade_id\":1", with: "\"trade_id\":18446744073709551616")
        let refused = Transcript(.kraken, [beyond, Self.update([Self.row(7)])])
        #expect(refused.counts.flaws[.badValue] == 1 && refused.trades.count == 1)
    }

    @Test("heartbeats come after a refused subscription too: they prove nothing about data")
    func refusedSubscription() {
        let transcript = Transcript(
            .kraken,
            [
                #"{"error":"Currency pair not supported XBT/USDT","method":"subscribe","success":false,"symbol":"XBT/USDT","time_in":"2026-09-10T17:44:44.609516Z","time_out":"2026-09-10T17:44:44.609555Z"}"#,
                #"{"channel":"heartbeat"}"#, #"{"channel":"heartbeat"}"#,
            ])
        #expect(transcript.kinds == [.refusal, .heartbeat, .heartbeat] && transcript.trades.isEmpty)
    }

    @Test("each symbol is acknowledged by itself")
    func acknowledgements() {
        func answer(_ symbol: String) -> String {
            #"{"method":"subscribe","result":{"channel":"trade","snapshot":true,"symbol":"\#(symbol)"},"success":true,"time_in":"2026-09-26T18:09:11.775238Z","time_out":"2026-09-26T18:09:11.775279Z"}"#
        }
        let transcript = Transcript(
            .kraken,
            [
                answer("BTC/USD"), Self.update([Self.trade]), answer("ETH/USD"),
                #"{"method":"pong","req_id":101,"time_in":"2023-09-24T14:10:23.799685Z"}"#,
                #"{"Error":"Exceeded msg rate"}"#,
            ])
        #expect(transcript.kinds == [.acknowledgement, .trades, .acknowledgement, .heartbeat, .refusal])
    }

    static func ohlc(_ minute: Int, close: Double) -> String {
        #"{"channel":"ohlc","type":"update","timestamp":"2026-09-10T17:35:52.114514810Z","data":[{"symbol":"BTC/USDT","open":77499.9,"high":77509.2,"low":77467.5,"close":\#(close),"trades":15,"volume":0.58051276,"vwap":77482.2,"interval_begin":"2026-09-10T17:\#(minute):00.000000000Z","interval":1,"timestamp":"2026-09-10T17:36:00.000000Z"}]}"#
    }

    @Test("a candle is closed by a later one, for none says that it is; minutes without trades are absent")
    func candles() {
        let transcript = Transcript(
            .kraken,
            [
                Self.ohlc(35, close: 77500), Self.ohlc(35, close: 77501), Self.ohlc(37, close: 77502),
                Self.ohlc(37, close: 77503),
            ])
        #expect(transcript.kinds == Array(repeating: .candles, count: 4))
        #expect(
            transcript.candles == [
                VenueCandle(
                    symbol: "BTC/USDT", seconds: 60,
                    candle: Candle(
                        timestamp: 1_789_061_700, open: 77499.9, high: 77509.2, low: 77467.5, close: 77501,
                        volume: 0.58051276), trades: 15)
            ])
    }

    @Test("a ticker is a quote")
    func ticker() {
        let transcript = Transcript(
            .kraken,
            [
                #"{"channel":"ticker","type":"snapshot","data":[{"symbol":"BTC/USD","bid":105944.20,"bid_qty":2.5,"ask":105944.30,"ask_qty":3.2,"last":105899.40,"volume":163.28908096,"vwap":105904.39279,"low":104711.00,"high":106613.10,"change":250.00,"change_pct":0.24,"timestamp":"2022-12-25T09:30:59.123456Z"}]}"#
            ])
        #expect(transcript.quotes.map(\.bid) == [105944.2] && transcript.quotes.map(\.ask) == [105944.3])
        #expect(transcript.quotes.map(\.timestamp) == [1_671_960_659.123456])
        #expect(
            transcript.quotes.map(\.day)
                == [VenueDay(open: 105_649.4, high: 106_613.1, low: 104_711, volume: 163.28908096)])
    }

    @Test("one bad trade costs its whole message, and nothing of it counts")
    func wholeMessages() {
        let bad = Self.row(2).replacing("2689.1", with: "\"2689.1")
        let transcript = Transcript(
            .kraken, [Self.update([Self.row(1), bad]), Self.update([Self.row(1), Self.row(2)])])
        #expect(transcript.kinds == [.malformed, .trades] && transcript.trades.map(\.name) == ["1", "2"])
        #expect(transcript.counts.missing == 0 && transcript.counts.duplicates == 0)
    }

    @Test(
        "everything else has its kind",
        arguments: [
            (
                #"{"channel":"book","type":"update","data":[{"symbol":"BTC/USD","bids":[],"asks":[{"price":64525.3,"qty":0.00000000}],"checksum":2175437505}]}"#,
                .book
            ),
            (#"{"channel":"instrument","type":"snapshot","data":{}}"#, .other), (#"{"channel":"trade"}"#, .malformed),
            ("{}", .other),
        ] as [(String, VenueMessageKind)])
    func kinds(text: String, kind: VenueMessageKind) {
        #expect(Transcript(.kraken, [text]).kinds == [kind])
    }
}
