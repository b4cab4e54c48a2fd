import MarketModel
import MarketServices
import TestKit
import TradingCore

/// A simulated container on a clock that stands still, and what tests do with it.
struct Simulation {
    /// 21 November 2024, 12:00 UTC.
    static let start = 1_732_190_400.0

    let clock = ManualClock()
    let services: SimulatedServiceContainer

    /// - Parameter change: to settings with four markets, a day of the past, no latency and no events of chance.
    init(_ change: (inout SimulationSettings) -> Void = { _ in }) throws {
        var settings = SimulationSettings()
        settings.historyDepth = 86_400
        settings.finestHistory = .m1
        settings.latency = 0
        settings.eventTemplates = []
        settings.markets = ["BTC-USD", "ETH-USD", "SOL-USD", "LINK-USD"].compactMap(SimulatedMarket.named)
        change(&settings)
        services = try SimulatedServiceContainer(settings, clock: ServiceClock(clock, startingAt: Self.start))
    }

    /// The same, connected.
    static func connected(_ change: (inout SimulationSettings) -> Void = { _ in }) async throws -> Simulation {
        let simulation = try Simulation(change)
        try await simulation.services.connect()
        return simulation
    }

    /// One cycle of the markets.
    func turn(_ count: Int = 1) {
        clock.advance(by: .seconds(2 * count))
    }
}

extension OrderRequest {
    static func market(
        _ id: String, _ side: Side, _ quantity: ExactDecimal, _ symbol: String = "BTC-USD", leverage: Int = 5
    ) -> OrderRequest {
        OrderRequest(
            clientOrderID: id, symbol: symbol, side: side, type: .market, quantity: quantity, leverage: leverage)
    }

    static func limit(
        _ id: String, _ side: Side, _ quantity: ExactDecimal, at price: ExactDecimal, _ symbol: String = "BTC-USD",
        leverage: Int = 5
    ) -> OrderRequest {
        OrderRequest(
            clientOrderID: id, symbol: symbol, side: side, type: .limit, quantity: quantity, limitPrice: price,
            leverage: leverage)
    }
}

extension AsyncSequence where Failure == Never {
    /// The first element that is wanted.
    func first(_ isWanted: (Element) -> Bool) async -> Element? {
        for await element in self where isWanted(element) { return element }
        return nil
    }
}
