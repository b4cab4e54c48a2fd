import CandlewireUI
import FinanceChartsKit
import MarketFeeds
import MarketModel
import MarketServices
import StreamCore
import TestKit
import Testing
import WebSocketTransport

/// The library's chart against a real server, over a network that fails.
@MainActor
@Suite("A live chart of a server", .timeLimit(.minutes(5)))
struct LiveChartTests {
    private static func wait(_ what: Comment, until isTrue: () -> Bool) async throws {
        for _ in 0..<6_000 {
            if isTrue() { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        Issue.record(what)
    }

    @Test("its bars are the server's, through outages and with older pages")
    func equalsTheServer() async throws {
        try await RunningServer.with(feed: .simulated(symbols: ["BTC-USD"])) { server in
            let proxy = try await ChaosProxy.start(target: .init(port: server.port))
            try await Self.follow(server, through: proxy)
            await proxy.stop()
        }
    }

    private static func follow(_ server: RunningServer, through proxy: ChaosProxy) async throws {
        var settings = LiveServiceSettings(url: "http://127.0.0.1:\(proxy.port)")
        settings.stream.session.backoff = Backoff.Configuration(base: 0.3, cap: 0.5)
        let chart = LiveChart(try ServerChartSource(settings), symbol: "BTC-USD", timeframe: .s1, pageSize: 100)
        let controller = chart.controller
        for _ in 0..<3 {
            let known = controller.lastCandle?.timestamp ?? 0
            try await wait("bars arrive") { chart.status == .live && controller.lastCandle?.timestamp ?? 0 > known + 1 }
            proxy.cutAll()
            try await wait("the outage shows") { if case .reconnecting = chart.status { true } else { false } }
        }
        let cut = try #require(controller.lastCandle?.timestamp)
        try await wait("it is live after the last outage") {
            chart.status == .live && controller.lastCandle?.timestamp ?? 0 > cut + 2
        }
        let bars = (0..<controller.totalCandleCount).compactMap { controller.candle(at: $0) }
        let completed = bars.dropLast()
        #expect(completed.count > 100, "the simulated market has a past")
        let (_, body) = try await server.get("/v1/candles?symbol=BTC-USD&timeframe=1s&limit=1000")
        let served = try candlesByTime(body)
        for bar in completed { #expect(served[bar.timestamp] == bar) }
        let missing = served.keys.filter { time in
            (bars[0].timestamp..<(bars.last?.timestamp ?? 0)).contains(time) && !bars.contains { $0.timestamp == time }
        }
        #expect(missing.isEmpty)
        chart.disconnect()
    }
}
