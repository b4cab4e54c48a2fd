import Foundation
import MarketModel
import StreamCore
import Testing

@testable import MarketFeeds

/// The venues' own candles beside those that we make of their trades, as far as the recordings go.
@Suite("Venues' own candles", .enabled(if: SharedData.isPresent, "no ../shared/data"))
struct RecordedCandleTests {
    private static let advanced = "coinbase_advanced-trade_btcusd-ethusd_2026-08-09"

    @Test("Coinbase Advanced Trade's six running candles are each what our trades make of some moment, volume and all")
    func advancedTrade() throws {
        let recording = try SharedRecording.recording(Self.advanced)
        var reader = VenueSession(venue: .coinbaseAdvanced)
        var reported: [VenueCandle] = []
        var closed: [String: Candle] = [:]
        var ours: [String: Candle] = [:]
        var builders: [String: OHLCBuilder] = [:]
        /// All that our running candle of five minutes ever was.
        var moments: [String: [Candle]] = [:]
        for index in 0..<recording.messageCount {
            recording.withMessage(index) { _ = reader.read($0) }
            for candle in reader.candles where candle.candle.timestamp == 1_786_309_200 {
                closed[candle.symbol] = candle.candle
            }
            reported += reader.openCandles
            for trade in reader.trades {
                let symbol = reader.symbols.names[trade.market]
                let result = builders[symbol, default: OHLCBuilder(timeframe: .m5)].ingest(trade.tick)
                if let done = result.appended { ours[symbol] = done }
                if let candle = result.updated, candle.timestamp == 1_786_309_500 {
                    moments[symbol, default: []].append(candle)
                }
            }
        }
        #expect(
            reported.count == 6 && reported.allSatisfy { $0.seconds == 300 && $0.candle.timestamp == 1_786_309_500 })
        #expect(Set(moments.keys) == ["BTC-USD", "ETH-USD"])
        // Of the candle before, our trades have only the end.
        for symbol in moments.keys {
            #expect(ours[symbol]?.timestamp == 1_786_309_200 && ours[symbol]?.close == closed[symbol]?.close)
        }
        for candle in reported {
            let same = try #require(moments[candle.symbol]).filter { ours in
                let (a, b) = (ours, candle.candle)
                return a.open == b.open && a.high == b.high && a.low == b.low && a.close == b.close
                    && (a.volume - b.volume).magnitude <= CandleComparison.tolerance * b.volume
            }
            #expect(same.count == 1, "\(candle)")
        }
    }

    @Test(
        "Kraken's closed candles equal ours: 273 of 274 minutes with trades, and the first begins before our trades do")
    func kraken() throws {
        let adapter = try #require(HistoryCatalogue.adapter(for: .kraken))
        let theirs = try adapter.candles(from: try Self.unpacked("ohlcv/kraken_rest_ohlc_xbtusdt.json.gz"))
        let body = Data(try Self.unpacked("ticks/kraken_rest_trades_xbtusdt.json.gz"))
        let answer = try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
        let rows = try #require((answer["result"] as? [String: Any])?.values.lazy.compactMap { $0 as? [[Any]] }.first)
        var ours: [(candle: Candle, quality: CandleQuality)] = []
        var builder = OHLCBuilder(timeframe: .m1)
        for row in rows {
            let price = try #require((row[0] as? String).flatMap(Double.init))
            let volume = try #require((row[1] as? String).flatMap(Double.init))
            let time = try #require(row[2] as? Double)
            let result = builder.ingest(Tick(timestamp: time, price: price, volume: volume))
            #expect(result.rejection == nil)
            if let done = result.appended { ours.append((done, ours.isEmpty ? .partial : .complete)) }
        }
        ours.append((try #require(builder.forming), .complete))
        let (first, last) = (ours[0].candle.timestamp, ours[ours.count - 1].candle.timestamp)
        let comparison = CandleComparison(
            ours: ours, theirs: theirs.filter { (first...last).contains($0.candle.timestamp) })
        #expect(rows.count == 1000 && comparison.buckets == 411 && comparison.equal == 273)
        #expect(comparison.fillers == 137, "minutes without trades are rows of Kraken's, and none of ours")
        #expect(comparison.differences.map(\.reason) == [.partial])
        #expect(comparison.differences.map(\.timestamp) == [first])
    }

    @Test("no recording of Kraken's streams holds its ohlc channel: its messages are tested as they are documented")
    func noOHLC() throws {
        for session in SharedRecording.all where session.venue == .kraken || session.venue == .krakenArrays {
            let recording = try SharedRecording.recording(session.name)
            #expect(
                !recording.lines.contains { $0.contains("\"ohlc") }, "\(session.name): compare its candles with ours")
        }
    }

    private static func unpacked(_ name: String) throws -> [UInt8] {
        let packed = try Data(contentsOf: URL(fileURLWithPath: "\(SharedData.folder)/\(name)"))
        var body: [UInt8] = []
        try GunzipStream().unpack(Array(packed)) { body += $0 }
        return body
    }
}

