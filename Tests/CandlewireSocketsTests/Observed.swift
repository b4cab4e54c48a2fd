import CandlewireSockets
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A socket whose events are written down.
struct Observed {
    let socket: WebSocket
    let journal = Journal()
    let queue = DispatchQueue(label: "callbacks")

    init(_ url: String, certPinner: FoundationSecurity? = nil, compression: WSCompression? = nil) {
        var request = URLRequest(url: URL(string: url)!)
        // The machine may be busy with other tests.
        request.timeoutInterval = 60
        socket = WebSocket(request: request, certPinner: certPinner, compressionHandler: compression)
        socket.callbackQueue = queue
        let journal = journal
        socket.onEvent = { journal.note(describe($0)) }
    }

    /// All events so far, when those that are under way have been handled.
    var ends: [String] {
        queue.sync {}
        return journal.entries
    }
}

func describe(_ event: WebSocketEvent) -> String {
    switch event {
    case .connected: "connected"
    case .disconnected(let reason, let code): "disconnected \(code) \(reason)"
    case .text(let text): "text \(text.prefix(20))"
    case .binary(let data): "binary \(data.count)"
    case .pong(let data): "pong \(String(decoding: data ?? Data(), as: UTF8.self))"
    case .ping(let data): "ping \(String(decoding: data ?? Data(), as: UTF8.self))"
    case .error(let error): "error \(describe(error))"
    case .viabilityChanged(let isViable): "viable \(isViable)"
    case .reconnectSuggested(let isSuggested): "reconnect \(isSuggested)"
    case .cancelled: "cancelled"
    case .peerClosed: "peer closed"
    }
}

private func describe(_ error: (any Error)?) -> String {
    switch error {
    case let error as WSError: "\(error.type) \(error.code)"
    case HTTPUpgradeError.notAnUpgrade(let status, let headers)?: "HTTP \(status) \(headers["WWW-Authenticate"] ?? "")"
    default: "\(String(describing: error))"
    }
}
