import MarketModel
import StreamCore
import Testing

@testable import MarketFeeds

/// A session, a clock that is set by hand, and what the session wanted, in words: one line an action.
struct FeedScript {
    var session: FeedSession
    var now = 0.0
    /// Trades that came out, by symbol and price.
    var trades: [String] = []

    init(_ adapter: any FeedAdapter, _ symbols: [String], maximumAge: Double? = nil, seed: UInt64 = 1) {
        session = FeedSession(adapter, symbols: symbols, maximumAge: maximumAge, seed: seed)
    }

    /// The actions that are due now.
    mutating func actions() -> [String] {
        var lines: [String] = []
        while let action = session.nextAction() { lines.append(Self.words(action)) }
        return lines
    }

    mutating func connect() -> [String] {
        session.connect(now: now)
        return actions()
    }

    mutating func open(_ socket: Int = 1) -> [String] {
        session.opened(SocketNumber(rawValue: socket), now: now)
        return actions()
    }

    mutating func receive(_ text: String, on socket: Int = 1) -> [String] {
        var copy = text
        copy.withUTF8 {
            _ = session.received(UnsafeRawBufferPointer($0), on: SocketNumber(rawValue: socket), now: now)
        }
        for trade in session.venueSession.trades {
            trades.append("\(session.venueSession.symbols.names[trade.market]) \(trade.tick.price)")
        }
        return actions()
    }

    mutating func close(_ code: WebSocketCloseCode = .abnormal, _ socket: Int = 1) -> [String] {
        session.closed(SocketNumber(rawValue: socket), code: code, reason: "", now: now)
        return actions()
    }

    /// Lets time go by, with the timer fired at each of the session's deadlines.
    mutating func wait(_ seconds: Double) -> [String] {
        let end = now + seconds
        var lines: [String] = []
        while let due = session.deadline, due <= end {
            now = max(now, due)
            session.timerFired(now: now)
            lines += actions()
        }
        now = end
        return lines
    }

    private static func words(_ action: FeedSession.Action) -> String {
        switch action {
        case .open(let socket): "open \(socket.rawValue)"
        case .send(let socket, .text(let text)): "send \(socket.rawValue) \(text)"
        case .send(let socket, .binary(let bytes)): "send \(socket.rawValue) bytes \(bytes)"
        case .ping(let socket): "ping \(socket.rawValue)"
        case .close(let socket, let code, _): "close \(socket.rawValue) \(code.rawValue)"
        case .drop(let socket): "drop \(socket.rawValue)"
        case .fetchToken(let wasRejected): "fetch token\(wasRejected ? " again" : "")"
        case .emit(.state(let state)):
            switch state {
            case .waiting: "waiting"
            case .failed: "failed"
            default: "\(state)"
            }
        case .emit(.live(let symbol)): "live \(symbol)"
        case .emit(.interrupted(let symbol)): "interrupted \(symbol)"
        case .emit(.refused(let symbol, let reason)): "refused \(symbol): \(reason)"
        case .emit(.unanswered(let symbol)): "unanswered \(symbol)"
        case .emit(.missed(let symbol, let count)): "missed \(symbol) \(count)"
        case .emit(.book(.live(let symbol))): "book \(symbol)"
        case .emit(.book(.withheld(let symbol, let fault))): "no book \(symbol): \(fault)"
        case .emit(.book(.fetch(let number, let path))): "fetch \(number) \(path)"
        case .emit(.unavailable(let reason)): "unavailable: \(reason ?? "no more")"
        case .emit(.problem(.server(let code, _))): "problem \(code)"
        case .emit(.problem(.heartbeatMissed)): "silent"
        case .emit(.problem(let problem)): "problem \(problem)"
        }
    }
}
