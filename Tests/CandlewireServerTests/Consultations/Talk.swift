import Consultation
import NIOHTTP1
import StreamCore
import WebSocketTransport

/// A client of one conversation that reads frames one by one.
final class Talk {
    let socket: WebSocketConnection
    private var events: WebSocketEvents.Iterator
    /// What the answers say, by their ids, put together from the chunks.
    private(set) var texts: [String: String] = [:]
    private(set) var sequence = 0
    private var sent = 0

    init(_ socket: WebSocketConnection) {
        self.socket = socket
        events = socket.events.makeAsyncIterator()
    }

    /// - Throws: where the handshake is refused.
    static func open(_ server: RunningServer, _ id: String, headers: [String: String] = [:]) async throws -> Talk {
        Talk(
            try await WebSocketConnector.connect(
                url: "ws://127.0.0.1:\(server.port)/ws/consultation?consultation_id=\(id)",
                headers: HTTPHeaders(headers.map { ($0, $1) }), timeout: .patient))
    }

    func send(_ envelope: Envelope) async throws {
        try await socket.send(text: String(decoding: envelope.bytes, as: UTF8.self))
    }

    func sendMessage(_ text: String, id: String) async throws {
        try await send(Envelope(.userMessage, content: text, messageID: id, timestamp: 1_700_000_000))
    }

    /// Says where this client stands; without an answer: requests the whole state.
    func sync(sequence: Int = 0, answer: String = "sync", offset: Int? = nil) async throws {
        try await send(
            Envelope(
                .sync, messageID: answer, timestamp: 1_700_000_000, sequence: sequence == 0 ? nil : sequence,
                offset: offset))
    }

    func next() async throws -> Envelope {
        while let event = await events.next() {
            switch event {
            case .text(let text):
                let envelope = try Array(text.utf8).withUnsafeBytes { try Envelope.decode($0) }
                if let number = envelope.sequence { sequence = max(sequence, number) }
                if envelope.type == .aiMessageChunk {
                    let known = texts[envelope.messageID, default: ""]
                    if known.utf8.count == envelope.offset {
                        texts[envelope.messageID] = known + (envelope.content ?? "")
                    }
                }
                return envelope
            case .disconnected(let code, _): throw StreamReader.Disconnected(code: code)
            default: continue
            }
        }
        throw StreamReader.Disconnected(code: .abnormal)
    }

    /// The next frame of a type; others on the way are passed over.
    func next(_ type: EnvelopeType) async throws -> Envelope {
        while true {
            let envelope = try await next()
            if envelope.type == type { return envelope }
        }
    }

    /// Reads until an answer has so much text.
    func read(_ answer: String, until text: String) async throws {
        while texts[answer] != text { _ = try await next(.aiMessageChunk) }
    }

    func closeCode() async -> WebSocketCloseCode? {
        while true {
            do { _ = try await next() } catch { return (error as? StreamReader.Disconnected)?.code }
        }
    }
}
