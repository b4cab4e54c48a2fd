import MarketModel
import TestKit
import Testing

@testable import ChartScene

@Suite("Studies on a chart")
struct ChartStudyTests {
    private func candle(_ candle: Candle, _ random: inout SeededGenerator) -> Candle {
        Candle(
            timestamp: candle.timestamp, open: candle.open, high: candle.high + random.unit(), low: candle.low,
            close: candle.close, volume: candle.volume)
    }

    @Test("values follow every change of the bars, at the cap too", arguments: 1...12)
    func follow(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let candles = random.candles(700)
        var view = ChartView(timeframe: .m1, capacity: 300)
        view.resize(width: 900, height: 600, devicePixelRatio: 1)
        let kinds: [StudyKind] = [.ema, .rsi, .macd, .bollinger]
        for kind in kinds { view.addStudy(StudySettings(kind)) }
        var at = 350
        view.setData(candles[300..<at])
        while at < 690 {
            switch Int(random.unit() * 8) {
            case 0: view.prepend(candles[max(0, at - 330)..<at - 250])
            case 1:
                if let old = view.bar(at: Int(random.unit() * Double(view.count))) {
                    view.place(candle(old, &random), final: true)
                }
            case 2:
                view.ingest(Tick(timestamp: candles[at].timestamp + 5, price: candles[at].close, volume: 1))
                at += 1
            case 3:
                // A bar is missing, and comes later.
                view.place(candles[at + 1], final: true)
                view.place(candles[at], final: true)
                at += 2
            default:
                view.place(candles[at], final: true)
                at += 1
            }
        }
        for study in view.studies {
            #expect(study.columns.count == view.count)
            // The same bars from the oldest on; a study that goes on from dropped bars differs by its seed alone.
            var batch = StudyColumns(study.settings)
            batch.rebuild(view.series)
            let newest = view.count - 1
            for output in study.outputs.indices {
                let (own, other) = (
                    study.columns.value(output: output, at: newest), batch.value(output: output, at: newest)
                )
                #expect(abs(own - other) <= 1e-3 * max(1, abs(other)), "\(study.settings.kind) \(output)")
            }
        }
    }

    @Test("the legend shows the values at the crosshair")
    func legend() throws {
        var random = SeededGenerator(seed: 3)
        var view = ChartView(timeframe: .m1)
        view.resize(width: 1200, height: 700, devicePixelRatio: 1)
        view.setSymbol("A".utf8, precision: 2)
        view.setData(random.candles(300))
        let id = try found(view.addStudy(StudySettings(.sma)))
        for x in [200.0, 500, 900] {
            view.setCrosshair(x: x, y: 200)
            let bar = try #require(view.legend?.index)
            let value = try #require(view.study(id)?.columns.value(output: 0, at: bar))
            var text = TextBuffer()
            text.append(price: value, precision: 2)
            let texts = view.texts().map(\.text)
            #expect(texts.contains("SMA 20") && texts.contains(String(decoding: text.bytes, as: UTF8.self)))
        }
    }

    @Test("settings, colours and visibility change what is drawn, and a removed study leaves no trace")
    func editing() throws {
        var random = SeededGenerator(seed: 4)
        var view = ChartView(timeframe: .m1)
        view.resize(width: 900, height: 600, devicePixelRatio: 1)
        view.setData(random.candles(300))
        view.draw()
        let before = view.base.words.map { $0 }
        let id = try found(view.addStudy(StudySettings(.ema)))
        view.draw()
        var seen = [before, view.base.words.map { $0 }]
        view.setStudy(id, StudySettings(.ema, parameters: [7]))
        view.draw()
        seen.append(view.base.words.map { $0 })
        view.setColour(ofStudy: id, output: 0, Colour(rgb: 0x123456))
        view.draw()
        seen.append(view.base.words.map { $0 })
        #expect(Set(seen).count == 4 && view.colour(ofStudy: id, output: 0) == Colour(rgb: 0x123456))
        view.setVisible(ofStudy: id, false)
        view.draw()
        #expect(view.base.words == before)
        view.removeStudy(id)
        view.draw()
        #expect(view.base.words == before && view.studies.isEmpty)
    }

    @Test("two studies of a pane have two colours; there is a limit to both")
    func many() {
        var view = ChartView()
        let ids = (0..<8).compactMap { _ in view.addStudy(StudySettings(.sma)) }
        #expect(Set(ids.map { view.colour(ofStudy: $0, output: 0) }).count == 8)
        for _ in 0..<100 { view.addStudy(StudySettings(.rsi)) }
        #expect(view.panes.count == ChartView.maxPanes && view.studies.count <= ChartView.maxStudies)
    }
}

@Suite("Comparisons")
struct ComparisonTests {
    @Test("a comparison has the last close known at each bar, however the bars came", arguments: 1...12)
    func aligned(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let own = random.candles(400).filter { _ in random.unit() < 0.8 }
        let other = random.candles(400).filter { _ in random.unit() < 0.8 }
        var view = ChartView(timeframe: .m1, capacity: 250)
        view.resize(width: 900, height: 600, devicePixelRatio: 1)
        let id = try found(view.addComparison("B".utf8, precision: 2))
        view.setData(own.prefix(100))
        view.setData(ofComparison: id, other.prefix(90))
        // Two queues, read in any order.
        var (a, b) = (100, 90)
        while a < own.count || b < other.count {
            if a < own.count, random.unit() < 0.5 {
                view.place(own[a], final: true)
                a += 1
            } else if b < other.count {
                view.place(other[b], ofComparison: id)
                b += 1
            }
        }
        let comparison = try #require(view.comparisons.first)
        #expect(comparison.closes.count == view.count)
        let newest = try #require(comparison.series.last?.timestamp)
        let oldest = try #require(comparison.series.first?.timestamp)
        // Closes of bars that the comparison itself dropped since are still known.
        for index in 0..<view.count where view.series.timestamp(at: index) >= oldest {
            let time = view.series.timestamp(at: index)
            var known = Double.nan
            for bar in 0..<comparison.series.count where comparison.series.timestamp(at: bar) <= time {
                known = comparison.series.close(at: bar)
            }
            let expected = time > newest ? .nan : known
            let value = comparison.closes.value(at: index)
            #expect(value == expected || value.isNaN && expected.isNaN, "bar \(index)")
        }
    }

    @Test("on a relative scale all lines start together, whatever their prices", arguments: [0.001, 1, 1000])
    func together(factor: Double) throws {
        var random = SeededGenerator(seed: 6)
        let own = random.candles(300)
        var view = ChartView(timeframe: .m1)
        view.resize(width: 900, height: 600, devicePixelRatio: 1)
        view.setData(own)
        let id = try found(view.addComparison("B".utf8, precision: 2))
        // The same market in another currency: the same line.
        view.setData(
            ofComparison: id,
            own.map {
                Candle(
                    timestamp: $0.timestamp, open: $0.open * factor, high: $0.high * factor, low: $0.low * factor,
                    close: $0.close * factor, volume: 1)
            })
        #expect(view.panes[0].scale.kind == .percent)
        view.setKind(.line)
        view.draw()
        let lines = view.base.commands.filter { $0.opcode == .polyline }.map { $0.operands }
        #expect(lines.count == 2)
        for at in stride(from: 5, to: lines[0].count, by: 2) {
            #expect(abs(lines[0].number(at) - lines[1].number(at)) < 0.01)
        }
        view.removeComparison(id)
        #expect(view.panes[0].scale.kind == .linear)
    }
}
