public import StreamCore

extension StreamSession: ScriptedClient {
    public mutating func opened(socket: Int, now: Double) { opened(SocketNumber(rawValue: socket), now: now) }

    public mutating func refused(socket: Int, status: Int, retryAfter: Double?, now: Double) {
        refused(SocketNumber(rawValue: socket), status: status, retryAfter: retryAfter, now: now)
    }

    public mutating func received(_ text: String, socket: Int, now: Double) {
        Array(text.utf8).withUnsafeBytes { received($0, on: SocketNumber(rawValue: socket), now: now) }
    }

    public mutating func ponged(socket: Int, now: Double) { pong(on: SocketNumber(rawValue: socket), now: now) }

    public mutating func closed(socket: Int, code: WebSocketCloseCode, reason: String, now: Double) {
        closed(SocketNumber(rawValue: socket), code: code, reason: reason, now: now)
    }

    public mutating func nextScriptedAction() -> ScriptedAction<SessionEvent>? {
        switch nextAction() {
        case .open(let socket)?: return .open(socket: socket.rawValue)
        case .send(let socket, let bytes)?:
            return .send(String(decoding: bytes, as: UTF8.self), socket: socket.rawValue)
        case .ping(let socket)?: return .ping(socket: socket.rawValue)
        case .close(let socket, let code, _)?: return .close(code, socket: socket.rawValue)
        case .drop(let socket)?: return .drop(socket: socket.rawValue)
        case .fetchToken(let wasRejected)?: return .other("fetch token, rejected \(wasRejected)")
        case .emit(let event)?: return .event(event)
        case nil: return nil
        }
    }
}
