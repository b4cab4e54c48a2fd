import ArgumentParser
import FinanceChartsKit
import Foundation
import MarketFeeds
import WebSocketTransport

/// `candlewire tracker`: a list of stocks whose prices come back from an echo server.
struct TrackerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tracker",
        abstract: "Track a list of stocks: random prices, sent to an echo server and shown as they come back.",
        discussion: """
            Without --stocks the list has 25 made-up companies. Without --url the echo is that of a candlewire server at \
            127.0.0.1:8080 if one runs there, and otherwise one in this program. The prices are random.

            KEYS
              up, down (or p, n)     choose a stock; the list does not move meanwhile
              enter                  the stock with its description, and back
              s                      stop and start
              o                      another order: by price, symbol, change
              q                      end

            EXAMPLES
              candlewire tracker
              candlewire tracker --stocks stocks.json --sort change
              candlewire tracker --url wss://echo.example.com/raw --per-stock
              candlewire tracker --once
                  every stock once, as plain text
              candlewire tracker | grep AERO
                  without a terminal a line for each price

            EXIT CODES
              0 ended by q or a signal, or the list is written, 64 wrong usage,
              66 the list of stocks cannot be read, 69 no echo server, or not all prices
              came back in time
            """)

    @Option(
        help: ArgumentHelp(
            "A JSON array of {initial_price, company, description, symbol}, and delta_price if you like.",
            valueName: "file"))
    var stocks: String?

    @Option(help: ArgumentHelp("An echo server: ws:// or wss://host[:port]/path.", valueName: "url"))
    var url: String?

    @Flag(help: "A connection for each stock instead of one for all.")
    var perStock = false

    @Option(
        help: "The list's order: price (highest first), symbol or change (largest first).",
        transform: TrackerCommand.order)
    var sort = StockOrder.Key.price

    @Flag(help: "Write every stock once, when its first price has come, and end.")
    var once = false

    @Option(
        parsing: .unconditional, help: ArgumentHelp("From one price of a stock to its next.", valueName: "seconds"))
    var interval = TrackerConfiguration().interval

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Without a terminal: how long to wait for the first price, with --once for one of each stock. Default: 20 and "
                + "the interval.", valueName: "seconds"))
    var timeout: Double?

    @Option(
        parsing: .unconditional,
        help: "Where a candlewire server of this machine is looked for when there is no --url.")
    var port = 8080

    @Option(help: "The same seed makes the same prices. Default: another one each time.")
    var seed: UInt64?

    @OptionGroup(title: "TLS")
    var tls: TLSOptions

    private static func order(_ text: String) throws -> StockOrder.Key {
        guard let key = StockOrder.Key(rawValue: text) else {
            throw ValidationError("“\(text)” is no order; it is price, symbol or change.")
        }
        return key
    }

    func run() async throws {
        try await Failure.exitCleanly {
            let stocks = try self.stocks.map { try StockListReader.stocks(file: $0) } ?? TrackedStock.bundled
            let configuration = try configuration(for: stocks)
            let server = try await EchoServer.find(url, port: port)
            let client = try TrackerClient(
                stocks, url: server.url, configuration: configuration, tls: tls.resolved(),
                seed: seed ?? .random(in: 0...UInt64.max))
            do {
                if once {
                    try await TrackerLines(client, stocks, server, patience: patience).writeOnce(order: sort)
                } else if Terminal.isInteractive {
                    let style = TerminalStyle(environment: ProcessInfo.processInfo.environment)
                    try await TrackerSession(client, server, sort: sort, style: style).run(on: Terminal())
                } else {
                    try await TrackerLines(client, stocks, server, patience: patience).follow()
                }
            } catch {
                await end(client, server)
                throw error
            }
            await end(client, server)
        }
    }

    private func end(_ client: TrackerClient, _ server: EchoServer) async {
        await client.shutDown()
        await server.own?.stop()
    }

    private var patience: Double { timeout ?? interval + 20 }

    private func configuration(for stocks: [TrackedStock]) throws -> TrackerConfiguration {
        guard (0.05...3600).contains(interval) else {
            throw FeedError(.usage, "--interval must be from 0.05 to 3600 seconds; it is \(interval).")
        }
        guard timeout.map({ $0 > 0 && $0 <= 86_400 }) ?? true else {
            throw FeedError(.usage, "--timeout must be above 0 and up to 86400 seconds; it is \(timeout ?? 0).")
        }
        guard (1...65_535).contains(port) else {
            throw FeedError(.usage, "--port must be a number from 1 to 65535; it is \(port).")
        }
        guard !perStock || stocks.count <= TrackerConfiguration.mostConnections else {
            throw FeedError(
                .usage,
                "--per-stock is for up to \(TrackerConfiguration.mostConnections) stocks; the list has \(stocks.count)."
            )
        }
        var configuration = TrackerConfiguration()
        configuration.interval = interval
        configuration.connectsPerStock = perStock
        return configuration
    }
}
