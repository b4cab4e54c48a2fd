import MarketModel
import TestKit
import Testing

@testable import ChartScene

@Suite("Bars closer than pixels")
struct PixelColumnsTests {
    @Test("no extreme is lost: every column is exactly what its bars come to", arguments: 1...40)
    func exact(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        // From bars two pixels apart to all of them on a few.
        let bars = [3000, 20_000][seed % 2]
        var series = CandleSeries(capacity: 100_000)
        series.replaceAll(with: random.candles(bars))
        var pyramid = CandlePyramid()
        pyramid.rebuild(series)
        let shown = Int(random.unit() * Double(bars))
        let lower = Int(random.unit() * Double(bars - shown))
        let visible = lower..<lower + shown
        let spacing = max(700 / Double(shown + 1), 0.002) * (0.1 + random.unit())
        let time = TimeScale(
            plotWidth: 700, right: Double(visible.upperBound) + random.unit() * 700, spacing: min(spacing, 1.9))
        var columns: [PixelColumn] = []
        PixelColumns.gather(pyramid, series, visible, time, into: &columns)

        // The plain way: a dictionary by pixel.
        var byPixel: [Double: [Int]] = [:]
        for index in visible { byPixel[time.x(index).rounded(.down), default: []].append(index) }
        #expect(columns.map(\.x) == byPixel.keys.sorted())
        #expect(pyramid.extremes(series, visible).low == visible.map { series.low(at: $0) }.min() ?? .infinity)
        for column in columns {
            let bars = byPixel[column.x, default: []].map { series[$0] }
            #expect(column.high == bars.map(\.high).max())
            #expect(column.low == bars.map(\.low).min())
            #expect(column.volume == bars.map(\.volume).max())
            #expect(column.open == bars.first?.open)
            #expect(column.close == bars.last?.close)
        }
    }

    @Test("a single spike among 100,000 bars is drawn at its price")
    func spike() {
        var random = SeededGenerator(seed: 3)
        var candles = random.candles(100_000)
        candles[54_321].high = 5000
        var view = ChartView()
        view.resize(width: 1000, height: 600, devicePixelRatio: 1)
        view.setData(candles)
        view.zoom(by: 1e-9, atX: 1000)
        var list = DisplayList()
        view.render(into: &list)
        let tops = list.commands.filter {
            $0.opcode == .fillRects
                && ($0.operands.word(0) == Theme.dark.up.rgba || $0.operands.word(0) == Theme.dark.down.rgba)
        }
        .flatMap { command in stride(from: 2, to: command.operands.count, by: 4).map { command.operands.number($0) } }
        // Top of the price area plus the padding of 6 % of the range.
        #expect(tops.min().map { $0 < 80 } == true)
        #expect(tops.filter { $0 < 300 }.count == 1)
    }
}
