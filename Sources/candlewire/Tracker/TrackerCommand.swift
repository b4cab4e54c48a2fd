import ArgumentParser
import FinanceChartsKit
import Foundation
import MarketFeeds
import NIOCore
import StreamCore
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

    @Option("A JSON array of {initial_price, company, description, symbol}, and delta_price if you like.", "file")
    var stocks: String?

    @Option("An echo server: ws:// or wss://host[:port]/path.", "url") var url: String?
    @Flag(help: "A connection for each stock instead of one for all.") var perStock = false

    @Option(
        help: "The list's order: price (highest first), symbol or change (largest first).",
        transform: TrackerCommand.order)
    var sort = StockOrder.Key.price

    @Flag(help: "Write every stock once, when its first price has come, and end.") var once = false
    @Option(signed: "From one price of a stock to its next.", "seconds") var interval = TrackerConfiguration().interval

    @Option(
        signed:
            "Without a terminal: how long to wait for the first price, with --once for one of each stock. Default: 20 and "
            + "the interval.", "seconds")
    var timeout: Double?

    @Option(signed: "Where a candlewire server of this machine is looked for when there is no --url.") var port = 8080
    @Option(help: "The same seed makes the same prices. Default: another one each time.") var seed: UInt64?
    @OptionGroup(title: "TLS") var tls: TLSOptions

    private static func order(_ text: String) throws -> StockOrder.Key {
        try valid(StockOrder.Key(rawValue: text), "“\(text)” is not a sort order; use price, symbol or change.")
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
                if !once, Terminal.isInteractive {
                    let style = TerminalStyle(environment: ProcessInfo.processInfo.environment)
                    try await TrackerSession(client: client, server: server, sort: sort, style: style).run(
                        on: Terminal())
                } else {
                    let lines = TrackerLines(client, stocks, server, timeout: timeout ?? interval + 20)
                    if once { try await lines.writeOnce(order: sort) } else { try await lines.follow() }
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

    private func configuration(for stocks: [TrackedStock]) throws -> TrackerConfiguration {
        try require(
            (0.05...3600).contains(interval), "--interval must be from 0.05 to 3600 seconds; it is \(interval).")
        try require(
            timeout.map { $0 > 0 && $0 <= 86_400 } ?? true,
            "--timeout must be above 0 and up to 86400 seconds; it is \(timeout ?? 0).")
        try require((1...65_535).contains(port), "--port must be a number from 1 to 65535; it is \(port).")
        try require(
            !perStock || stocks.count <= TrackerConfiguration.maxConnections,
            "--per-stock is for up to \(TrackerConfiguration.maxConnections) stocks; the list has \(stocks.count).")
        var configuration = TrackerConfiguration()
        configuration.interval = interval
        configuration.connectsPerStock = perStock
        return configuration
    }
}

/// Where the tracker's messages go.
struct EchoServer {
    let url: String
    /// The one of this program, where there is no other.
    let own: LoopbackEcho?

    /// For people, without secrets.
    var name: String { own == nil ? WebSocketURL.redacted(url) : "in this program" }

    /// - Parameters:
    ///   - url: the one that was requested; `nil`: a server of this machine, or else our own.
    ///   - port: of that server.
    static func find(_ url: String?, port: Int) async throws -> EchoServer {
        if let url {
            _ = try WebSocketURL(url)
            return EchoServer(url: url, own: nil)
        }
        let usual = "ws://127.0.0.1:\(port)/raw"
        if let socket = try? await WebSocketConnector.connect(url: usual, timeout: .seconds(2)) {
            await socket.close(code: .normal, reason: "")
            return EchoServer(url: usual, own: nil)
        }
        let own = try await LoopbackEcho.start()
        return EchoServer(url: own.url, own: own)
    }
}
