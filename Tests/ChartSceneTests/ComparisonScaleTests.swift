import MarketModel
import Testing

@testable import ChartScene

@Suite("Scales with compared symbols")
struct ComparisonScaleTests {
    private let start = 1_700_000_040.0

    private func candles(_ range: Range<Int>, _ close: (Int) -> Double) -> [Candle] {
        range.map { index in
            let price = close(index)
            return Candle(
                timestamp: start + Double(index) * 60, open: price, high: price, low: price, close: price, volume: 0)
        }
    }

    /// 300 bars of a dear symbol, and a cheap one that has no bar before `first`.
    private func view(_ kind: PriceScaleKind, from first: Int) throws -> ChartView {
        var view = ChartView(timeframe: .m1)
        view.resize(width: 800, height: 400, devicePixelRatio: 1)
        view.setSymbol("BTC-USD".utf8, precision: 2)
        view.setData(candles(0..<300) { 60_000 + Double($0 % 20) * 100 })
        let id = try found(view.addComparison("ETH-USD".utf8, precision: 2))
        view.setData(ofComparison: id, candles(first..<300) { 3000 + Double($0 % 20) * 5 })
        view.setScale(ofPane: 0, PriceScaleSettings(kind: kind))
        view.draw()
        return view
    }

    @Test(
        "all lines meet at one bar: the first on screen that all of them have",
        arguments: [PriceScaleKind.percent, .indexed, .logarithmic], [0, 283])
    func base(kind: PriceScaleKind, first: Int) throws {
        var view = try view(kind, from: first)
        let visible = view.visibleBars
        let bar = max(visible.lowerBound, first)
        #expect(visible.contains(bar))
        let scale = view.frame.scales[0]
        let other = scale.rescaled(by: view.frame.factors[0])
        let own = view.series.close(at: bar)
        let compared = view.comparisons[0].closes.value(at: bar)
        #expect(abs(scale.y(own) - other.y(compared)) < 1e-6)
        if kind == .percent { #expect(scale.shown(own) == 0 && abs(other.shown(compared)) < 1e-9) }
        if kind == .indexed { #expect(scale.shown(own) == 100 && abs(other.shown(compared) - 100) < 1e-9) }
        // A hidden one does not move the base.
        view.setVisible(ofComparison: view.comparisons[0].id, false)
        view.draw()
        if kind == .percent { #expect(view.frame.scales[0].shown(view.series.close(at: visible.lowerBound)) == 0) }
    }

    @Test("a logarithmic scale flattens neither of two symbols of different size")
    func logarithmic() throws {
        let view = try view(.logarithmic, from: 0)
        let scale = view.frame.scales[0]
        let other = scale.rescaled(by: view.frame.factors[0])
        let height = view.layout.price.bottom - view.layout.price.valueTop
        // Of 60,000 to 61,900 and of 3,000 to 3,095 each has at least a third of the height.
        #expect(abs(scale.y(60_000) - scale.y(61_900)) > height / 3)
        #expect(abs(other.y(3000) - other.y(3095)) > height / 3)
        for price in [3000.0, 3050, 3095] {
            #expect((view.layout.price.valueTop...view.layout.price.bottom).contains(other.y(price)))
        }
    }
}
