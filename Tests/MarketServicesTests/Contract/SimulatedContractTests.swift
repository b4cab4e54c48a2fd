import MarketModel
import MarketServices
import Testing
import TradingCore

@Suite("The simulated container keeps the contract", .timeLimit(.minutes(15)))
struct SimulatedContractTests {
    @Test(
        "what knows the protocols alone runs on it:",
        arguments: ContainerContract.all)
    func keeps(contract: ContainerContract) async throws {
        var settings = SimulationSettings()
        settings.historyDepth = 86_400
        settings.finestHistory = .m1
        settings.latency = 0.001
        settings.marketInterval = 0.02
        settings.healthInterval = 0.02
        settings.eventInterval = 0.01...0.05
        // A limit order is filled when its turn comes, which no test of amending it can wait for.
        settings.paper.fillModel = .random(chance: 0, every: 10)
        let services = try SimulatedServiceContainer(settings)
        try await services.connect()
        try await contract.check(services)
        await services.shutDown()
    }
}
