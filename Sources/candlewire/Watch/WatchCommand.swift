import ArgumentParser
import FinanceChartsKit
import Foundation
import HTTPTransport
import MarketFeeds
import MarketServices
import StreamCore
import TradingCore
import WebSocketTransport

/// `candlewire watch`: live candles in the terminal.
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Draw a symbol's live candles in the terminal.",
        discussion: """
            Connects to a candlewire server, draws its history and then the live candles. A lost connection comes back by itself,
            with what was missed.

            KEYS
              up, down (or p, n)     the server's previous or next symbol
              left, right (or T, t)  a shorter or longer timeframe
              + and -                wider or narrower candles
              q                      end

            EXAMPLES
              candlewire watch BTC-USD
              candlewire watch ETH-USD --url wss://example.com/v1/stream --timeframe 5m
              candlewire watch BTC-USD --once > frame.txt

            Colours are left out where NO_COLOR is set, block characters where the locale is not UTF-8.

            EXIT CODES
              0 ended by q or a signal, or the frame is written, 64 wrong usage,
              66 the server does not know the symbol, 69 no connection
            """)

    @Argument(help: ArgumentHelp("What to show. Default: the server's first market.", valueName: "SYMBOL"))
    var symbol: String?

    @Option(help: ArgumentHelp("The server's stream.", valueName: "url"))
    var url = "ws://127.0.0.1:8080/v1/stream"

    @Option(help: "Length of a candle: \(Timeframe.allowedNames).", transform: ChartCommand.timeframe)
    var timeframe = Timeframe.m1

    @Flag(help: "Write one frame and end. Without a terminal it is plain text of 80 x 24 characters.")
    var once = false

    @Option(help: ArgumentHelp("A file with the token that the server requires.", valueName: "file"))
    var tokenFile: String?

    func run() async throws {
        try await Failure.exitCleanly {
            guard once || Terminal.isInteractive else {
                throw FeedError(
                    .usage, "The output is not a terminal; --once writes one frame of plain text to it.")
            }
            let client = try StreamClient(url: url, configuration: configuration())
            let names = await Self.markets(ofStream: url)
            guard let symbol = symbol ?? names.first else { throw isUnreachable }
            let state = WatchState(symbol: symbol, timeframe: timeframe, symbols: names)
            var style = TerminalStyle(environment: ProcessInfo.processInfo.environment)
            if once {
                if Terminal.size == nil {
                    style.hasColours = false
                    style.hasEscapes = false
                }
                try await writeFrame(client, state, style)
            } else {
                var session = WatchSession(client: client, state: state, style: style)
                await session.run(on: Terminal())
            }
        }
    }

    /// - Returns: none where the server has no such list or cannot be reached within 5 s: the stream decides then.
    private static func markets(ofStream url: String) async -> [String] {
        guard let address = try? ServerAddress(url) else { return [] }
        var settings = LiveServiceSettings(url: address.base)
        settings.requestTimeout = 5
        settings.retry.attempts = 1
        let services = try? LiveServiceContainer<Paper>(settings)
        // Letting go of the container ends its requests.
        defer { withExtendedLifetime(services) {} }
        return (try? await services?.markets.fetchMarkets().map(\.symbol)) ?? []
    }

    private func configuration() throws -> StreamClientConfiguration {
        var configuration = StreamClientConfiguration()
        if let token = try ServerOptions.token(tokenFile) { configuration.token = { _ in token } }
        return configuration
    }

    /// The first whole picture, as lines of text.
    private func writeFrame(_ client: StreamClient, _ initial: WatchState, _ style: TerminalStyle) async throws {
        let stream = client.subscribe(initial.symbol, initial.timeframe, history: 1000, maxRate: 10)
        client.connect()
        let timeout = Task { [client] in
            if (try? await Task.sleep(for: .seconds(10))) != nil { client.disconnect(); stream.cancel() }
        }
        defer { timeout.cancel() }
        var state = initial
        for await event in stream.events {
            state.apply(event)
            if let refusal = state.refusal { throw CommandFailure(66, refusal) }
            guard state.hasBars else { continue }
            state.apply(.open)
            let size = Terminal.shownSize
            let lines = state.lines(
                columns: size.columns, rows: size.rows, style: style, hints: "", now: Date().timeIntervalSince1970)
            client.disconnect()
            Console.write(lines.joined(separator: "\n") + "\n")
            return
        }
        throw isUnreachable
    }

    private var isUnreachable: CommandFailure {
        CommandFailure(69, "There is no candlewire server at \(url); --url names one.")
    }
}
