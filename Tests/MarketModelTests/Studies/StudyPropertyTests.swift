import TestKit
import Testing

@testable import MarketModel

@Suite("studies, incremental equals batch")
struct StudyPropertyTests {
    /// The usual settings, the shortest windows, and windows that no block of another divides.
    static func settings(_ kind: StudyKind) -> [StudySettings] {
        [
            StudySettings(kind),
            StudySettings(kind, parameters: [0, 0, 0, 0]),
            StudySettings(kind, parameters: [7, 5, 3, 2], source: .hlc3),
            StudySettings(kind, parameters: [61, 97, 11, 30], source: .ohlc4),
        ]
    }

    @Test(
        "any interleaving of ticks, bars, corrections and drops equals a rebuild, bit for bit",
        arguments: StudyKind.allCases, 1...4)
    func interleavings(kind: StudyKind, seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var market = WanderingMarket(seed: seed)
        // Bars are ten minutes apart, so that sessions end, and others can be put between two.
        var history = market.candles(seed == 1 ? 1 : 1200, spacing: 600)
        var series = CandleSeries(capacity: [40, 900, 1300, 2000][seed - 1])
        series.replaceAll(with: history)
        var studies = Self.settings(kind).map { StudyColumns($0, of: series) }

        for step in 0..<160 {
            let before = series.count
            let first = history.count - series.count
            var from = series.count - 1
            var dropped = 0
            switch Int.random(in: 0..<20, using: &generator) {
            case 0..<9:
                history[history.count - 1] = market.candle(at: history.last!.timestamp)
                series.place(history.last!)
            case 9..<15:
                let added = Int.random(in: 1...3, using: &generator)
                for _ in 0..<added { history.append(market.candle(at: history.last!.timestamp + 600)) }
                for candle in history.suffix(added) { series.place(candle) }
                dropped = before + added - series.count
                from -= dropped
            case 15:
                history[history.count - 1] = market.candle(at: history.last!.timestamp)
                history.append(market.candle(at: history.last!.timestamp + 600))
                for candle in history.suffix(2) { series.place(candle) }
                dropped = before + 1 - series.count
                from -= dropped
            case 16, 17:
                from = Int.random(in: max(0, before - 700)..<before, using: &generator)
                history[first + from] = market.candle(at: history[first + from].timestamp)
                series.place(history[first + from])
            case 18 where before > 2:
                // A bar that was missing.
                let at = Int.random(in: 1..<before, using: &generator)
                let time = (history[first + at - 1].timestamp + history[first + at].timestamp) / 2
                history.insert(market.candle(at: time), at: first + at)
                series.place(history[first + at])
                dropped = before + 1 - series.count
                from = at - dropped
            default:
                let kept = max(1, before - Int.random(in: 0...90, using: &generator))
                series.trim(keepingLast: kept)
                dropped = before - kept
            }
            for index in studies.indices {
                studies[index].dropFirst(dropped)
                studies[index].update(series, from: from)
            }
            if step % 20 == 19 {
                for study in studies { Self.expectRebuilt(study, history, "step \(step), seed \(seed)") }
            }
        }
    }

    /// Compares with one pass over all bars since the study began.
    static func expectRebuilt(_ study: StudyColumns, _ history: [Candle], _ place: String) {
        let known = history.suffix(study.count + study.carried)
        let rebuilt = StudyColumns(study.settings, of: CandleSeries(known))
        #expect(rebuilt.count == known.count)
        for output in study.settings.kind.outputs.indices {
            let expected = rebuilt.values(output).dropFirst(study.carried)
            let wrong = zip(study.values(output), expected).enumerated().first { _, pair in
                pair.0.bitPattern != pair.1.bitPattern
            }
            if let (index, pair) = wrong {
                Issue.record("\(study.settings) output \(output) bar \(index): \(pair.0), not \(pair.1), at \(place)")
            }
        }
    }

    @Test(
        "a drop keeps every value, and what follows goes on as if nothing was dropped",
        arguments: StudyKind.allCases)
    func drops(kind: StudyKind) {
        var market = WanderingMarket(seed: 11)
        let history = market.candles(3000)
        var series = CandleSeries(capacity: 400)
        var study = StudyColumns(StudySettings(kind))
        for candle in history {
            let before = series.count
            series.place(candle)
            study.dropFirst(before + 1 - series.count)
            study.update(series, from: series.count - 1)
        }
        #expect(study.count == 400)
        #expect(study.carried == 2600, "it never had to begin anew")
        Self.expectRebuilt(study, history, "the end")
    }

    @Test("a series shorter than the window has no values, whatever was dropped")
    func shorterThanWindow() {
        var market = WanderingMarket(seed: 5)
        var series = CandleSeries(capacity: 10)
        var study = StudyColumns(StudySettings(.sma, parameters: [20]))
        for candle in market.candles(100) {
            let before = series.count
            series.place(candle)
            study.dropFirst(before + 1 - series.count)
            study.update(series, from: series.count - 1)
            #expect(study.count == series.count)
            #expect(study.values().allSatisfy { $0.isNaN })
        }
    }

    @Test("at the cap the values stay in the same memory")
    func reusesMemory() {
        var market = WanderingMarket(seed: 8)
        var series = CandleSeries(capacity: 100)
        var study = StudyColumns(StudySettings(.sma))
        var addresses: [Int] = []
        for candle in market.candles(5000) {
            let before = series.count
            series.place(candle)
            study.dropFirst(before + 1 - series.count)
            study.update(series, from: series.count - 1)
            addresses.append(study.withOutput(0) { Int(bitPattern: $0.baseAddress) })
        }
        // It wanders through room for twice the bars and begins again.
        let steady = addresses.dropFirst(1000)
        #expect(steady.max()! - steady.min()! <= 2 * 100 * MemoryLayout<Double>.size)
        #expect(steady.filter { $0 == steady.min()! }.count > 20)
    }

    @Test("dropping all forgets all, and a shorter series takes rows away")
    func dropsAll() {
        var market = WanderingMarket(seed: 6)
        let candles = market.candles(1000)
        var study = StudyColumns(StudySettings(.ema), of: CandleSeries(candles))
        study.update(CandleSeries(candles.prefix(700)), from: 699)
        Self.expectRebuilt(study, Array(candles.prefix(700)), "shorter")
        #expect(study.count == 700)
        study.dropFirst(5000)
        #expect(study.count == 0)
        #expect(study.value(output: 0, at: 0).isNaN)
        study.update(CandleSeries(), from: 0)
        #expect(study.count == 0)
        study.update(CandleSeries(candles), from: 999)
        Self.expectRebuilt(study, candles, "again")
    }
}
