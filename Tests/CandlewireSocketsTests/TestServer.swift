import NIOCore
import NIOHTTP1
import NIOPosix
import StreamCore
import Synchronization
import WebSocketTransport

/// What happened, in order, for a test to wait for and to compare.
final class Journal: Sendable {
    private let state = Mutex<(entries: [String], waiters: [(Int, CheckedContinuation<Void, Never>)])>(([], []))

    func note(_ entry: String) {
        let ready = state.withLock { state in
            state.entries.append(entry)
            let ready = state.waiters.filter { $0.0 <= state.entries.count }
            state.waiters.removeAll { $0.0 <= state.entries.count }
            return ready.map(\.1)
        }
        for continuation in ready { continuation.resume() }
    }

    var entries: [String] { state.withLock { $0.entries } }

    /// Waits until there are so many entries, or the test's time is over, and returns all.
    func entries(atLeast count: Int) async -> [String] {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isThere = state.withLock { state in
                    if state.entries.count >= count || Task.isCancelled { return true }
                    state.waiters.append((count, continuation))
                    return false
                }
                if isThere { continuation.resume() }
            }
        } onCancel: {
            let waiting = state.withLock { state in
                defer { state.waiters = [] }
                return state.waiters.map(\.1)
            }
            for continuation in waiting { continuation.resume() }
        }
        return entries
    }
}

/// A server whose path says how it behaves. What it sees it notes: `open`, and `closed CODE`.
struct TestServer: Sendable {
    static let floodCount = 3000

    let channel: any Channel
    let journal: Journal

    func url(_ path: String) -> String { "ws://127.0.0.1:\(channel.localAddress?.port ?? 0)/\(path)" }

    static func with(_ body: (TestServer) async throws -> Void) async throws {
        let journal = Journal()
        // Room for a flood, and for what is larger than market data.
        let upgrade = WebSocketServerUpgrade(
            configuration: WebSocketConfiguration(
                limits: .client, keepAlive: nil, outboundLimit: 64 << 20, compression: WebSocketCompression()),
            shouldUpgrade: { head in
                guard head.uri != "/refuse" else {
                    return .refuse(.unauthorized, headers: ["WWW-Authenticate": "Bearer"], message: "who are you?")
                }
                let offered = WebSocketServerUpgrade.offeredSubprotocols(head)
                return .accept(
                    headers: ["X-Token": head.headers.first(name: "X-Token") ?? "-"], subprotocol: offered.last)
            },
            onOpen: { socket, head in
                journal.note("open")
                behave(head.uri, socket, journal)
            })
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    _ = try upgrade.configure(channel) { $0.eventLoop.makeSucceededVoidFuture() }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let server = TestServer(channel: channel, journal: journal)
        do {
            try await body(server)
        } catch {
            try? await channel.close()
            throw error
        }
        try await channel.close()
    }

    /// A server that accepts and never answers.
    static func silent(_ body: (String) async throws -> Void) async throws {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        try await body("ws://127.0.0.1:\(channel.localAddress?.port ?? 0)/")
        try await channel.close()
    }

    /// TCP's reset instead of its orderly end.
    private static func reset(_ channel: (any Channel)?) {
        guard let options = channel as? any SocketOptionProvider else { return }
        options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in channel?.close(promise: nil) }
    }

    private static func behave(_ path: String, _ socket: WebSocketHandler, _ journal: Journal) {
        socket.delegate = WebSocketCallbacks(
            onText: { text, socket in
                switch path {
                case "/kill": socket.channel?.close(promise: nil)
                case "/reset": reset(socket.channel)
                case "/half":
                    // Two of five bytes of a text.
                    socket.channel?.writeAndFlush(ByteBuffer(bytes: [0x81, 0x05, 0x68, 0x65]), promise: nil)
                    socket.channel?.close(promise: nil)
                case "/close": socket.close(WebSocketCloseCode(rawValue: 4101), reason: "not for you")
                case "/violate":
                    // A reserved opcode.
                    socket.channel?.writeAndFlush(ByteBuffer(bytes: [0x83, 0x00]), promise: nil)
                default: socket.send(.text, text)
                }
            },
            onBinary: { bytes, socket in socket.send(.binary, bytes) },
            onPong: { bytes, _ in journal.note("pong \(String(decoding: bytes, as: UTF8.self))") },
            onClose: { code, _ in journal.note("closed \(code.rawValue)") })
        switch path {
        case "/deaf": _ = socket.channel?.setOption(ChannelOptions.autoRead, value: false)
        case "/ping": socket.ping(Array("are you there".utf8))
        case "/flood":
            let filler = String(repeating: "x", count: 8 << 10)
            for number in 0..<floodCount where socket.isOpen {
                socket.send(text: "\(number) \(filler)", flush: false)
            }
            socket.flush()
        default: break
        }
    }
}
