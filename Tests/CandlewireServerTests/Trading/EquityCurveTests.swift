import Testing
import TradingCore

@testable import CandlewireServer

@Suite("The points of an equity curve")
struct EquityCurveTests {
    private static func portfolio(_ equity: ExactDecimal, _ currency: String = "USD") -> Portfolio {
        Portfolio(
            currency: currency, equity: equity, availableBalance: equity, usedMargin: 0, unrealizedPnL: 0,
            realizedPnL: 0, fees: 0, initialCapital: 100, lastUpdated: 0)
    }

    @Test("a change after a time without any is preceded by that time's end")
    func flat() {
        var curve = EquityCurve()
        func points(_ equity: ExactDecimal, at time: Double, isSample: Bool = true) -> [String] {
            curve.points(after: [Self.portfolio(equity)], at: time, isSample: isSample).map {
                "\($0.timestamp) \($0.equity)"
            }
        }
        #expect(points(100, at: 1) == ["1.0 100"])
        for time in stride(from: 11.0, through: 701, by: 10) { #expect(points(100, at: time).isEmpty) }
        #expect(points(99, at: 705, isSample: false) == ["701.0 100", "705.0 99"])
        // The sample of 701 is older than the last point: nothing is known of the time between.
        #expect(points(98, at: 706, isSample: false) == ["706.0 98"])
        #expect(points(98, at: 711).isEmpty)
        #expect(points(97, at: 721) == ["711.0 98", "721.0 97"])
    }

    @Test("each currency has a curve of its own")
    func currencies() {
        var curve = EquityCurve()
        let both = [Self.portfolio(100), Self.portfolio(5, "USDT")]
        #expect(curve.points(after: both, at: 1, isSample: true).count == 2)
        #expect(curve.points(after: both, at: 11, isSample: true).isEmpty)
        let one = curve.points(after: [both[0], Self.portfolio(6, "USDT")], at: 12, isSample: false)
        #expect(one.map(\.currency) == ["USDT", "USDT"] && one.map(\.timestamp) == [11, 12])
    }
}
