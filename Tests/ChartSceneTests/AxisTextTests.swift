import MarketModel
import Testing

@testable import ChartScene

@Suite("Texts of the axes and the legend")
struct AxisTextTests {
    struct Label: Equatable {
        let text: String
        let colour: UInt32
        let x: Float
        let y: Float
    }

    /// 2023-11-09 00:00:00 UTC
    private let start = 1_699_488_000.0

    private func view(
        _ closes: [Double], timeframe: Timeframe, every seconds: Double, width: Double = 900
    ) -> ChartView {
        var view = ChartView(timeframe: timeframe)
        view.resize(width: width, height: 400, devicePixelRatio: 1)
        view.setSymbol("X".utf8, precision: 2)
        view.setData(
            closes.enumerated().map { index, close in
                let open = close - 1
                return Candle(
                    timestamp: start + Double(index) * seconds, open: open, high: close + 1, low: open - 1,
                    close: close, volume: 1)
            })
        return view
    }

    private func labels(_ view: inout ChartView) -> [Label] {
        var list = DisplayList()
        view.render(into: &list)
        return list.commands.filter { $0.opcode == .text }.map { command in
            let count = Int(command.operands.word(5))
            let bytes = (0..<count).map {
                UInt8(truncatingIfNeeded: command.operands.word(6 + $0 / 4) >> UInt32($0 % 4 * 8))
            }
            return Label(
                text: String(decoding: bytes, as: UTF8.self), colour: command.operands.word(0),
                x: Float(command.operands.number(1)), y: Float(command.operands.number(2)))
        }
    }

    /// Texts below the plot, in order; the last one is the time zone.
    private func times(_ view: inout ChartView) -> [String] {
        labels(&view).filter { $0.y > 372 }.map(\.text)
    }

    @Test("only the first label shows the larger unit")
    func dated() {
        var minutes = view((0..<60).map { 100 + Double($0 % 5) }, timeframe: .m1, every: 60, width: 420)
        minutes.pan(byBars: 5)
        var days = view((0..<12).map { 100 + Double($0 % 5) }, timeframe: .d1, every: 86_400, width: 400)
        days.zoom(by: 1, atX: 0)
        #expect(times(&minutes).first?.hasPrefix("9 Nov 00:") == true)
        #expect(times(&minutes).dropFirst().allSatisfy { !$0.contains("Nov") })
        #expect(times(&days).first?.hasSuffix(" Nov") == true)
        #expect(times(&days).dropFirst().allSatisfy { !$0.contains("Nov") })
    }

    @Test("few bars have a whole axis of labels, and the crosshair a time beside them", arguments: [1, 2, 7])
    func few(count: Int) {
        var view = view((0..<count).map { 100 + Double($0) }, timeframe: .m1, every: 60)
        let texts = times(&view)
        #expect(texts.count >= 5 && texts.last == "UTC")
        view.setCrosshair(x: 830, y: 100)
        #expect(view.legend?.index == count - 1)
        let minute = Int(view.crosshairIndex ?? 0)
        #expect(minute >= count)
        #expect(times(&view).contains("Thu 9 Nov 2023  00:0\(minute)"))
    }

    @Test("prices have the colour of their bar, the change that of its sign")
    func legendColours() {
        let theme = Theme.dark
        // The last bar is green: it opens a whole below its close.
        for (last, colour) in [(101.0, theme.upText), (99, theme.downText), (100, theme.axisText)] {
            var view = view([100, last], timeframe: .m1, every: 60)
            let legend = labels(&view).filter { $0.y < 60 && $0.x < 700 }
            let change = legend.first { $0.text.hasSuffix("%") }
            #expect(change?.colour == colour.rgba)
            let prices = legend.filter { $0.text.contains(".") && !$0.text.hasSuffix("%") }
            #expect(prices.count == 4 && prices.allSatisfy { $0.colour == theme.upText.rgba })
        }
    }

    @Test("off screen, the last price stays at the end of the axis and has no line", arguments: [1000.0, 20])
    func lastPrice(last: Double) throws {
        var view = view((0..<300).map { 100 + Double($0 % 5) } + [last + 1], timeframe: .m1, every: 60)
        view.pan(byPixels: 1500)
        var list = DisplayList()
        view.render(into: &list)
        #expect(!list.commands.contains { $0.opcode == .segments })
        let box = try #require(list.commands.first { $0.opcode == .roundRect })
        let (top, height) = (box.operands.number(2), box.operands.number(4))
        #expect(last > 100 ? top == 0 : top + height == 372)
        let text = last > 100 ? "1,001.00" : "21.00"
        let label = try #require(labels(&view).first { $0.text == text })
        #expect(label.y > 0 && label.y < 372)
    }
}
