import ChartScene
import MarketModel
import TestKit
import Testing

@Suite("Hostile data")
struct HostileDataTests {
    @Test("no sequence of calls traps, and every coordinate is finite and near the picture", arguments: 1...60)
    func anyCalls(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var view = ChartView(timeframe: random.element(Timeframe.allCases), capacity: random.element([1, 3, 500]))
        var list = DisplayList()
        for _ in 0..<150 {
            call(&view, &random)
            view.render(into: &list)
            check(list)
        }
    }

    private func call(_ view: inout ChartView, _ random: inout SeededGenerator) {
        switch Int(random.unit() * 31) {
        case 0:
            view.resize(width: random.hostile(), height: random.hostile(), devicePixelRatio: random.hostile())
        case 1, 2:
            view.resize(
                width: 300 + random.unit() * 900, height: 100 + random.unit() * 700,
                devicePixelRatio: 1 + random.unit() * 2)
        case 3:
            view.setSymbol(
                (0..<70).map { _ in UInt8(truncatingIfNeeded: random.next()) }, precision: Int(random.unit() * 40) - 9)
        case 4: view.setTimeframe(random.element(Timeframe.allCases))
        case 5: view.setData((0..<40).map { _ in candle(&random) }, keepViewport: random.unit() < 0.5)
        case 6: view.setData(random.candles(300, timeframe: view.timeframe), keepViewport: random.unit() < 0.5)
        case 7: view.prepend((0..<40).map { _ in candle(&random) })
        case 8: view.place(candle(&random), final: random.unit() < 0.5)
        case 9, 10:
            view.ingest(Tick(timestamp: random.hostile(), price: random.hostile(), volume: random.hostile()))
        case 11: view.pan(byPixels: random.hostile())
        case 12: view.pan(byBars: random.element([.min, .max, 0, 1, -1, 100]))
        case 13, 14: view.zoom(by: random.hostile(), atX: random.hostile())
        case 15: view.setCrosshair(x: random.hostile(), y: random.hostile())
        case 16: view.setKind(random.element(SeriesKind.allCases))
        case 17:
            let (a, b) = (random.hostile(), random.hostile())
            view.setScale(
                ofPane: Int(random.unit() * 4) - 1,
                PriceScaleSettings(
                    kind: random.element(PriceScaleKind.allCases), isInverted: random.unit() < 0.5,
                    range: random.unit() < 0.4 && a < b ? a...b : nil))
        case 18: view.stretchScale(ofPane: Int(random.unit() * 3), by: random.hostile())
        case 19: view.panScale(ofPane: Int(random.unit() * 3), byPixels: random.hostile())
        case 20: view.dragDivider(below: Int(random.unit() * 4) - 1, byPixels: random.hostile())
        case 21, 22:
            view.addStudy(StudySettings(random.element(StudyKind.allCases)), inPane: random.element([nil, 0, 1, .max]))
        case 23: view.removeStudy(Int(random.unit() * 30))
        case 24: view.moveStudy(Int(random.unit() * 30), toPane: random.element([-1, 0, 1, 2, .max]))
        case 25:
            view.setTimeScale(random.element(TimeScaleKind.allCases))
            view.setVolume(random.element(VolumePlacement.allCases))
            view.setFontScale(random.hostile())
            view.setTickSize(random.hostile())
        case 26:
            if let id = view.addComparison("B".utf8, precision: 3) {
                view.setData(ofComparison: id, (0..<60).map { _ in candle(&random) })
                view.place(candle(&random), ofComparison: id)
            }
        case 27: view.removeComparison(Int(random.unit() * 30))
        case 28:
            view.setZoom(random.hostile())
            view.go(toTime: random.hostile())
        case 29: view.setBaseline(random.hostile())
        default: view.moveCrosshair(byBars: random.element([.min, .max, 1, -1, 7]))
        }
        _ = (view.position(x: random.hostile(), y: random.hostile()), view.range(ofPane: 1))
        _ = view.point(time: random.hostile(), price: random.hostile())
        _ = (view.legend, view.firstVisible, view.visibleCount, view.needsHistory, view.bar(at: .max))
    }

    private func candle(_ random: inout SeededGenerator) -> Candle {
        let prices = (0..<4).map { _ in random.hostile() }.sorted()
        let ordered = random.unit() < 0.8
        return Candle(
            timestamp: random.hostile(), open: prices[1], high: ordered ? prices[3] : prices[0], low: prices[0],
            close: prices[2], volume: random.hostile())
    }

    private func check(_ list: DisplayList) {
        var words = 0
        for command in list.commands {
            words += command.operands.count + 1
            let numbers: Range<Int>
            switch command.opcode {
            case .fillRects, .fillPolygon, .segments, .polyline, .roundRect: numbers = 1..<command.operands.count
            case .text: numbers = 1..<4
            case .clip: numbers = 0..<4
            case .unclip: numbers = 0..<0
            }
            let far = numbers.contains { !(command.operands.number($0).magnitude < 200_000) }
            #expect(!far, "\(command.opcode)")
        }
        #expect(words == list.words.count)
    }

    @Test("an empty chart draws its background and axes")
    func empty() {
        var view = ChartView()
        view.resize(width: 400, height: 300, devicePixelRatio: 1)
        var list = DisplayList()
        view.render(into: &list)
        #expect(list.commands.contains { $0.opcode == .fillRects && $0.operands.word(0) == Theme.dark.axisLine.rgba })
        #expect(list.words.count < 60)
    }

    @Test("one bar, and bars that are all one price, are drawn inside of the plot", arguments: [1, 200])
    func flat(count: Int) {
        var view = ChartView()
        view.resize(width: 600, height: 400, devicePixelRatio: 1)
        view.setData(
            (1...count).map {
                Candle(timestamp: Double($0) * 60, open: 42, high: 42, low: 42, close: 42, volume: 0)
            })
        var list = DisplayList()
        view.render(into: &list)
        let bodies = list.commands.filter { $0.opcode == .fillRects && $0.operands.word(0) == Theme.dark.up.rgba }
        #expect(bodies.count == 1)
        #expect(bodies.allSatisfy { $0.operands.number(2) > 100 && $0.operands.number(2) < 300 })
    }
}
