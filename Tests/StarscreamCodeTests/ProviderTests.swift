import CandlewireSockets
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Code as applications have it that were written for Starscream 4, with its import changed. That it compiles is the
// test; then it runs.

protocol ProviderDelegate: AnyObject {
    func didConnect()
    func didDisconnect(error: Error?)
    func didReceive(_ text: String)
}

/// Wraps the socket, reconnects on errors, sends heartbeats.
final class WebSocketProvider: WebSocketDelegate {
    weak var delegate: ProviderDelegate?
    private(set) var isConnected = false
    private(set) var status = "idle"
    private(set) var reconnectRequests = 0

    private var socket: WebSocket?
    private let url: URL
    private let token: String
    private let queue: DispatchQueue

    init(url: URL, token: String, queue: DispatchQueue) {
        self.url = url
        self.token = token
        self.queue = queue
    }

    func connect() {
        var request = URLRequest(url: url)
        request.timeoutInterval = 10
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        request.setValue("chat, superchat", forHTTPHeaderField: "Sec-WebSocket-Protocol")
        socket = WebSocket(request: request)
        socket?.delegate = self
        socket?.callbackQueue = queue
        socket?.connect()
    }

    func disconnect() {
        socket?.disconnect(closeCode: CloseCode.normal.rawValue)
    }

    func send<Message: Encodable>(_ message: Message) {
        guard let data = try? JSONEncoder().encode(message), let string = String(data: data, encoding: .utf8) else {
            return
        }
        socket?.write(string: string) { [weak self] in self?.status = "sent" }
    }

    func sendHeartbeat() {
        socket?.write(ping: Data())
    }

    func didReceive(event: WebSocketEvent, client: WebSocketClient) {
        switch event {
        case .connected(let headers):
            isConnected = true
            status = "connected: \(headers.count)"
            delegate?.didConnect()
        case .disconnected(let reason, let code):
            isConnected = false
            status = "disconnected: \(reason) with code: \(code)"
            delegate?.didDisconnect(error: nil)
        case .text(let string):
            delegate?.didReceive(string)
        case .binary(let data):
            status = "received data: \(data.count)"
        case .ping(_):
            break
        case .pong(_):
            break
        case .viabilityChanged(let isViable):
            status = isViable ? "viable" : "not viable"
        case .reconnectSuggested(let isSuggested):
            if isSuggested { reconnectRequests += 1 }
        case .cancelled:
            isConnected = false
        case .error(let error):
            isConnected = false
            handle(error)
        case .peerClosed:
            isConnected = false
            delegate?.didDisconnect(error: nil)
        }
    }

    private func handle(_ error: Error?) {
        if case HTTPUpgradeError.notAnUpgrade(let status, _)? = error {
            switch status {
            case 401: self.status = "Authentication failed. Please login again."
            case 403: self.status = "Access denied to this consultation."
            case 404: self.status = "Consultation not found."
            case 500...599: self.status = "Server error. Retrying..."
            default: self.status = "Connection error: \(status)"
            }
        } else if let error = error as? WSError {
            status = "websocket encountered an error: \(error.message) \(error.code) \(error.type)"
        } else if let error {
            status = "websocket encountered an error: \(error.localizedDescription)"
        }
        reconnectRequests += 1
        delegate?.didDisconnect(error: error)
    }
}

/// A screen with a button, which names the module with the types.
final class Screen: NSObject, WebSocketDelegate {
    var socket: WebSocket!
    var isConnected = false

    func viewDidLoad() {
        var request = URLRequest(url: URL(string: "http://localhost:8080")!)
        request.timeoutInterval = 5
        socket = WebSocket(request: request)
        socket.delegate = self
        socket.respondToPingWithPong = false
    }

    func didReceive(event: Starscream.WebSocketEvent, client: Starscream.WebSocketClient) {
        switch event {
        case .connected: isConnected = true
        case .disconnected, .cancelled, .error, .peerClosed: isConnected = false
        default: break
        }
        client.write(string: "hello there!")
    }

