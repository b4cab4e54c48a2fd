import MarketModel
import Testing
import TradingCore

@Suite("Liquidation")
struct LiquidationTests {
    static var settings: PaperSettings {
        PaperSettings(feeModel: .none, initialCapital: [Money(1000, "USD")], maintenanceRate: d("0.01"))
    }

    @Test("the account is warned, and notified when it is out of danger, before anything is closed")
    func warning() throws {
        var desk = Desk(Self.settings)
        desk.trade(100, 100)
        desk.order(.buy, "50", leverage: 10)
        // Equity 1000 + 50 (p - 100); maintenance 0.5 p; warned where equity <= 0.75 p, at p <= 81.218…
        desk.trade(81.3, 1)
        #expect(!desk.kinds.contains(.liquidationWarned))
        desk.trade(81.2, 1)
        #expect(desk.kinds.last == .liquidationWarned)
        desk.trade(81.25, 1)
        desk.trade(81.1, 1)
        #expect(desk.kinds.filter { $0 == .liquidationWarned }.count == 1)
        desk.trade(85, 1)
        #expect(desk.kinds.last == .marginRestored)
        desk.trade(81, 1)
        #expect(desk.kinds.last == .liquidationWarned)
        #expect(desk.position != nil)
    }

    @Test("at the price that the position names it is closed, whole, and what waits is cancelled")
    func liquidation() throws {
        var desk = Desk(Self.settings)
        desk.trade(100, 100)
        desk.order(.buy, "50", leverage: 10)
        let waiting = desk.order(.buy, "1", .limit, limit: "50", leverage: 10)
        let price = try #require(desk.position?.liquidationPrice)
        #expect(try price.rounded(decimals: 2) == d("80.81"))
        desk.trade(price.doubleValue + 0.01, 1)
        #expect(desk.position != nil)
        desk.trade(price.doubleValue - 0.01, 0.001)
        #expect(desk.position == nil)
        #expect(desk.status(waiting) == .cancelled)
        #expect(desk.kinds.suffix(4) == [.orderCancelled, .orderAccepted, .orderFilled, .liquidated])
        let fill = try #require(desk.log.compactMap(\.event.fill).last)
        #expect(fill.receipt.model == "liquidation" && fill.quantity == 50)
        #expect(desk.portfolio.equity == desk.portfolio.availableBalance)
        #expect(desk.portfolio.writtenOff == 0)
        #expect(try desk.replayed() == desk.exchange.account)
    }

    @Test("a fall through everything is announced too, and a loss beyond the balance is written off")
    func gap() throws {
        var desk = Desk(Self.settings)
        desk.trade(100, 100)
        desk.order(.buy, "50", leverage: 10)
        desk.trade(50, 1)
        #expect(desk.kinds.suffix(4) == [.liquidationWarned, .orderAccepted, .orderFilled, .liquidated])
        #expect(desk.portfolio.equity == 0)
        #expect(desk.portfolio.realizedPnL == -2500)
        #expect(desk.portfolio.writtenOff == 1500)
        #expect(desk.exchange.account.balances["USD"]?.isWarned == false)
        // And life goes on.
        try desk.exchange.deposit(Money(500, "USD"), now: desk.time)
        desk.trade(50, 10)
        desk.order(.sell, "1")
        #expect(desk.position?.side == .short)
    }

    @Test("a short is closed from above, and one currency's end is not another's")
    func currencies() throws {
        var settings = Self.settings
        settings.initialCapital = [Money(1000, "USD"), Money(1000, "EUR")]
        var desk = Desk(settings)
        desk.trade(100, 100)
        desk.trade(100, 100, "BTC-EUR")
        desk.order(.sell, "50", leverage: 10)
        desk.order(.buy, "5", leverage: 10, symbol: "BTC-EUR")
        #expect(desk.exchange.portfolios().map(\.currency) == ["EUR", "USD"])
        desk.trade(150, 1)
        #expect(desk.exchange.positions().map(\.symbol) == ["BTC-EUR"])
        #expect(desk.exchange.portfolios().map(\.equity) == [1000, 0])
    }

    @Test("positions of a currency share their margin: one's profit carries the other's loss")
    func cross() throws {
        var desk = Desk(Self.settings)
        desk.trade(100, 100)
        desk.trade(10, 1000, "ETH-USD")
        desk.order(.buy, "50", leverage: 10)
        desk.order(.sell, "500", leverage: 10, symbol: "ETH-USD")
        desk.trade(8, 1, "ETH-USD")
        desk.trade(70, 1)
        #expect(desk.exchange.positions().count == 2)
        desk.trade(10, 1, "ETH-USD")
        #expect(desk.exchange.positions().isEmpty)
        #expect(try desk.replayed() == desk.exchange.account)
    }
}
