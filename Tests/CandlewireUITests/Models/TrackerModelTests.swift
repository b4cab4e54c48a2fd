import CandlewireUI
import Foundation
import MarketFeeds
import Synchronization
import TestKit
import Testing

@MainActor
@Suite("The tracker, and what the system says of the network")
struct TrackerModelTests {
    @Test("List and detail show the same prices, sorted; a stock that there is none of has no detail")
    func follows() async throws {
        let echo = try await LoopbackEcho.start()
        var configuration = TrackerConfiguration()
        configuration.interval = 0.02
        let client = try TrackerClient(TrackedStock.bundled, url: echo.url, configuration: configuration, seed: 3)
        let model = TrackerModel(client, formats: Formats(locale: Locale(identifier: "en_US")))
        let running = Task { await model.run(every: 0.01) }
        let deadline = ContinuousClock.now + .seconds(20)
        while model.rows.allSatisfy({ !$0.isFlashing }) || model.connection != .connected, .now < deadline {
            await Task.yield()
        }
        #expect(model.connection == .connected)
        #expect(model.rows.count == TrackedStock.bundled.count)
        model.order = .symbol
        let symbols = TrackedStock.bundled.map(\.symbol).sorted()
        while model.rows.map(\.symbol) != symbols, .now < deadline { await Task.yield() }
        #expect(model.rows.map(\.symbol) == symbols)
        let row = model.rows[0]
        let detail = try #require(model.detail(row.symbol))
        #expect(detail.row == row)
        #expect(detail.figures.map(\.name) == ["Initial price", "Change"])
        #expect(model.detail("XYZ") == nil)
        running.cancel()
        await running.value
        await client.shutDown()
        await echo.stop()
    }

    @Test(
        "A listener receives each change of the network once, and of the first report only that there is none",
        arguments: [
            ([true], []), ([false], [false]), ([true, false, false, true, true], [false, true]),
            ([false, true], [false, true]),
        ] as [([Bool], [Bool])])
    func network(reports: [Bool], changes: [Bool]) async {
        let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
        let watch = NetworkWatch(stream)
        let received = Mutex<[Bool]>([])
        watch.add { isAvailable in received.withLock { $0.append(isAvailable) } }
        for report in reports { continuation.yield(report) }
        continuation.finish()
        await watch.run()
        #expect(received.withLock { $0 } == changes)
        #expect(watch.isAvailable == reports.last)
    }
}
