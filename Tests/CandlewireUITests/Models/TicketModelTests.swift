import CandlewireUI
import Foundation
import MarketServices
import TestKit
import Testing
import TradingCore

@MainActor
@Suite("The order ticket")
struct TicketModelTests {
    let clock = ManualClock(startingAt: 1_732_060_800)
    let formats = Formats(locale: Locale(identifier: "en_US"), timeZone: .gmt)
    let trading: ScriptedTrading
    let services: SimulatedServiceContainer
    let market: MarketInfo

    init() async throws {
        var settings = SimulationSettings()
        settings.latency = 0
        settings.historyDepth = 3600
        let time = ServiceClock(clock, startingAt: 1_732_060_800)
        services = try SimulatedServiceContainer(settings, clock: time)
        try await services.connect()
        trading = ScriptedTrading(services.trading)
        market = try await services.markets.fetchMarkets()[0]
    }

    private func ticket() -> TicketModel<Paper> {
        TicketModel(market, trading, clock: ServiceClock(clock, startingAt: 0), formats: formats)
    }

    @Test(
        "Each type has its fields",
        arguments: [
            (OrderType.market, ["quantity"]), (.limit, ["quantity", "limit_price"]),
            (.stop, ["quantity", "stop_price"]),
            (.stopLimit, ["quantity", "stop_price", "limit_price"]), (.trailingStop, ["quantity", "trail"]),
        ])
    func fields(type: OrderType, names: [String]) {
        let ticket = ticket()
        ticket.type = type
        #expect(ticket.fields.map(\.rawValue) == names + ["take_profit", "stop_loss"])
    }

    @Test(
        "Says what is no number above zero, and cannot be sent with it",
        arguments: [
            ("abc", "Enter a number, for example 1,234.50."), ("1,5", "Enter a number, for example 1,234.50."),
            ("0", "Enter a number above 0."), ("-1", "Enter a number above 0."), ("", nil), ("0.1", nil),
        ] as [(String, String?)])
    func numbers(text: String, problem: String?) {
        let ticket = ticket()
        ticket.quantity = text
        #expect(ticket.problem(.quantity) == problem)
        #expect(ticket.canSend == (text == "0.1"))
    }

    @Test("Requests one preview once nothing changes for a moment, and shows its figures")
    func preview() async {
        let ticket = ticket()
        for text in ["0.0", "0.01", "0.012"] { ticket.quantity = text }
        #expect(await wait(clock) { ticket.preview != nil })
        #expect(trading.previews.map(\.quantity) == [ExactDecimal("0.012")])
        #expect(ticket.figures.map(\.name).contains("Cost"))
        #expect(ticket.problems.isEmpty)
        ticket.quantity = "0.02"
        #expect(ticket.preview == nil, "what is shown is of the order as it is")
    }

    @Test("An order that the service refuses is not sent, with the reason in view")
    func refused() async {
        let ticket = ticket()
        ticket.quantity = "1000000"
        #expect(await wait(clock) { ticket.preview != nil })
        #expect(!ticket.canSend)
        let reasons = ticket.problems + ticket.fields.compactMap { ticket.problem($0) }
        #expect(!reasons.isEmpty)
        await ticket.send()
        #expect(trading.placed.isEmpty)
    }

    @Test("What was meant for one order alone is not carried into the next")
    func bracket() async throws {
        let ticket = ticket()
        let price = try #require(market.price)
        ticket.quantity = "0.01"
        ticket.takeProfit = formats.price(price * 1.5, precision: 2)
        ticket.stopLoss = formats.price(price * 0.5, precision: 2)
        await ticket.send()
        #expect(ticket.refusal == nil)
        #expect(ticket.placed?.takeProfit != nil)
        #expect((ticket.takeProfit, ticket.stopLoss, ticket.quantity) == ("", "", "0.01"))
        await ticket.send()
        #expect(trading.placed.count == 2)
        #expect(trading.placed[1].takeProfit == nil && trading.placed[1].stopLoss == nil)
        #expect(Set(trading.placed.map(\.clientOrderID)).count == 2)
    }

    @Test("An order whose answer was lost is sent again with the same id, whatever was typed meanwhile")
    func lostAnswer() async {
        let ticket = ticket()
        ticket.quantity = "0.01"
        trading.fail(with: ServiceError(.network, message: "The connection broke.", mayHaveHappened: true))
        await ticket.send()
        #expect(ticket.isUncertain && ticket.canSend)
        #expect(ticket.problems == ["The connection broke."])
        ticket.quantity = "5"
        await ticket.send()
        #expect(trading.placed.count == 2)
        #expect(trading.placed[0] == trading.placed[1])
        #expect(!ticket.isUncertain && ticket.placed != nil)
    }

