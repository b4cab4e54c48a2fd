import FinanceChartsKit
import StreamCore

/// What `candlewire watch` shows: which stream, its candles, and how the connection stands.
struct WatchState {
    /// What a key does.
    enum Wish: Equatable {
        case nothing, repaint, otherStream, quit
    }

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

    mutating func handle(_ key: TerminalKey) -> Wish {
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

    private mutating func widen(by columns: Int) -> Wish {
        let wished = min(max(candleColumns + columns, 1), 8)
        guard wished != candleColumns else { return .nothing }
        candleColumns = wished
        return .repaint
    }

    private mutating func showSymbol(by step: Int) -> Wish {
        guard !symbols.isEmpty else { return .nothing }
        let index = symbols.firstIndex(of: symbol).map { $0 + step } ?? 0
        return show(symbols[(index + symbols.count) % symbols.count], timeframe)
    }

    private mutating func show(_ symbol: String, _ timeframe: Timeframe) -> Wish {
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

    mutating func apply(_ state: SessionState) {
        connection = state
    }

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
        case .closeCode(let code, let reason): "GIVEN UP: closed with \(code.rawValue) \(reason)"
        case .refused(let status): "GIVEN UP: the server answered \(status)"
        case .unauthorized: "GIVEN UP: the token was not accepted"
        case .attemptsExhausted: "GIVEN UP: no connection"
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
