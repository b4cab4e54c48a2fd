import MarketModel
import TestKit
import Testing

@Suite("CandleSeries, many bars at once")
struct CandleSeriesBulkTests {
    private static func candle(_ timestamp: Double, close: Double) -> Candle {
        Candle(timestamp: timestamp, open: 10, high: 100, low: 1, close: close, volume: 1)
    }

    @Test("an import in any order gives what placing one by one in order of time gives", arguments: 1...30)
    func imports(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let capacity = [5, 60, 1000][seed % 3]
        let disorder = [0, 1, 5, 400][seed % 4]
        var arrived: [Candle] = []
        for step in 1...300 {
            let at = max(1, step + Int.random(in: -disorder...disorder, using: &random))
            arrived.append(Self.candle(Double(at) * 60, close: Double(Int.random(in: 1...99, using: &random))))
            if step % 50 == 0 { arrived.append(Self.candle(-1, close: 5)) }
        }
        var incoming = CandleImport(into: CandleSeries(capacity: capacity), expecting: arrived.count)
        for candle in arrived { incoming.add(candle) }
        #expect(incoming.malformed == 6)
        let series = incoming.finish()

        var model: [Double: Candle] = [:]
        for candle in arrived where candle.timestamp > 0 { model[candle.timestamp] = candle }
        let expected = model.values.sorted { $0.timestamp < $1.timestamp }.suffix(capacity)
        #expect(series.candles == Array(expected))

        var replaced = CandleSeries(capacity: capacity)
        #expect(replaced.replaceAll(with: arrived) == 6)
        #expect(replaced.candles == series.candles)
    }

    @Test("older bars go in front, page by page, and never beyond the cap", arguments: 1...10)
    func prepends(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let capacity = 2000
        var series = CandleSeries(capacity: capacity)
        var model: [Candle] = (5000...5100).map { Self.candle(Double($0) * 60, close: 20) }
        series.replaceAll(with: model)
        for _ in 0..<60 {
            let first = Int(model[0].timestamp / 60)
            let bars = Int.random(in: 1...90, using: &random)
            // One that is there already, and one that is malformed, among them.
            var page = (first - bars..<first).map { Self.candle(Double($0) * 60, close: 30) }
            page.append(Self.candle(Double(first) * 60, close: 99))
            page.append(Self.candle(.nan, close: 1))
            if seed % 2 == 0 { page.shuffle(using: &random) }
            let room = capacity - model.count
            #expect(series.prepend(page) == min(bars, room))
            let older = (first - bars..<first).map { Self.candle(Double($0) * 60, close: 30) }
            model = older.suffix(room) + model
            // Live goes on meanwhile.
            let next = Self.candle(model[model.count - 1].timestamp + 60, close: 40)
            series.place(next)
            model.append(next)
            model = model.suffix(capacity)
            #expect(series.candles == model)
        }
    }

    @Test("a smaller cap drops the oldest, a larger one lets older bars in")
    func setsCapacity() {
        var series = CandleSeries(capacity: 10)
        series.replaceAll(with: (1...10).map { Self.candle(Double($0) * 60, close: 20) })
        series.setCapacity(4)
        #expect(series.candles.map(\.timestamp) == [420, 480, 540, 600])
        #expect(series.prepend([Self.candle(360, close: 20)]) == 0)
        series.setCapacity(5)
        #expect(series.prepend([Self.candle(300, close: 20), Self.candle(360, close: 20)]) == 1)
        #expect(series.first?.timestamp == 360)
        series.setCapacity(-3)
        #expect(series.count == 1)
    }
}
