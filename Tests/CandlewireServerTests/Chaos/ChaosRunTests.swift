import CandlewireServer
import Foundation
import MarketFeeds
import MarketModel
import StreamCore
import TestKit
import Testing
import WebSocketTransport

/// The promise of the whole session: real client, real server, a network that cuts the connection again and again while
/// a recorded session plays at speed, and at the end the client's candles are the server's.
///
/// `CANDLEWIRE_CHAOS_CUTS` says how often; `make chaos` runs a thousand.
@Suite("Chaos run", .timeLimit(.minutes(15)))
struct ChaosRunTests {
    static let cuts = ProcessInfo.processInfo.environment["CANDLEWIRE_CHAOS_CUTS"].flatMap { Int($0) } ?? 25
    /// Times the recorded speed: some 600 messages a second for each stream.
    static let speed = 20.0
    /// What server, client, proxy and the session itself may take on top of what they hold after the first tenth.
    static let memoryBound = 64 << 20

    @Test("after any number of cuts the client's candles are the server's")
    func run() async throws {
        let seconds = max(6, Double(Self.cuts) * 0.2)
        let session = try ChaosSession.make(seconds: (seconds + 2) * Self.speed)
        defer { try? FileManager.default.removeItem(atPath: session.path) }
        try await RunningServer.with(feed: .replay(path: session.path), speed: .times(Self.speed)) { server in
            let proxy = try await ChaosProxy.start(target: .init(port: server.port), seed: 11)
            let client = try StreamClient(
                url: "ws://127.0.0.1:\(proxy.port)/v1/stream", configuration: Self.configuration, seed: 12)
            let states = Task { await Self.watch(client) }
            // The quick timeframes get everything, the others are conflated by the server, which says so.
            let audits = session.symbols.flatMap { symbol in
                Timeframe.allCases.map { timeframe in
                    StreamAudit(
                        client.subscribe(
                            symbol, timeframe, history: 1000,
                            maxRate: [.s1, .s5, .m1].contains(timeframe) ? nil : 20))
                }
            }
            let readers = audits.map { audit in Task { await audit.run() } }
            client.connect()

            var memory: (start: Int, most: Int)?
            let started = ContinuousClock.now
            var driver = ChaosDriver(proxy: proxy, cuts: Self.cuts, seconds: seconds, seed: 13) {
                await client.diagnostics().session.connects
            }
            try await driver.run { done in
                guard done >= Self.cuts / 10, let now = residentMemory() else { return }
                memory = (memory?.start ?? now, max(memory?.most ?? now, now))
            }
            let elapsed = ContinuousClock.now - started
            // Those that fell silent are still held open for a client.
            let counts = proxy.counts
            try await ReplayTests.waitForEnd(server, pause: .milliseconds(50))
            let differences = try await Self.waitForAgreement(audits, server)
            let end = residentMemory()

            for difference in differences { Issue.record("\(difference)") }
            for audit in audits {
                let now = audit.now
                #expect(now.violations.isEmpty, "\(audit.name): \(now.violations.prefix(5))")
                #expect(now.all.count > 0, "\(audit.name) has no candle")
            }
            if let memory, let end {
                #expect(max(memory.most, end) - memory.start < Self.memoryBound, "memory grew")
            }
            let diagnostics = await client.diagnostics().session
            #expect(counts.cut >= Self.cuts)
            #expect(diagnostics.connects > Self.cuts / 4)
            let givenUp = await {
                states.cancel(); return await states.value
            }()
            #expect(givenUp == 0, "garbled bytes are no final answer of a server")
            #expect(driver.silencesNoticed == driver.silences)
            if Self.cuts >= 200 {
                // What a long run is to show has happened in it.
                #expect(driver.silences > 0 && counts.bytesCorrupted > 0 && diagnostics.recovered > 0)
            }
            let found = audits.map(\.now)
            func megabytes(_ bytes: Int?) -> String { bytes.map { "\($0 >> 20) MiB" } ?? "unknown" }
            print(
                """

                Chaos run: \(session.isReal ? "a recorded" : "a made") session, \(session.trades) trades at \
                \(Int(Self.speed)) times its speed, \(audits.count) streams, \(elapsed.components.seconds) s
                  cuts                 \(counts.cut) (of \(counts.accepted) connections, \(counts.refused) refused)
                  silences             \(driver.silences), noticed \(driver.silencesNoticed)
                  garbled episodes     \(driver.garbled) (\(counts.bytesCorrupted) bytes)
                  outages of 8 s       \(driver.outages)
                  reconnects           \(diagnostics.connects - 1) (given up and begun again: \(givenUp))
                  recovered            \(diagnostics.recovered) streams
                  reloaded             \(diagnostics.reloaded) streams
                  gaps found           \(diagnostics.gaps)
                  duplicates dropped   \(diagnostics.duplicates)
                  skipped, reported    \(diagnostics.skipped) by the server, \
                \(found.reduce(0) { $0 + $1.skipped }) in all
                  malformed            \(diagnostics.malformed)
                  messages             \(diagnostics.messagesIn) in, \(diagnostics.messagesOut) out, \
                \(diagnostics.bytesIn >> 20) MiB in
                  final candles        \(found.reduce(0) { $0 + $1.finalCandles }) reported once, \
                \(found.reduce(0) { $0 + $1.all.count }) candles equal to the server's
                  violations           \(found.reduce(0) { $0 + $1.violations.count })
                  differences          \(differences.count)
                  memory               \(megabytes(memory?.start)) after a tenth, \(megabytes(memory?.most)) at most, \
                \(megabytes(end)) at the end
                """)
            for reader in readers { reader.cancel() }
            client.disconnect()
            await proxy.stop()
        }
    }

