import MarketModel
import Testing

@testable import MarketFeeds

@Suite("Coinbase Advanced Trade")
struct CoinbaseAdvancedTests {
    static func row(_ id: Int, side: String = "SELL") -> String {
        #"{"product_id":"BTC-USD","trade_id":"\#(id)","price":"65083.67","size":"0.002186","time":"2026-08-09T21:05:38.50436Z","side":"\#(side)"}"#
    }

    static func message(_ rows: [String], type: String = "update") -> String {
        #"{"channel":"market_trades","timestamp":"2026-08-09T21:05:48.228568804Z","sequence_num":0,"events":[{"type":"\#(type)","trades":[\#(rows.joined(separator: ","))]}]}"#
    }

    @Test("batches and snapshots come newest first, and are reported in the order of the trades")
    func newestFirst() {
        let transcript = Transcript(
            .coinbaseAdvanced,
            [
                Self.message([Self.row(3), Self.row(2), Self.row(1)], type: "snapshot"),
                Self.message([Self.row(5, side: "BUY"), Self.row(4)]),
            ])
        #expect(transcript.trades.map(\.name) == ["1", "2", "3", "4", "5"])
        #expect(transcript.counts.missing == 0)
        // The side is that of the order that waited.
        #expect(transcript.trades.map(\.side) == [.buy, .buy, .buy, .buy, .sell])
        #expect(
            transcript.trades[0]
                == .init(
                    symbol: "BTC-USD", name: "1", price: "65083.67", volume: "0.002186", time: 1_786_309_538.50436,
                    side: .buy))
    }

    @Test("a snapshot after a reconnect repeats what was reported")
    func overlap() {
        let transcript = Transcript(
            .coinbaseAdvanced,
            [Self.message([Self.row(2)]), Self.message([Self.row(4), Self.row(3), Self.row(2)], type: "snapshot")])
        #expect(transcript.trades.map(\.name) == ["2", "3", "4"] && transcript.counts.duplicates == 1)
    }

    @Test("several events of one message, in any order of keys")
    func events() {
        let other =
            #"{"side":"BUY","time":"2026-08-09T21:05:38Z","size":"1","price":"2","trade_id":"9","product_id":"ETH-USD"}"#
        let transcript = Transcript(
            .coinbaseAdvanced,
            [
                #"{"events":[{"trades":[\#(other)],"type":"update"},{"type":"update","trades":[\#(Self.row(1))]}],"channel":"market_trades"}"#
            ])
        #expect(Set(transcript.trades.map(\.symbol)) == ["BTC-USD", "ETH-USD"])
    }

    @Test("candles of five minutes: of a snapshot all but the newest are closed, and that one by the next")
    func candles() {
        func candle(_ start: Int) -> String {
            #"{"start":"\#(start)","high":"1916.6","low":"1915.91","open":"1916.11","close":"1916.02","volume":"13.9044026","product_id":"ETH-USD"}"#
        }
        func message(_ starts: [Int]) -> String {
            #"{"channel":"candles","sequence_num":3,"events":[{"type":"snapshot","candles":[\#(starts.map(candle).joined(separator: ","))]}]}"#
        }
        for starts in [[300, 600, 900], [900, 600, 300]] {
            var transcript = Transcript(.coinbaseAdvanced, [message(starts)])
            #expect(transcript.candles.map(\.candle.timestamp).sorted() == [300, 600])
            transcript.send(message([900]))
            transcript.send(message([1200]))
            #expect(transcript.candles.map(\.candle.timestamp).sorted() == [300, 600, 900])
            #expect(transcript.candles.allSatisfy { $0.seconds == 300 && $0.candle.volume == 13.9044026 })
        }
    }

    @Test("a frame of five megabytes is one message like others")
    func largeFrame() {
        let level =
            #"{"side":"bid","event_time":"1970-01-01T00:00:00Z","price_level":"65083.66","new_quantity":"0.20371215"}"#
        let book = Array(repeating: level, count: 50_000).joined(separator: ",")
        let frame = #"{"channel":"l2_data","events":[{"type":"snapshot","product_id":"BTC-USD","updates":[\#(book)]}]}"#
        #expect(frame.utf8.count > 5_000_000)
        let transcript = Transcript(.coinbaseAdvanced, [frame, Self.message([Self.row(1)])])
        #expect(transcript.kinds == [.book, .trades])
    }

    @Test(
        "everything else has its kind",
        arguments: [
            (
                #"{"channel":"subscriptions","sequence_num":2,"events":[{"subscriptions":{"market_trades":["BTC-USD"]}}]}"#,
                .acknowledgement
            ),
            (
                #"{"channel":"heartbeats","events":[{"current_time":"2026-08-09 21:05:48","heartbeat_counter":41691}]}"#,
                .heartbeat
            ),
            (#"{"channel":"ticker","events":[]}"#, .quotes), (#"{"type":"error","message":"no"}"#, .refusal),
            (#"{"channel":"market_trades"}"#, .malformed), ("{}", .malformed), (#"{"channel":"status"}"#, .status),
            (#"{"channel":"market_trades","events":[{"trades":[{"product_id":"A"}]}]}"#, .malformed),
        ] as [(String, VenueMessageKind)])
    func kinds(text: String, kind: VenueMessageKind) {
        #expect(Transcript(.coinbaseAdvanced, [text]).kinds == [kind])
    }
}
