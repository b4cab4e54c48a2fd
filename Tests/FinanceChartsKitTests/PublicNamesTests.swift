import FinanceChartsKit
import Foundation
import Testing

/// Users have code against these names; that it compiles is half of the test.
@Suite("The kit's public names")
@MainActor
struct PublicNamesTests {
    @Test("Tick and Candle: seconds and doubles, which take CGFloat, and JSON with these names")
    func values() throws {
        let time: TimeInterval = 1_700_000_000
        let tick = Tick(timestamp: time, price: CGFloat(10), volume: CGFloat(2))
        let candle = Candle(timestamp: time, open: CGFloat(10), high: 12, low: 9, close: 11, volume: 5)
        #expect(candle.isGreen && candle.bodyHigh == 11 && candle.bodyLow == 10)
        #expect(candle.range == 3 && candle.bodyHeight == 1)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(
            String(decoding: try encoder.encode(tick), as: UTF8.self)
                == #"{"price":10,"timestamp":1700000000,"volume":2}"#)
        let json = #"{"close":11,"high":12,"low":9,"open":10,"timestamp":1700000000,"volume":5}"#
        #expect(String(decoding: try encoder.encode(candle), as: UTF8.self) == json)
        #expect(try JSONDecoder().decode(Candle.self, from: Data(json.utf8)) == candle)
        #expect(try JSONDecoder().decode(Tick.self, from: encoder.encode(tick)) == tick)
    }

    @Test("timeframes by their raw values")
    func timeframes() throws {
        let names = "1s 5s 15s 1m 3m 5m 15m 30m 1h 2h 4h 6h 12h 1d 1w 1M"
        #expect(Timeframe.allCases.map(\.rawValue).joined(separator: " ") == names)
        let some: [Timeframe] = [.s1, .m1, .h1, .d1, .w1, .mo1]
        #expect(some.map(\.seconds).prefix(5) == [1, 60, 3600, 86_400, 604_800])
        #expect(Timeframe.m1.next == .m3 && Timeframe.m1.previous == .s15 && !Timeframe.m1.displayName.isEmpty)
        #expect(try JSONDecoder().decode([Timeframe].self, from: Data(#"["1M"]"#.utf8)) == [.mo1])
    }

    @Test("OHLCBuilder: updated, appended, reset, seed, lastUpdateTime")
    func builder() throws {
        var builder = OHLCBuilder(timeframe: .m1)
        builder.seed(with: .at(60, 10))
        var result: BuildResult = builder.ingest(Tick(timestamp: 70, price: 11, volume: 1))
        #expect(result.updated?.high == 11 && result.appended == nil)
        result = builder.ingest(Tick(timestamp: 140, price: 12, volume: 1))
        #expect(result.appended?.timestamp == 60 && result.updated?.timestamp == 120)
        #expect(builder.lastUpdateTime == 140)
        builder.reset()
        #expect(builder.lastUpdateTime == nil)
    }

    @Test("ChartController has every call, and results may be left alone")
    func controller() throws {
        let controller = ChartController()
        controller.symbol = "X"
        controller.timeframe = .m1
        controller.overlays = [.ema20, .ema50, .sma20, .sma50, .bollinger20]
        controller.indicators = [.rsi14, .macd, .stochastic]
        controller.setData([.at(60), .at(120)])
        controller.updateLast(.at(180))
        controller.append(.at(120, 11))
        #expect(controller.lastPrice == 10 && controller.totalCandleCount == 3)
        controller.trimOldData(keepingLast: 2)
        controller.setConnectionStatus(true)
        controller.setZoom(2)
        controller.setZoom(CGFloat(2))
        controller.pan(byBars: -1)
        controller.setCrosshair(x: 100)
        controller.setCrosshair(x: nil)
        #expect(controller.snapshot() != nil)
        controller.resetZoomAndPan()
        controller.toggleOverlay(.ema20)
        controller.toggleIndicator(.macd)
        controller.setTheme(.light)
        controller.cycleTimeframeUp()
        controller.cycleTimeframeDown()
        #expect(controller.timeframe == .m1)
        let results: [PlaceResult] = [.applied, .merged, .rejected(.malformed)]
        #expect(results.count == 3)
    }
}
