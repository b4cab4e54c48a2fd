import MarketModel
import StreamCore

/// Actions and events as short lines, for transcripts.
enum SessionText {
    static func line(_ action: SessionAction) -> String {
        switch action {
        case .open(let socket): "open \(socket.rawValue)"
        case .send(let socket, let bytes): "send \(socket.rawValue) \(String(decoding: bytes, as: UTF8.self))"
        case .ping(let socket): "ping \(socket.rawValue)"
        case .close(let socket, let code, let reason):
            "close \(socket.rawValue) \(code.rawValue)\(reason.isEmpty ? "" : " \"\(reason)\"")"
        case .drop(let socket): "drop \(socket.rawValue)"
        case .fetchToken(let wasRejected): "fetchToken\(wasRejected ? " (rejected)" : "")"
        case .emit(let event): line(event)
        }
    }

    static func line(_ event: SessionEvent) -> String {
        switch event {
        case .state(let state): "state \(name(state))"
        case .stream(let number, let event): "#\(number.rawValue) \(line(event))"
        case .channel(let key, let event): "\(key.channel.name)\(key.account.map { " " + $0 } ?? "") \(line(event))"
        case .latency(let seconds): "latency \(time(seconds))"
        case .problem(let code, let message): "problem \(code): \(message)"
        case .unknownMessage(let type): "unknown \(type)"
        case .closing(let seconds): "closing \(time(seconds))"
        }
    }

    static func line(_ event: StreamEvent) -> String {
        switch event {
        case .subscribed(let recovered): "subscribed \(recovered ? "recovered" : "not recovered")"
        case .snapshot(let candles, let reason):
            "snapshot \(reason) [\(candles.map { time($0.close) }.joined(separator: " "))]"
        case .tick(let tick): "tick \(time(tick.price))"
        case .candle(let bar): "candle \(time(bar.candle.close))\(bar.isFinal ? " final" : "")"
        case .skipped(let count): "skipped \(count)"
        case .gap: "gap"
        case .stale(let age): "stale \(time(age))"
        case .fresh: "fresh"
        case .refused(let code, let message): "refused \(code): \(message)"
        }
    }

    static func line(_ event: StreamChannelEvent) -> String {
        switch event {
        case .subscribed(let sequence): "subscribed\(sequence.map { " at \($0)" } ?? "")"
        case .message(let message): message.text
        case .skipped(let count): "skipped \(count)"
        case .refused(let code, let message): "refused \(code): \(message)"
        }
    }

    static func name(_ state: SessionState) -> String {
        switch state {
        case .idle: "idle"
        case .connecting: "connecting"
        case .authenticating: "authenticating"
        case .open: "open"
        case .waiting(let until): "waiting until \(time(until))"
        case .failed(let failure): "failed \(name(failure))"
        case .closed: "closed"
        }
    }

    static func name(_ failure: SessionFailure) -> String {
        switch failure {
        case .closeCode(let code, let reason): "\(code.rawValue) \"\(reason)\""
        case .refused(let status): "status \(status)"
        case .unauthorized: "unauthorized"
        case .attemptsExhausted: "attempts exhausted"
        }
    }

    /// At most three decimals, no trailing zeros.
    static func time(_ seconds: Double) -> String {
        let thousandths = Int((seconds * 1000).rounded())
        let whole = thousandths / 1000
        guard thousandths % 1000 != 0 else { return "\(whole)" }
        var digits = "\(1000 + abs(thousandths % 1000))".dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(whole).\(digits)"
    }
}
