import ArgumentParser
import FinanceChartsKit
import Foundation
import HTTPTransport
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
            Connects to a candlewire server, draws its history and then the live candles. A lost connection comes back \
            by itself, with what was missed.

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
              66 the server does not know the symbol, 69 no connection,
              77 the server requires a token, or does not accept the one given
            """)

    @Argument("What to show. Default: the server's first market.", "SYMBOL") var symbol: String?
    @Option("The server: http://HOST[:PORT] or https://HOST[:PORT]; or its stream, ws://HOST/v1/stream.", "url")
    var url = ServerOptions.ownServer

    @Option(help: "Timeframe: \(Timeframe.allowedNames).", transform: ChartCommand.timeframe)
    var timeframe = Timeframe.m1

    @Flag(help: "Write one frame and end. Without a terminal it is plain text of 80 x 24 characters.") var once = false
    @Option("A file with the token that the server requires.", "file") var tokenFile: String?

    func run() async throws {
        try await Failure.exitCleanly {
            try require(
                once || Terminal.isInteractive,
                "The output is not a terminal; --once writes one frame of plain text to it.")
            let token = try ServerOptions.token(tokenFile)
            var configuration = StreamClientConfiguration()
            if let token { configuration.token = { _ in token } }
            let client = try StreamClient(url: Self.stream(at: url), configuration: configuration)
            let names = try await markets(token: token)
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

    /// The stream of a server, by the address of either.
    private static func stream(at url: String) throws -> String {
        let parts = URLComponents(string: url)
        let isStream = ["ws", "wss"].contains(parts?.scheme?.lowercased()) && !["", "/"].contains(parts?.path)
        guard !isStream else { return url }
        return "ws" + (try ServerAddress(url)).base.dropFirst("http".count) + "/v1/stream"
    }

    /// - Returns: none where the server has no such list or cannot be reached within 5 s: the stream decides then.
    /// - Throws: `CommandFailure` where the server requires another token.
    private func markets(token: String?) async throws -> [String] {
        guard let address = try? ServerAddress(url) else { return [] }
        var settings = LiveServiceSettings(url: address.base)
        settings.requestTimeout = 5
        settings.retry.attempts = 1
        if let token { settings.authorization = { token } }
        let services = try? LiveServiceContainer<Paper>(settings)
        // Letting go of the container ends its requests.
        defer { withExtendedLifetime(services) {} }
        do { return try await services?.markets.fetchMarkets().map(\.symbol) ?? [] } catch {
            guard error.kind != .unauthorized else { throw isUnauthorized }
            return []
        }
    }

    /// The first whole picture, as lines of text.
    private func writeFrame(_ client: StreamClient, _ initial: WatchState, _ style: TerminalStyle) async throws {
        let stream = client.subscribe(initial.symbol, initial.timeframe, history: 1000, maxRate: 10)
        client.connect()
        let timeout = Task { [client] in
            if (try? await Task.sleep(for: .seconds(10))) != nil { client.disconnect(); stream.cancel() }
        }
        defer { timeout.cancel() }
        let refusal = Task { [client] in
            for await case .failed in client.states { return stream.cancel() }
        }
        defer { refusal.cancel() }
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
        throw client.state == .failed(.unauthorized) ? isUnauthorized : isUnreachable
    }

    private var isUnauthorized: CommandFailure {
        CommandFailure(
            77,
            tokenFile.map { "The server at \(url) does not accept the token in \($0)." }
                ?? "The server at \(url) requires a token. Give a file that contains it: --token-file FILE.")
    }

    private var isUnreachable: CommandFailure {
        CommandFailure(69, "No candlewire server answers at \(url). Give another address with --url.")
    }
}

/// Runs `candlewire watch`: each event ends in a picture.
struct WatchSession {
    private enum Event: Sendable {
        case connection(SessionState)
        /// Of the stream with this number: a stream that was left may still have events.
        case stream(Int, StreamEvent)
        case second
    }

    private let client: StreamClient
    private var state: WatchState
    private let style: TerminalStyle
    private var streamNumber = 0
    private var streamTask: Task<Void, Never>?

    init(client: StreamClient, state: WatchState, style: TerminalStyle) {
        self.client = client
        self.state = state
        self.style = style
    }

    /// Until `q`, a signal, or the terminal's end. The terminal is given back in any case.
    mutating func run(on terminal: Terminal) async {
        let screen = await TerminalScreen<Event>(terminal)
        defer { screen.leave() }
        screen.watch { [states = client.states] in for await state in states { $0.yield(.own(.connection(state))) } }
        screen.watch { while (try? await Task.sleep(for: .seconds(1))) != nil { $0.yield(.own(.second)) } }
        client.connect()
        subscribe(screen)
        paint(on: screen)
        for await event in screen.events {
            switch event {
            case .key(let key):
                switch state.handle(key) {
                case .quit: return client.disconnect()
                case .otherStream: subscribe(screen)
                case .nothing: continue
                case .repaint: break
                }
            case .resized: screen.clear()
            case .ended: return client.disconnect()
            case .own(.connection(let connection)): state.apply(connection)
            case .own(.stream(let number, let event)):
                guard number == streamNumber else { continue }
                state.apply(event)
            case .own(.second): break
            }
            paint(on: screen)
        }
    }

    private mutating func subscribe(_ screen: TerminalScreen<Event>) {
        streamTask?.cancel()
        streamNumber += 1
        // Ten pictures a second are more than one reads.
        let stream = client.subscribe(state.symbol, state.timeframe, history: 1000, maxRate: 10)
        streamTask = Task { [continuation = screen.continuation, streamNumber] in
            for await event in stream.events { continuation.yield(.own(.stream(streamNumber, event))) }
        }
    }

    private func paint(on screen: TerminalScreen<Event>) {
        let hints =
            style.hasUnicode
            ? "↑↓ symbol · ←→ timeframe · +- width · q quit" : "n/p symbol, t/T timeframe, +/- width, q quit"
        screen.show {
            state.lines(columns: $0, rows: $1, style: style, hints: hints, now: Date().timeIntervalSince1970)
        }
    }
}

/// What `candlewire watch` shows: which stream, its candles, and how the connection stands.
struct WatchState {
    /// What a key does.
    enum Action { case nothing, repaint, otherStream, quit }

    private(set) var symbol: String
    private(set) var timeframe: Timeframe
    private(set) var candleColumns = 2
    /// The server's markets, in its order.
    let symbols: [String]
    private var live: LiveCandles
    private var connection = SessionState.idle
    private var staleAge: Double?
    /// Why the server does not serve this stream.
    private(set) var refusal: String?
    private var precision = 2
    private var precisionBars = 0

    init(symbol: String, timeframe: Timeframe, symbols: [String]) {
        self.symbol = symbol
        self.timeframe = timeframe
        self.symbols = symbols
        live = LiveCandles(timeframe: timeframe, capacity: WatchState.capacity)
    }

    /// More bars than any terminal has columns.
    static let capacity = 2000

    var hasBars: Bool { live.isComplete }

    mutating func handle(_ key: TerminalKey) -> Action {
        switch key {
        case .character("q"), .character("Q"): return .quit
        case .up, .character("p"): return showSymbol(by: -1)
        case .down, .character("n"): return showSymbol(by: 1)
        case .right, .character("t"): return show(symbol, timeframe.next)
        case .left, .character("T"): return show(symbol, timeframe.previous)
        case .character("+"): return widen(by: 1)
        case .character("-"): return widen(by: -1)
        default: return .nothing
        }
    }

    private mutating func widen(by columns: Int) -> Action {
        let requested = min(max(candleColumns + columns, 1), 8)
        guard requested != candleColumns else { return .nothing }
        candleColumns = requested
        return .repaint
    }

    private mutating func showSymbol(by step: Int) -> Action {
        guard !symbols.isEmpty else { return .nothing }
        let index = symbols.firstIndex(of: symbol).map { $0 + step } ?? 0
        return show(symbols[(index + symbols.count) % symbols.count], timeframe)
    }

    private mutating func show(_ symbol: String, _ timeframe: Timeframe) -> Action {
        guard symbol != self.symbol || timeframe != self.timeframe else { return .nothing }
        self.symbol = symbol
        self.timeframe = timeframe
        live = LiveCandles(timeframe: timeframe, capacity: WatchState.capacity)
        staleAge = nil
        refusal = nil
        precisionBars = 0
        return .otherStream
    }

    mutating func apply(_ event: StreamEvent) {
        live.apply(event)
        switch event {
        case .stale(let age): staleAge = age
        case .fresh, .tick: staleAge = nil
        case .refused(_, let message): refusal = message
        case .snapshot: precisionBars = 0
        case .subscribed, .candle, .skipped, .gap: break
        }
        let series = live.series
        if series.count != precisionBars {
            precisionBars = series.count
            precision = PricePrecision.digits(of: (0..<series.count).map { series[$0] })
        }
    }

    mutating func apply(_ state: SessionState) { connection = state }

    /// - Parameter now: seconds since 1970 UTC.
    func status(now: Double) -> (text: String, isLive: Bool) {
        if let refusal { return (refusal, false) }
        switch connection {
        case .open:
            if let staleAge { return ("STALE \(Int(min(staleAge, 1e9))) s", false) }
            return live.isComplete ? ("LIVE", true) : ("LOADING", false)
        case .idle, .connecting, .authenticating: return ("CONNECTING", false)
        case .waiting(let until): return ("RECONNECTING in \(max(0, Int(min(until - now, 1e6).rounded(.up)))) s", false)
        case .closed: return ("CLOSED", false)
        case .failed(let reason): return (WatchState.sentence(reason), false)
        }
    }

    private static func sentence(_ failure: SessionFailure) -> String {
        switch failure {
        case .closeCode(let code, let reason): "DISCONNECTED: closed with \(code.rawValue) \(reason)"
        case .refused(let status): "DISCONNECTED: the server answered \(status)"
        case .unauthorized: "DISCONNECTED: the token was not accepted"
        case .attemptsExhausted: "DISCONNECTED: could not connect"
        }
    }

    func lines(columns: Int, rows: Int, style: TerminalStyle, hints: String, now: Double) -> [String] {
        let painter = TerminalPainter(
            columns: columns, rows: rows, style: style, candleColumns: candleColumns, precision: precision)
        let (status, isLive) = status(now: now)
        return painter.lines(
            live.series, symbol: symbol, timeframe: timeframe, status: status, isLive: isLive, hints: hints)
    }
}
