import MarketModel
import StreamCore

/// A session on a stage: it gets what happens line by line, it writes down what it does.
///
/// A script line is a time and an input, `12.5 closed 1 1006`; what follows in the transcript is what the session did.
struct SessionStage {
    var session: StreamSession
    private(set) var now = 0.0
    private(set) var lines: [String] = []
    /// The last socket the session opened.
    private(set) var lastSocket = 0
    private var numbers: [String: SubscriptionNumber] = [:]

    init(_ configuration: SessionConfiguration = SessionConfiguration(), seed: UInt64 = 1) {
        session = StreamSession(configuration, seed: seed)
    }

    /// Performs one line, `time input arguments`, or `timer`: the session's own deadline.
    mutating func perform(_ line: Substring) {
        let words = line.split(separator: " ", maxSplits: 1)
        lines.append("> \(words.joined(separator: " "))")
        if words[0] == "timer" {
            guard let deadline = session.deadline else {
                lines.append("no timer")
                return
            }
            now = max(now, deadline)
            lines[lines.count - 1] += " \(SessionText.time(now))"
            session.timerFired(now: now)
        } else {
            now = max(now, Double(words[0])!)
            input(String(words[1]))
        }
        lines += drainActions()
    }

    /// Everything that is to be done now.
    mutating func drainActions() -> [String] {
        var done: [String] = []
        while let action = session.nextAction() {
            if case .open(let socket) = action { lastSocket = socket.rawValue }
            done.append(SessionText.line(action))
        }
        return done
    }

    mutating func input(_ text: String) {
        let words = text.split(separator: " ").map(String.init)
        let first = words.count > 1 ? words[1] : ""
        let socket = SocketNumber(rawValue: Int(first) ?? 0)
        let rest = words.count > 2 ? words[2...].joined(separator: " ") : ""
        switch words[0] {
        case "connect": session.connect(now: now)
        case "disconnect": session.disconnect(now: now)
        case "token": session.setToken(first, now: now)
        case "noTokenNow": session.tokenFailed(now: now)
        case "retryNow": session.retryNow(now: now)
        case "network": session.networkChanged(isAvailable: first == "back", now: now)
        case "hide": session.setHidden(true, now: now)
        case "show": session.setHidden(false, now: now)
        case "subscribe":
            var request = SubscribeRequest(
                symbol: first, timeframe: words.count > 2 ? Timeframe(rawValue: words[2])! : .m1)
            if words.count > 3 { request.maxRate = Double(words[3]) }
            numbers[first] = session.subscribe(request, now: now)
        case "history":
            numbers[first] = session.subscribe(
                SubscribeRequest(symbol: first, timeframe: .m1, history: Int(words[2])!), now: now)
        case "recover":
            let position = StreamPosition(epoch: words[2], offset: Int64(words[3])!)
            numbers[first] = session.subscribe(
                SubscribeRequest(symbol: first, timeframe: .m1, recover: position), now: now)
        case "channel": session.subscribe(channel(words), now: now)
        case "leave": session.unsubscribe(channel(words), now: now)
        case "unsubscribe": session.unsubscribe(number(first), now: now)
        case "pause": session.pause(number(first), now: now)
        case "resume": session.resume(number(first), now: now)
        case "opened": session.opened(socket, now: now)
        case "refused":
            session.refused(
                socket, status: Int(words[2])!, retryAfter: words.count > 3 ? Double(words[3]) : nil, now: now)
        case "closed":
            session.closed(
                socket, code: WebSocketCloseCode(rawValue: UInt16(words[2])!),
                reason: words.count > 3 ? words[3...].joined(separator: " ") : "", now: now)
        case "violated":
            session.closed(
                socket, code: WebSocketCloseCode(rawValue: UInt16(words[2])!), reason: "", detectedHere: true, now: now)
        case "pong": session.pong(on: socket, now: now)
        case "receive": rest.bytes { session.received($0, on: socket, now: now) }
        case "wake": session.timerFired(now: now)
        default: lines.append("what is \(words[0])?")
        }
    }

    private func channel(_ words: [String]) -> ChannelKey {
        ChannelKey(StreamChannel(name: words[1])!, account: words.count > 2 ? words[2] : nil)
    }

    private func number(_ symbol: String) -> SubscriptionNumber {
        numbers[symbol] ?? SubscriptionNumber(rawValue: -1)
    }
}

extension SessionConfiguration {
    /// The default with some fields changed.
    static func with(_ change: (inout SessionConfiguration) -> Void) -> SessionConfiguration {
        var configuration = SessionConfiguration()
        change(&configuration)
        return configuration
    }
}
