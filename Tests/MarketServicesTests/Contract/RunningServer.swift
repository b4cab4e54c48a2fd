import CandlewireServer
import Foundation
import Logging
import MarketFeeds

/// A real server on a free port with the simulated exchange, and a data folder of its own.
struct RunningServer: Sendable {
    let port: Int

    var url: String { "http://127.0.0.1:\(port)" }

    struct NeverStarted: Error {}

    /// Runs a server while `body` uses it.
    static func with(_ body: @Sendable @escaping (RunningServer) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("candlewire-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let symbols = ["BTC-USD", "LTC-USD", "XRP-USD", "ADA-USD", "BCH-USD", "ATOM-USD", "DOT-USD", "AVAX-USD"]
        let configuration = ServerConfiguration(
            port: 0, feed: .simulated(symbols: symbols), seed: 5, rate: 400, dataDirectory: folder.path)
        var logger = Logger(label: "test") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .critical
        let server = CandlewireServer(configuration, logger: logger)
        let (ports, announce) = AsyncStream.makeStream(of: Int.self)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                defer { announce.finish() }
                do {
                    try await server.run { progress in
                        if case .running(_, let port, _, _, _, _) = progress { announce.yield(port) }
                    }
                } catch is CancellationError {
                    // The test is over.
                }
                return false
            }
            group.addTask {
                for await port in ports {
                    try await body(RunningServer(port: port))
                    return true
                }
                throw NeverStarted()
            }
            defer { group.cancelAll() }
            while let isOver = try await group.next() {
                if isOver { return }
            }
        }
    }
}
