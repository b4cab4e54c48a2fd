internal import NIOCore
public import NIOHTTP1
public import StreamCore
public import WebSocketTransport

/// A session's sockets over the network.
@MainActor
public final class WebSocketConsultationTransport: ConsultationTransport {
    public var onEvent: ((ConsultationTransportEvent) -> Void)?

    private struct Socket {
        var task: Task<Void, Never>
        var frames: AsyncStream<[UInt8]>.Continuation
        var connection: WebSocketConnection?
    }

    private let url: String
    private let headers: HTTPHeaders
    private let tls: WebSocketTLS
    private let timeout: Double
    private var sockets: [SocketNumber: Socket] = [:]

    /// - Parameters:
    ///   - url: `wss://{host}/ws/consultation?consultation_id={id}`. The token does not belong into it: it goes in the
    ///     header `Authorization`.
    ///   - headers: for example `X-API-Key`.
    ///   - timeout: seconds until a socket must be open.
    public init(url: String, headers: HTTPHeaders = [:], tls: WebSocketTLS = .default, timeout: Double = 10) {
        self.url = url
        self.headers = headers
        self.tls = tls
        self.timeout = timeout
    }

    public func open(_ socket: SocketNumber, token: String?) throws(ConsultationSetupError) {
        guard url.hasPrefix("ws://") || url.hasPrefix("wss://"), url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw .invalidURL
        }
        var headers = headers
        if let token { headers.replaceOrAdd(name: "Authorization", value: "Bearer \(token)") }
        let (frames, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        let task = Task { [weak self, url, tls, timeout] in
            do {
                let connection = try await WebSocketClient.connect(
                    url: url, headers: headers, tls: tls, timeout: .milliseconds(Int64(min(600, timeout) * 1000)))
                guard let self, sockets[socket] != nil else { return }
                sockets[socket]?.connection = connection
                await serve(socket, connection, frames)
            } catch let error as WebSocketUpgradeError {
                self?.tell(.refused(socket, status: Int(error.status.code), retryAfter: error.retryAfter), of: socket)
            } catch let error as WebSocketConnectError where error.code == .badURL {
                self?.tell(.refused(socket, status: 400, retryAfter: nil), of: socket)
            } catch {
                self?.tell(.refused(socket, status: 0, retryAfter: nil), of: socket)
            }
        }
        sockets[socket] = Socket(task: task, frames: continuation)
    }

    private func serve(
        _ socket: SocketNumber, _ connection: WebSocketConnection, _ frames: AsyncStream<[UInt8]>
    ) async {
        // What is sent goes out in its order, and a slow server slows the queue and not the view.
        let sender = Task {
            for await frame in frames {
                do { try await connection.send(text: String(decoding: frame, as: UTF8.self)) } catch { return }
            }
        }
        defer { sender.cancel() }
        for await event in connection.events {
            switch event {
            case .connected: report(.opened(socket), of: socket)
            case .text(let text): report(.text(socket, Array(text.utf8)), of: socket)
            case .binary(let bytes): report(.binary(socket, bytes: bytes.count), of: socket)
            case .ping, .pong: break
            case .disconnected(let code, let reason):
                tell(.closed(socket, code, reason: reason, detectedHere: false), of: socket)
            }
        }
    }

    public func send(_ frame: [UInt8], on socket: SocketNumber) {
        sockets[socket]?.frames.yield(frame)
    }

    public func close(_ socket: SocketNumber, _ code: WebSocketCloseCode, reason: String) {
        guard let entry = sockets.removeValue(forKey: socket) else { return }
        entry.frames.finish()
        guard let connection = entry.connection else { return entry.task.cancel() }
        Task { await connection.close(code: code, reason: reason) }
    }

    public func drop(_ socket: SocketNumber) {
        guard let entry = sockets.removeValue(forKey: socket) else { return }
        entry.frames.finish()
        entry.task.cancel()
    }

    private func report(_ event: ConsultationTransportEvent, of socket: SocketNumber) {
        if sockets[socket] != nil { onEvent?(event) }
    }

    /// The last word about a socket.
    private func tell(_ event: ConsultationTransportEvent, of socket: SocketNumber) {
        guard let entry = sockets.removeValue(forKey: socket) else { return }
        entry.frames.finish()
        onEvent?(event)
    }
}