/// Messages of Kraken's ohlc channel as its documentation has them.
@Suite("Kraken's ohlc channel")
struct KrakenCandleTests {
    /// The documented update, for other minutes and closes.
    private static func update(_ minute: Int, close: Double, interval: Int = 1, type: String = "update") -> String {
        #"{"channel":"ohlc","type":"\#(type)","timestamp":"2026-09-10T17:35:52.114514810Z","data":["#
            + row(minute, close: close, interval: interval) + "]}"
    }

    private static func row(_ minute: Int, close: Double, interval: Int = 1) -> String {
        #"{"symbol":"BTC/USDT","open":77499.9,"high":77509.2,"low":77467.5,"close":\#(close),"trades":15,"#
            + #""volume":0.58051276,"vwap":77482.2,"interval_begin":"2026-09-10T17:\#(minute):00.000000000Z","#
            + #""interval":\#(interval),"timestamp":"2026-09-10T17:36:00.000000Z"}"#
    }

    @Test("the documented update is a running candle: open, high, low, close, volume, trades, and its start")
    func documented() {
        let transcript = Transcript(.kraken, [Self.update(35, close: 77509.2)])
        #expect(transcript.kinds == [.candles] && transcript.candles.isEmpty)
        #expect(
            transcript.session.openCandles == [
                VenueCandle(
                    symbol: "BTC/USDT", seconds: 60,
                    candle: Candle(
                        timestamp: 1_789_061_700, open: 77499.9, high: 77509.2, low: 77467.5, close: 77509.2,
                        volume: 0.58051276), trades: 15)
            ])
    }

    @Test("of a snapshot all but the newest are closed; intervals are closed each by its own")
    func snapshot() {
        let rows = [30, 31, 33].map { Self.row($0, close: 77500) }.joined(separator: ",")
        var transcript = Transcript(
            .kraken, [#"{"channel":"ohlc","type":"snapshot","data":[\#(rows)]}"#])
        #expect(transcript.candles.map(\.candle.timestamp) == [1_789_061_400, 1_789_061_460])
        transcript.send(Self.update(35, close: 77501, interval: 5))
        #expect(transcript.candles.count == 2)
        transcript.send(Self.update(34, close: 77502))
        #expect(transcript.candles.map(\.candle.timestamp).last == 1_789_061_580 && transcript.candles.count == 3)
    }

    @Test("the arrays of version 1 are candles, too, and report no trade")
    func arrays() {
        let message =
            #"[42,["1542057314.748456","1542057360.435743","3586.70000","3586.70000","3586.60000","3586.60000","#
            + #""3586.68894","0.03373000",2],"ohlc-5","XBT/USD"]"#
        let transcript = Transcript(.krakenArrays, [message])
        #expect(transcript.kinds == [.candles] && transcript.trades.isEmpty)
    }
}
