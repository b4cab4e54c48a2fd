import ArgumentParser
import CandlewireServer
import Foundation
import HistoryStore
import Logging
import MarketFeeds

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the server: feed, candles, streams and the terminal page on one port.",
        discussion: """
            EXAMPLES
              candlewire serve
                  the simulated exchange, twelve markets, on http://127.0.0.1:8080/
              candlewire serve --feed sim:BTC-USD,ETH-USD --seed 7 --rate 1000
                  two markets, a thousand trades a second
              candlewire serve --feed replay:coinbase.jsonl.gz --speed 10 --loop
                  a recording, ten times as fast, again and again
            """)

    @Option(help: "Address to listen on. Others than loopback are readable by everyone who reaches them.")
    var host = "127.0.0.1"

    @Option(parsing: .unconditional, help: "Port to listen on; 0 takes any free one.")
    var port = 8080

    @Option(
        help: ArgumentHelp(
            "Where ticks come from: sim, sim:SYMBOL,... or replay:FILE (.jsonl or .jsonl.gz).", valueName: "feed"))
    var feed = "sim"

    @Option(help: "Simulated exchange: the same seed trades the same prices. Stored history stays as it is.")
    var seed: UInt64 = 42

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Simulated exchange: trades a second over all markets.", valueName: "trades-per-second"))
    var rate = ServerConfiguration.defaultRate

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Replay: so many times as fast as recorded, or max.", valueName: "factor"))
    var speed: String?

    @Flag(help: "Replay: begin anew at the end.")
    var loop = false

    @Option(
        help: ArgumentHelp(
            "Replay: whose messages they are, where that cannot be told: \(Venue.allowedNames).", valueName: "venue"))
    var venue: String?

    @Option(help: ArgumentHelp("Folder for the candles; created if missing.", valueName: "folder"))
    var dataDir = DataDirectory.userDefault()

    @Option(help: ArgumentHelp("Folder of the terminal page.", valueName: "folder"))
    var webDir: String?

    @Option(
        help: ArgumentHelp("How much to log: trace, debug, info, notice, warning, error, critical.", valueName: "level")
    )
    var logLevel = "notice"

    func run() async throws {
        guard let level = Logger.Level(rawValue: logLevel) else {
            throw ValidationError(
                "Unknown log level \"\(logLevel)\"; allowed are "
                    + Logger.Level.allCases.map(\.rawValue).joined(separator: ", ") + ".")
        }
        try await Failure.exitCleanly {
            let configuration = try makeConfiguration()
            var logger = Logger(label: "candlewire") { StreamLogHandler.standardError(label: $0) }
            logger.logLevel = level
            try await CandlewireServer(configuration, logger: logger).run { StartScreen.show($0) }
        }
    }

    private func makeConfiguration() throws -> ServerConfiguration {
        let feed = try FeedSpecification(feed)
        guard (0...65_535).contains(port) else {
            throw FeedError(.usage, "The port \(port) must be a number from 0 to 65535.")
        }
        guard (0.01...10_000_000).contains(rate) else {
            throw FeedError(.usage, "The rate \(rate) must be from 0.01 to 10000000 trades a second.")
        }
        guard !dataDir.isEmpty else { throw FeedError(.usage, "The data directory must not be empty.") }
        var configuration = ServerConfiguration(
            host: host, port: port, feed: feed, seed: seed, rate: rate, loops: loop, dataDirectory: dataDir,
            webDirectory: try WebDirectory.find(webDir))
        if let speed { configuration.speed = try ReplaySpeed(speed) }
        if let venue {
            guard let known = Venue(rawValue: venue) else {
                throw FeedError(.usage, "Unknown venue \"\(venue)\"; allowed are \(Venue.allowedNames).")
            }
            configuration.venue = known
        }
        switch feed {
        case .simulated where speed != nil || loop || venue != nil:
            throw FeedError(.usage, "--speed, --loop and --venue belong to a replay; the feed is \"\(self.feed)\".")
        default: return configuration
        }
    }
}
