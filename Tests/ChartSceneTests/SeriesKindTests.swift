import MarketModel
import TestKit
import Testing

@testable import ChartScene

@Suite("Series kinds")
struct SeriesKindTests {
    private func chart(_ kind: SeriesKind, bars: Int = 400) -> ChartView {
        var random = SeededGenerator(seed: 12)
        var view = ChartView(timeframe: .m1)
        view.resize(width: 900, height: 500, devicePixelRatio: 1)
        view.setData(random.candles(bars))
        view.setKind(kind)
        return view
    }

    @Test("candles are 1 to 20 points wide, and below two pixels a line stands for them")
    func widths() {
        for ratio in [1.0, 1.5, 2, 3] {
            for step in 1...700 {
                let spacing = Double(step) * 0.1
                guard let candle = CandleGeometry(spacing: spacing * ratio, ratio: ratio) else {
                    #expect(spacing * ratio < 4)
                    continue
                }
                #expect(candle.body >= 2 || spacing * ratio < 4)
                #expect(candle.body <= 20 * ratio && candle.body / ratio >= 0.5)
            }
        }
        var view = chart(.candles, bars: 4000)
        view.zoom(by: 0.01, atX: 400)
        var list = DisplayList()
        view.render(into: &list)
        let columns = list.commands.filter {
            $0.opcode == .fillRects && $0.operands.word(0) == Theme.dark.up.rgba
        }
        #expect(columns.count == 1)
        for command in columns {
            for at in stride(from: 3, to: command.operands.count, by: 4) { #expect(command.operands.number(at) == 1) }
        }
    }

    @Test("every kind draws something else, near and far", arguments: [1, 0.05])
    func different(zoom: Double) {
        var seen: [[UInt32]] = []
        for kind in SeriesKind.allCases {
            var view = chart(kind, bars: 4000)
            view.zoom(by: zoom, atX: 400)
            var list = DisplayList()
            view.render(into: &list)
            if !seen.contains(list.words) { seen.append(list.words) }
        }
        // From afar all kinds of candles are the same columns.
        #expect(seen.count == (zoom == 1 ? 8 : 5))
    }

    @Test(
        "a line keeps the lowest and highest value of each pixel, and every column has one", arguments: 1...10)
    func extremes(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let values = (0..<5000).map { _ in random.unit() < 0.02 ? Double.nan : random.unit() * 100 }
        let time = TimeScale(plotWidth: 700, right: 4000 + random.unit(), spacing: 0.05 + random.unit() * 0.9)
        let visible = 2000..<3900
        var line = LineTrace()
        values.withUnsafeBufferPointer { line.gather($0, visible, time) }
        var byPixel: [Double: [Double]] = [:]
        for index in visible.lowerBound - 1...visible.upperBound {
            byPixel[time.x(index).rounded(.down), default: []].append(values[index])
        }
        #expect(line.points.map(\.x) == byPixel.keys.sorted())
        for point in line.points {
            let own = byPixel[point.x, default: []].filter { !$0.isNaN }
            #expect(point.last.isNaN == own.isEmpty)
            guard !own.isEmpty else { continue }
            #expect(point.low == own.min() && point.high == own.max() && point.last == own.last)
        }
    }

    @Test("Heikin-Ashi candles follow every change of the bars", arguments: 1...12)
    func heikinAshi(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let candles = random.candles(300)
        var view = ChartView(timeframe: .m1, capacity: 200)
        view.resize(width: 900, height: 500, devicePixelRatio: 1)
        view.setKind(.heikinAshi)
        for candle in candles {
            view.place(candle, final: true)
            if random.unit() < 0.1, let old = view.bar(at: Int(random.unit() * Double(view.count))) {
                view.place(
                    Candle(
                        timestamp: old.timestamp, open: old.open, high: old.high + 3, low: old.low, close: old.high,
                        volume: 1), final: true)
            }
        }
        let smoothed = view.heikinAshi?.series
        #expect(smoothed?.count == view.count)
        for index in 1..<view.count {
            guard let bar = view.bar(at: index), let own = smoothed?[index], let before = smoothed?[index - 1] else {
                continue
            }
            #expect(abs(own.close - (bar.open + bar.high + bar.low + bar.close) / 4) < 1e-9)
            #expect(own.open == before.open / 2 + before.close / 2)
            #expect(own.high >= bar.high && own.low <= bar.low && own.isWellFormed)
        }
    }

    @Test("a baseline divides the picture in two colours")
    func baseline() {
        var view = chart(.baseline)
        for (price, up, down) in [(0.5, true, false), (1e6, false, true)] {
            view.setBaseline(price)
            var list = DisplayList()
            view.render(into: &list)
            let colours = list.commands.filter { $0.opcode == .polyline }.map { $0.operands.word(0) }
            let clips = list.commands.filter { $0.opcode == .clip }.map { $0.operands.number(3) }
            #expect(colours.contains(Theme.dark.up.rgba) && colours.contains(Theme.dark.down.rgba))
            // The half that is off screen has no height.
            #expect(clips.contains(0) && up != down)
        }
    }
}