    @Test("An order that surely failed gets a new id; so does one after the ticket was unlocked")
    func failed() async {
        let ticket = ticket()
        ticket.quantity = "0.01"
        let lost = ServiceError(.timedOut, message: "No answer.", mayHaveHappened: true)
        trading.fail(with: ServiceError(.network, message: "The server cannot be reached."), lost)
        await ticket.send()
        #expect(!ticket.isUncertain && ticket.canSend)
        await ticket.send()
        #expect(ticket.isUncertain)
        ticket.unlock()
        #expect(!ticket.isUncertain)
        await ticket.send()
        #expect(Set(trading.placed.map(\.clientOrderID)).count == 3)
    }

    @Test("Keeps the leverage of the position that the order adds to")
    func keepsLeverage() async throws {
        let price = try #require(market.price)
        _ = try await services.trading.place(
            OrderRequest(
                clientOrderID: "opening", symbol: market.symbol, side: .buy, type: .market,
                quantity: try #require(ExactDecimal("0.01")), leverage: 5))
        let ticket = ticket()
        ticket.type = .limit
        ticket.quantity = "0.01"
        ticket.limitPrice = formats.price(price * 0.9, precision: 2)
        await ticket.send()
        #expect(ticket.refusal == nil)
        #expect(ticket.placed?.leverage == 5)
        let positions = try await services.trading.fetchPositions()
        #expect(positions.filter { $0.symbol == market.symbol }.map(\.leverage) == [5])
    }

    @Test("Offers no more leverage than the market has, else than the service's usual one")
    func maxLeverage() {
        var market = market
        #expect(market.maxLeverage == PaperSettings().maxLeverage, "the simulated exchange says it")
        market.maxLeverage = 20
        let ticket = TicketModel(market, trading, formats: formats)
        ticket.leverage = 50
        #expect((ticket.maxLeverage, ticket.leverage, ticket.leverageChoices.last) == (20, 20, 20))
        market.maxLeverage = nil
        #expect(TicketModel(market, trading, formats: formats).maxLeverage == 100)
    }

    @Test("Follows the market’s leverage until another one is chosen, which must be one that the service allows")
    func choosesLeverage() async throws {
        let price = try #require(market.price)
        let ticket = ticket()
        let running = Task { await ticket.run() }
        defer { running.cancel() }
        #expect((ticket.leverage, ticket.leverageNotice) == (1, nil))
        for (chosen, leverage) in [(0, 1), (500, 100), (7, 7)] {
            ticket.leverage = chosen
            #expect(ticket.leverage == leverage)
            #expect(ticket.leverageChoices.contains(leverage))
        }
        ticket.leverage = 1
        // A waiting order decides as a position does.
        _ = try await services.trading.place(
            OrderRequest(
                clientOrderID: "waiting", symbol: market.symbol, side: .buy, type: .limit,
                quantity: try #require(ExactDecimal("0.01")),
                limitPrice: formats.number(formats.price(price * 0.9, precision: 2)), leverage: 5))
        #expect(await wait { ticket.leverage == 5 })
        ticket.leverage = 3
        #expect(
            ticket.leverageNotice
                == "Your position and orders in \(market.symbol) change from 5× to 3× leverage.")
        ticket.isReduceOnly = true
        #expect(ticket.leverageNotice == nil, "such an order changes no leverage")
        ticket.isReduceOnly = false
        ticket.quantity = "0.01"
        await ticket.send()
        #expect((ticket.refusal, ticket.placed?.leverage) == (nil, 3))
        #expect(await wait { ticket.leverageNotice == nil })
        _ = try await services.trading.cancelAll(symbol: nil)
        _ = try await services.trading.closePosition(symbol: market.symbol)
        #expect(await wait { ticket.leverage == 1 }, "what was chosen was for the position, which is gone")
    }

    @Test("Nothing is sent while no order can be")
    func closed() async {
        let ticket = ticket()
        ticket.quantity = "0.01"
        ticket.blockReason = "Not connected."
        await ticket.send()
        #expect(trading.placed.isEmpty)
        #expect(ticket.problems == ["Not connected."])
    }
}
