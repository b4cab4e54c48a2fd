import MarketModel
import Testing
import TradingCore

/// When each of the named models fills what: the table of `Docs/paper-trading.md`.
@Suite("Fill models by name")
struct FillModelTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var model: FillModelName
        /// Fills of a buy of 7 at the market after a trade of 100 with a volume of 5.
        var market: [String]
        /// Fills of a buy of 7 with the limit 98, after each of these trades: at 98, then at 97, each with a volume of 5.
        var touched: [String]
        var passed: [String]
    }

    static let cases = [
        Case(
            testDescription: "volume", model: .volume, market: ["100 x 5"], touched: ["98 x 5"],
            passed: ["98 x 5", "98 x 2"]),
        Case(
            testDescription: "immediate", model: .immediate, market: ["100 x 7"], touched: ["98 x 7"],
            passed: ["98 x 7"]),
        Case(testDescription: "through", model: .through, market: ["100 x 7"], touched: [], passed: ["98 x 7"]),
        Case(
            testDescription: "spread", model: .spread, market: ["100.05 x 7"], touched: ["98 x 7"], passed: ["98 x 7"]),
        Case(testDescription: "random", model: .random, market: ["100 x 7"], touched: [], passed: []),
    ]

    private static func desk(_ model: FillModelName) -> Desk {
        var settings = Desk.plain
        model.apply(to: &settings)
        return Desk(settings)
    }

    @Test("fills market orders, limit orders that are touched, and those that are traded through", arguments: cases)
    func fills(testCase: Case) {
        var desk = Self.desk(testCase.model)
        desk.trade(100, 5)
        desk.order(.buy, "7")
        #expect(desk.fills == testCase.market)

        desk = Self.desk(testCase.model)
        desk.trade(100, 5)
        desk.order(.buy, "7", .limit, limit: "98")
        #expect(desk.fills.isEmpty)
        desk.trade(98, 5)
        #expect(desk.fills == testCase.touched)
        desk.trade(97, 5)
        #expect(desk.fills == testCase.passed)
    }

    @Test("through: a sell limit needs a trade above it; a limit that the market is beyond trades at once")
    func throughSells() {
        var desk = Self.desk(.through)
        desk.trade(100, 1)
        desk.order(.sell, "2", .limit, limit: "101")
        desk.trade(101, 9)
        #expect(desk.fills.isEmpty)
        desk.trade(101.5, 9)
        desk.order(.buy, "1", .limit, limit: "102")
        #expect(desk.fills == ["101 x 2", "101.5 x 1"])
        let receipts = desk.log.compactMap(\.event.fill).map(\.receipt)
        #expect(receipts.allSatisfy { $0.model == "through" })
        #expect(receipts.first?.rule == "The market traded beyond the limit: filled at the limit.")
    }

    @Test("random: draws every ten seconds until the chance comes, at the limit")
    func random() {
        var desk = Self.desk(.random)
        desk.trade(100, 5)
        desk.order(.buy, "7", .limit, limit: "98")
        for _ in 0..<300 where desk.fills.isEmpty { desk.trade(100, 1) }
        #expect(desk.fills == ["98 x 7"])
    }

    @Test("each name sets settings that are known by it, without problems", arguments: FillModelName.allCases)
    func names(model: FillModelName) {
        var settings = PaperSettings(slippageModel: .basisPoints(1))
        #expect(FillModelName(settings) == nil)
        model.apply(to: &settings)
        #expect(FillModelName(settings) == model && settings.problems.isEmpty)
        #expect(model.summary.hasSuffix("."))
    }

    @Test("the server's default is the settings' default")
    func standard() { #expect(FillModelName(PaperSettings()) == .volume) }
}
