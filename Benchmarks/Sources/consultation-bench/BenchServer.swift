import CandlewireServer
import Foundation
import Logging

/// The server that is measured: a whole one, with a model that keeps the time.
enum BenchServer {
    /// Runs until the process is signalled to stop; prints its port on a line of the standard output.
    static func run(words: Int) async throws {
        let folder = NSTemporaryDirectory() + "candlewire-talk-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var configuration = ServerConfiguration(
            port: 0, feed: .simulated(symbols: ["BTC-USD"]), dataDirectory: folder)
        configuration.consultation.model = .custom(PacedModel(words: words))
        // Each conversation is another user's, and all of them send a question at once.
        configuration.consultation.usersPerLogin = 100_000
        var logger = Logger(label: "bench") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .error
        try await CandlewireServer(configuration, logger: logger).run { progress in
            if case .running(_, let port, _, _, _, _) = progress {
                FileHandle.standardOutput.write(Data("\(port)\n".utf8))
            }
        }
    }
}