    func buttonPressed() {
        if isConnected {
            socket.disconnect()
        } else {
            socket.connect()
        }
    }
}

/// As for Starscream 4.0.0 to 4.0.4: the client is the class, and `peerClosed` is unknown.
final class OldProvider: WebSocketDelegate {
    private(set) var isConnected = false
    let reconnects: AsyncStream<Void>.Continuation

    init(_ reconnects: AsyncStream<Void>.Continuation) { self.reconnects = reconnects }

    func didReceive(event: WebSocketEvent, client: WebSocket) {
        switch event {
        case .connected(_):
            isConnected = true
        case .disconnected(let reason, let code):
            isConnected = false
            print("websocket is disconnected: \(reason) with code: \(code), \(client.request)")
        case .error(_), .cancelled:
            isConnected = false
            reconnects.yield()
        default:
            break
        }
    }
}

/// Every option and every way to write.
func useEverything(data: Data) -> WebSocket {
    let request = URLRequest(url: URL(string: "wss://localhost:8080/")!)
    let pinner = FoundationSecurity(allowSelfSigned: true)
    let socket = WebSocket(request: request, certPinner: pinner, compressionHandler: WSCompression())
    _ = WebSocket(request: request, certPinner: nil, useCustomEngine: false)
    _ = WebSocket(url: URL(string: "ws://localhost:8080/")!, protocols: ["chat", "superchat"])
    socket.callbackQueue = DispatchQueue(label: "com.example.sockets")
    socket.onEvent = { event in
        if case .text(let text) = event { print(text) }
    }
    socket.write(data: data)
    socket.write(data: data, completion: nil)
    socket.write(string: "Hi Server!") {}
    socket.write(stringData: data) {}
    socket.write(ping: Data()) {}
    socket.write(pong: Data())
    socket.disconnect(closeCode: CloseCode.goingAway.rawValue)
    socket.forceDisconnect()
    return socket
}

@Suite("Code written for Starscream")
struct ProviderTests {
    @Test("a provider is notified once that no server listens", .timeLimit(.minutes(15)))
    func noServer() async {
        final class Ear: ProviderDelegate {
            let reported: AsyncStream<Bool>.Continuation
            init(_ reported: AsyncStream<Bool>.Continuation) { self.reported = reported }
            func didConnect() {}
            func didDisconnect(error: Error?) { reported.yield(error != nil) }
            func didReceive(_ text: String) {}
        }
        let (stream, reported) = AsyncStream<Bool>.makeStream()
        let ear = Ear(reported)
        let queue = DispatchQueue(label: "provider")
        // No server has port 1.
        let provider = WebSocketProvider(url: URL(string: "ws://127.0.0.1:1/")!, token: "secret", queue: queue)
        provider.delegate = ear
        provider.connect()
        var isError: Bool?
        for await reported in stream {
            isError = reported
            break
        }
        #expect(isError == true)
        let (status, requests) = queue.sync { (provider.status, provider.reconnectRequests) }
        #expect(status.hasPrefix("websocket encountered an error: cannot connect to 127.0.0.1:1"))
        #expect(!status.contains("secret"))
        #expect(requests == 1)
    }

    @Test("a delegate of before Starscream 4.0.5 gets the events", .timeLimit(.minutes(15)))
    func oldSignature() async {
        let (stream, reconnects) = AsyncStream<Void>.makeStream()
        let provider = OldProvider(reconnects)
        let socket = WebSocket(request: URLRequest(url: URL(string: "ws://127.0.0.1:1/")!))
        socket.callbackQueue = DispatchQueue(label: "old provider")
        socket.delegate = provider
        socket.connect()
        var count = 0
        for await _ in stream {
            count += 1
            break
        }
        #expect(count == 1)
        #expect(socket.callbackQueue.sync { !provider.isConnected })
    }

    @Test("a socket with every option that never connected can be used and let go")
    func options() {
        weak var gone: WebSocket?
        do {
            let socket = useEverything(data: Data("x".utf8))
            gone = socket
        }
        #expect(gone == nil)
    }
}
