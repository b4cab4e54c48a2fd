import HTTPTransport
import MarketServices
import Testing
import TradingCore

@Suite("The live container keeps the contract", .timeLimit(.minutes(15)))
struct LiveContractTests {
    @Test("what knows the protocols alone runs on it, against a real server")
    func keeps() async throws {
        try await RunningServer.with { server in
            for contract in ContainerContract.all {
                var settings = LiveServiceSettings(url: server.url)
                settings.healthInterval = 0.05
                let services = try LiveServiceContainer<Paper>(settings)
                try await services.connect()
                do {
                    try await contract.check(services)
                } catch {
                    Issue.record(error, "\(contract.testDescription)")
                }
                await services.shutDown()
            }
        }
    }

    @Test("an account of another mode, or none, is refused when connecting; so is a server that is not there")
    func refused() async throws {
        try await RunningServer.with { server in
            let live = try LiveServiceContainer<Live>(LiveServiceSettings(url: server.url))
            let mode = await serviceError { try await live.connect() }
            #expect(mode?.kind == .notFound || mode?.kind == .wrongAccount || mode?.kind == .rejected)
            let other = try LiveServiceContainer<Paper>(LiveServiceSettings(url: server.url, account: "nobody"))
            let account = await serviceError { try await other.connect() }
            #expect(account?.kind == .notFound)
        }
        var settings = LiveServiceSettings(url: "http://127.0.0.1:1")
        settings.retry.attempts = 1
        let gone = try LiveServiceContainer<Paper>(settings)
        let network = await serviceError { try await gone.connect() }
        #expect(network?.kind == .network && network?.mayHaveHappened == false)
    }
}