    /// As a chart's, but with waits that let a thousand reconnects happen in minutes.
    static var configuration: StreamClientConfiguration {
        var configuration = StreamClientConfiguration()
        configuration.session.backoff = Backoff.Configuration(base: 0.01, cap: 0.1, attempts: 1000, slowRetry: 0.2)
        configuration.session.stableUptime = 0.5
        configuration.session.connectTimeout = 3
        configuration.session.heartbeat.interval = 0.5
        configuration.session.heartbeat.deadline = 1
        configuration.session.subscribesPerSecond = 1000
        // The chaos garbles bytes from the middle of a frame on. That no text survives, but a number does.
        configuration.offersBinary = false
        return configuration
    }

    /// Counts how often the client gave up, and begins again.
    static func watch(_ client: StreamClient) async -> Int {
        var count = 0
        for await state in client.states {
            guard case .failed = state else { continue }
            count += 1
            client.connect()
        }
        return count
    }

    /// Waits until each stream has what the server has, for as long as a busy machine may need.
    /// - Returns: what is still different after that.
    static func waitForAgreement(_ audits: [StreamAudit], _ server: RunningServer) async throws -> [String] {
        var differences: [String] = []
        let deadline = ContinuousClock.now + .seconds(60)
        repeat {
            try await Task.sleep(for: .milliseconds(200))
            differences = []
            for audit in audits { differences += try await compare(audit, server) }
        } while !differences.isEmpty && ContinuousClock.now < deadline
        return differences
    }

    private static func compare(_ audit: StreamAudit, _ server: RunningServer) async throws -> [String] {
        let name = audit.subscription.timeframe.rawValue
        let (_, body) = try await server.get(
            "/v1/candles?symbol=\(audit.subscription.symbol)&timeframe=\(name)&limit=5000")
        let now = audit.now
        guard let first = now.all.first else { return ["\(audit.name): nothing came"] }
        let expected = try candles(body).filter { $0.timestamp >= first.timestamp }
        var differences: [String] = []
        let all = (0..<now.all.count).map { now.all[$0] }
        if all != expected { differences.append("\(audit.name): \(difference(all, expected))") }
        let live = (0..<now.live.series.count).map { now.live.series[$0] }
        if live != Array(expected.suffix(live.count)) || live.isEmpty {
            differences.append("\(audit.name), the chart's: \(difference(live, expected.suffix(live.count)))")
        }
        return differences
    }

    private static func difference(_ mine: [Candle], _ servers: some Collection<Candle>) -> String {
        let theirs = Array(servers)
        let mineByTime = Dictionary(mine.map { ($0.timestamp, $0) }, uniquingKeysWith: { a, _ in a })
        let missing = theirs.filter { mineByTime[$0.timestamp] == nil }
        let other = theirs.filter { candle in mineByTime[candle.timestamp].map { $0 != candle } ?? false }
        return "\(mine.count) candles, the server has \(theirs.count); missing \(missing.prefix(3)), "
            + "different \(other.prefix(3))"
    }
}
