import MarketModel
import TestKit
import Testing

@Suite("CandleSeries")
struct CandleSeriesTests {
    static func candle(_ timestamp: Double, close: Double = 10) -> Candle {
        Candle(timestamp: timestamp, open: 10, high: max(10, close), low: min(10, close), close: close, volume: 1)
    }

    @Test("candles are placed by timestamp: appended, merged, inserted")
    func places() {
        var series = CandleSeries()
        #expect(series.place(Self.candle(60)) == .applied)
        #expect(series.place(Self.candle(180)) == .applied)
        #expect(series.place(Self.candle(180, close: 12)) == .merged)
        #expect(series.place(Self.candle(120)) == .applied)
        #expect(series.place(Self.candle(60, close: 9)) == .merged)
        #expect(series.candles.map(\.timestamp) == [60, 120, 180])
        #expect(series.candles.map(\.close) == [9, 10, 12])
    }

    @Test(
        "malformed candles are rejected and change nothing",
        arguments: [
            Candle(timestamp: 0, open: 1, high: 1, low: 1, close: 1, volume: 1),
            Candle(timestamp: 60, open: 1, high: 0.5, low: 1, close: 1, volume: 1),
            Candle(timestamp: 60, open: 1, high: 2, low: 0, close: 1, volume: 1),
            Candle(timestamp: 60, open: 3, high: 2, low: 1, close: 1, volume: 1),
            Candle(timestamp: 60, open: 1, high: 2, low: 1, close: 1, volume: -1),
            Candle(timestamp: .nan, open: 1, high: 2, low: 1, close: 1, volume: 1),
            Candle(timestamp: 60, open: 1, high: .infinity, low: 1, close: 1, volume: 1),
        ])
    func rejects(candle: Candle) {
        var series = CandleSeries()
        #expect(series.place(candle) == .rejected(.malformed))
        #expect(series.isEmpty)
    }

    @Test("beyond the cap the oldest go, and nothing older comes back")
    func caps() {
        var series = CandleSeries(capacity: 3)
        for index in 1...10 { series.place(Self.candle(Double(index) * 60)) }
        #expect(series.candles.map(\.timestamp) == [480, 540, 600])
        #expect(series.place(Self.candle(420)) == .rejected(.olderThanCap))
        #expect(series.place(Self.candle(570)) == .applied)
        #expect(series.candles.map(\.timestamp) == [540, 570, 600])
    }

    @Test("any order of placing gives what sorting and keeping the newest gives", arguments: 1...20)
    func equalsModel(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var series = CandleSeries(capacity: 50)
        var model: [Double: Candle] = [:]
        for step in 0..<600 {
            // Mostly forwards, sometimes back.
            let bucket = Double(max(1, step / 3 + Int.random(in: -40...2, using: &generator))) * 60
            let candle = Self.candle(bucket, close: Double(Int.random(in: 1...20, using: &generator)))
            let isTooOld = model.count == 50 && bucket < model.keys.min()! && model[bucket] == nil
            #expect(
                series.place(candle)
                    == (isTooOld ? .rejected(.olderThanCap) : model[bucket] == nil ? .applied : .merged))
            if !isTooOld {
                model[bucket] = candle
                if model.count > 50 { model[model.keys.min()!] = nil }
            }
            #expect(series.count == model.count)
        }
        #expect(series.candles == model.values.sorted { $0.timestamp < $1.timestamp })
        #expect(series.withColumns { Array($0.timestamps) } == series.candles.map(\.timestamp))
    }

    @Test("a bulk load sorts, drops what is malformed and keeps the newest")
    func replacesAll() {
        var series = CandleSeries(capacity: 3)
        let malformed = series.replaceAll(with: [
            Self.candle(300), Self.candle(60), Self.candle(-5), Self.candle(240), Self.candle(300, close: 15),
            Self.candle(120),
        ])
        #expect(malformed == 1)
        #expect(series.candles.map(\.timestamp) == [120, 240, 300])
        #expect(series.last?.close == 15)
        series.trim(keepingLast: 1)
        #expect(series.candles.map(\.timestamp) == [300])
    }

    @Test("a binary search finds the first bar not before a time")
    func search() {
        var series = CandleSeries()
        for index in 1...5 { series.place(Self.candle(Double(index) * 60)) }
        #expect([0, 60, 61, 300, 301].map { series.firstIndex(notBefore: $0) } == [0, 0, 1, 4, 5])
    }
}
