import CandlewireUI
import MarketFeeds
import MarketModel
import Testing
import VenueSimulation

/// A venue's stream over real sockets, against its simulation.
@Suite("A venue as the source of a chart", .timeLimit(.minutes(5)))
struct VenueChartSourceTests {
    @Test("its trades arrive, an outage is reported, and it comes back by itself")
    func streams() async throws {
        let session = try #require(SimulatedVenue.okx.madeSession(seconds: 10))
        var settings = VenueSettings()
        settings.loops = true
        let venue = try await VenueSimulator.start(.okx, session: session, settings: settings)
        var options = FeedClient.Options()
        options.url = venue.baseURL
        let adapter = try #require(FeedCatalogue.adapter(named: "okx"))
        let history = try VenueHistory(try #require(HistoryCatalogue.adapter(for: .okx)))
        let source = VenueChartSource(adapter, options: options, history: history)
        let symbol = try #require(venue.symbols.first)
        var seen: [LiveChartEvent] = []
        var trades = 0
        for await event in try source.events(symbol: symbol, timeframe: .m1) {
            switch event {
            case .trade(let tick):
                #expect(tick.price > 0)
                trades += 1
                if trades == 3 { await venue.cut() }
                if trades >= 3, seen.last == .connected, seen.count > 1 { break }
                continue
            case .disconnected: seen.append(.disconnected(reason: ""))
            default: seen.append(event)
            }
            if seen.filter({ $0 == .connected }).count == 2 { break }
        }
        #expect(seen.first == .connected)
        #expect(seen.contains(.disconnected(reason: "")))
        #expect(seen.last == .connected)
        #expect(trades >= 3)
        await venue.stop()
    }
}
