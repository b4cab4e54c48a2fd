import MarketModel
import TestKit
import Testing

@testable import ChartScene

@Suite("Price scales")
struct PriceScaleTests {
    private func scale(_ kind: PriceScaleKind, inverted: Bool = false, low: Double = 80, high: Double = 120)
        -> PriceScale
    {
        PriceScale(
            PriceScaleSettings(kind: kind, isInverted: inverted), low: low, high: high, padding: 0.05, tickSize: 0.01,
            reference: 100, top: 10, bottom: 410)
    }

    @Test("a pixel's price is at that pixel", arguments: PriceScaleKind.allCases, [false, true])
    func roundTrip(kind: PriceScaleKind, inverted: Bool) {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<500 {
            let low = 0.001 + random.unit() * 1000
            let scale = scale(kind, inverted: inverted, low: low, high: low * (1 + random.unit() * 3))
            let y = random.unit() * 500
            #expect(abs(scale.y(scale.price(at: y)) - y) < 1e-6)
            let price = low * (0.5 + random.unit())
            #expect(abs(scale.price(shown: scale.shown(price)) / price - 1) < 1e-9)
        }
    }

    @Test("low is at the bottom, and at the top where the scale is inverted", arguments: PriceScaleKind.allCases)
    func direction(kind: PriceScaleKind) {
        #expect(scale(kind).y(80) > scale(kind).y(120))
        #expect(scale(kind, inverted: true).y(80) < scale(kind, inverted: true).y(120))
        #expect(abs(scale(kind).y(80) - scale(kind, inverted: true).y(120)) < 40)
    }

    @Test("a twentieth of the range stays free above and below it")
    func padding() {
        let linear = scale(.linear)
        #expect(abs(linear.low - 78) < 1e-9 && abs(linear.high - 122) < 1e-9)
        let fixed = PriceScale(
            PriceScaleSettings(range: 80...120), low: 1, high: 2, padding: 0.05, tickSize: 0.01, top: 0, bottom: 100)
        #expect(fixed.low == 80 && fixed.high == 120)
    }

    @Test("equal ratios are equally high on a logarithmic scale")
    func ratios() {
        let log = scale(.logarithmic, low: 10, high: 1000)
        #expect(abs((log.y(10) - log.y(20)) - (log.y(400) - log.y(800))) < 1e-9)
    }

    @Test("percent and index are of the reference")
    func relative() {
        #expect(abs(scale(.percent).shown(112) - 12) < 1e-9)
        #expect(abs(scale(.indexed).shown(112) - 112) < 1e-9)
    }

    @Test("prices that have no logarithm make a linear scale or lie far below, and nothing traps")
    func hostile() {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<3000 {
            let settings = PriceScaleSettings(
                kind: random.element(PriceScaleKind.allCases), isInverted: random.unit() < 0.5)
            let scale = PriceScale(
                settings, low: random.hostile(), high: random.hostile(), padding: 0.05, tickSize: 0.01,
                reference: random.hostile(), top: 0, bottom: random.hostile())
            _ = Pixels.snap(scale.y(random.hostile()))
            var ticks = AxisTicks()
            ticks.update(
                scale, top: 0, bottom: 500, distance: 46,
                instrument: Instrument(precision: Int(random.unit() * 10), tickSize: max(0, random.unit() - 0.5)))
            #expect(ticks.count <= 1000)
        }
        #expect(scale(.logarithmic, low: -5, high: -1).kind == .linear)
    }

    // MARK: Ticks

    private func ticks(_ scale: PriceScale, tickSize: Double = 0) -> AxisTicks {
        var ticks = AxisTicks()
        ticks.update(
            scale, top: scale.top, bottom: scale.bottom, distance: 46,
            instrument: Instrument(precision: 2, tickSize: tickSize))
        return ticks
    }

    @Test("an axis has labels far enough apart, ascending, on every kind", arguments: PriceScaleKind.allCases)
    func apart(kind: PriceScaleKind) {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<400 {
            let low = 0.05 + random.unit() * 1000
            let spread = 1 + (random.unit() < 0.5 ? random.unit() * 0.2 : random.unit() * 5000)
            let scale = scale(kind, low: low, high: low * spread + 0.5)
            let ticks = ticks(scale)
            #expect(ticks.count >= 2, "\(kind) \(low) \(spread)")
            for index in 1..<max(ticks.count, 1) {
                #expect(ticks.values[index] > ticks.values[index - 1])
                #expect((ticks.ys[index] - ticks.ys[index - 1]).magnitude >= 45.9, "\(kind) \(low) \(spread)")
            }
        }
    }

    @Test("logarithmic ticks are 1, 2 and 5 in each decade where there is room for no more")
    func decades() {
        let log = PriceScale(
            PriceScaleSettings(kind: .logarithmic, range: 1...1000), low: 0, high: 0, padding: 0, tickSize: 0.01,
            top: 0, bottom: 700)
        #expect(ticks(log).values == [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000])
    }

    @Test("ticks are multiples of the tick size", arguments: [0.25, 0.05, 0.03125, 5])
    func tickSize(size: Double) {
        for half in [0.3, 1, 7, 60, 900] {
            let ticks = ticks(scale(.linear, low: 1000 - half * size * 4, high: 1000 + half * size * 4), tickSize: size)
            #expect(ticks.count >= 2)
            for value in ticks.values { #expect((value / size - (value / size).rounded()).magnitude < 1e-6) }
        }
    }
}
