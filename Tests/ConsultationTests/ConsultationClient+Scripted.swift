public import Consultation
public import StreamCore
public import TestKit

/// Lets a client play against a script, in memory and on a manual clock.
extension ConsultationClient: ScriptedClient {
    public mutating func opened(socket: Int, now: Double) { opened(SocketNumber(rawValue: socket), now: now) }

    public mutating func refused(socket: Int, status: Int, retryAfter: Double?, now: Double) {
        refused(SocketNumber(rawValue: socket), status: status, retryAfter: retryAfter, now: now)
    }

    public mutating func received(_ text: String, socket: Int, now: Double) {
        Array(text.utf8).withUnsafeBytes { received($0, on: SocketNumber(rawValue: socket), now: now) }
    }

    public mutating func ponged(socket: Int, now: Double) {}

    public mutating func closed(socket: Int, code: WebSocketCloseCode, reason: String, now: Double) {
        closed(SocketNumber(rawValue: socket), code: code, reason: reason, now: now)
    }

    public mutating func nextScriptedAction() -> ScriptedAction<String>? {
        switch nextAction() {
        case .open(let socket)?: .open(socket: socket.rawValue)
        case .send(let socket, let frame)?: .send(frame.text, socket: socket.rawValue)
        case .close(let socket, let code, _)?: .close(code, socket: socket.rawValue)
        case .drop(let socket)?: .drop(socket: socket.rawValue)
        case .fetchToken(let wasRejected)?: .event("fetch token, rejected \(wasRejected)")
        case .loginNeeded?: .event("login needed")
        case nil: nil
        }
    }
}

typealias Script = ScriptedTransport<ConsultationClient>

extension ScriptedTransport<ConsultationClient> {
    static func playing(
        _ scripts: [PeerStep]..., configure: (inout ConsultationConfiguration) -> Void = { _ in }
    ) -> Self {
        var configuration = ConsultationConfiguration()
        configure(&configuration)
        let client = ConsultationClient(configuration, epoch: 1_737_972_000, seed: 5)
        return ScriptedTransport(client: client, scripts: scripts)
    }
}

/// A server's frame.
func frame(
    _ type: EnvelopeType, _ id: String, _ content: String? = nil, sequence: Int? = nil, offset: Int? = nil,
    metadata: [String: JSONValue]? = nil
) -> PeerStep {
    .send(
        Envelope(
            type, content: content, messageID: id, timestamp: 1_737_972_000, metadata: metadata, sequence: sequence,
            offset: offset
        ).bytes.text)
}
