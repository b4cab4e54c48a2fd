import Consultation
import ConsultationSQLite
import Foundation
import MarketModel
import StreamCore
import Testing

@testable import CandlewireServer

/// A session on a device against a real server: lines that break with what is on them, and processes that end at any point.
@MainActor
@Suite("A conversation on a device over real sockets", .timeLimit(.minutes(15)))
struct DeviceConversationServerTests {
    @Test(
        "messages arrive once and in order, and device and server show the same", arguments: [21, 22, 23] as [UInt64])
    func storm(seed: UInt64) async throws {
        let model = EchoModel()
        var options = ConsultationOptions()
        options.model = .custom(model)
        var limits = ServerLimits()
        limits.clients.chosen[.questions] = 60
        try await RunningServer.with(feed: ConsultationServerTests.feed, limits: limits, consultation: options) {
            server in
            let id = try await ConsultationServerTests.begin(TradingClient(server: server))
            try await Self.storm(server, id, seed: seed)
        }
    }

    private static func storm(_ server: RunningServer, _ id: String, seed: UInt64) async throws {
        let path = "\(server.folder)/device/chat.sqlite"
        var random = SeededGenerator(seed: seed)
        var phone = try Phone(server, id, path: path, seed: random.next())
        var (written, cuts, kills) = (0, 0, 0)
        for _ in 0..<160 {
            switch random.next() % 8 {
            case 0, 1:
                // One that has too many waiting may not.
                if (try? phone.session.send("line \(written + 1)")) != nil { written += 1 }
            case 2:
                phone.transport.cut(losing: Int(random.next() % 4))
                cuts += 1
            case 3:
                phone = try Phone(server, id, path: path, seed: random.next())
                kills += 1
            case 4: _ = try await eventually { phone.session.isConnected ? true : nil }
            default: for _ in 0..<random.next() % 200 { await Task.yield() }
            }
        }
        #expect(written >= 15 && cuts >= 8 && kills >= 8)
        try await phone.expectTheSame(server, id, lines: (1...written).map { "line \($0)" })
        // And so does the next process, before it is connected.
        let stored = try #require(try DeviceConversations(path: path).storage(for: id).load())
        #expect(stored.messages.map { $0.text } == phone.session.messages.map { $0.text })
    }

    @Test("a server that restarts between a message and its confirmation recognises the message")
    func serverRestart() async throws {
        let folder = RunningServer.temporaryFolder()
        let path = "\(folder)/device/chat.sqlite"
        var options = ConsultationOptions()
        options.model = .custom(EchoModel())
        let id = try await RunningServer.with(
            feed: ConsultationServerTests.feed, folder: folder, consultation: options
        ) { server in
            let id = try await ConsultationServerTests.begin(TradingClient(server: server))
            try await Self.sendWithoutConfirmation(server, id, path: path)
            return id
        }
        try await RunningServer.with(
            feed: ConsultationServerTests.feed, folder: folder, consultation: options
        ) { server in
            try await Self.expectOnce(server, id, path: path)
        }
    }

    private static func sendWithoutConfirmation(_ server: RunningServer, _ id: String, path: String) async throws {
        let phone = try Phone(server, id, path: path, seed: 1)
        _ = try await eventually { phone.session.isConnected ? true : nil }
        phone.transport.isDeaf = true
        try phone.session.send("line 1")
        let client = TradingClient(server: server)
        _ = try await eventually {
            try await client.get("/consultations/\(id)/messages").list("messages").count >= 1 ? true : nil
        }
        #expect(phone.session.messages.map(\.state) == [.pending])
    }

    private static func expectOnce(_ server: RunningServer, _ id: String, path: String) async throws {
        let phone = try Phone(server, id, path: path, seed: 2)
        #expect(phone.session.messages.map(\.state) == [.pending])
        try phone.session.send("line 2")
        try await phone.expectTheSame(server, id, lines: ["line 1", "line 2"])
    }
}

/// A process with a session whose line breaks when a test says so.
@MainActor
private struct Phone {
    let session: ConsultationSession
    let transport: BreakingTransport

    /// Opens what an earlier process left; that one is not closed, as one that was killed is not.
    init(_ server: RunningServer, _ id: String, path: String, seed: UInt64) throws {
        var configuration = ConsultationConfiguration()
        configuration.connection.backoff.attempts = 1000
        configuration.connection.backoff.base = 0.01
        configuration.connection.backoff.cap = 0.05
        transport = BreakingTransport(
            WebSocketConsultationTransport(
                url: "ws://127.0.0.1:\(server.port)/ws/consultation?consultation_id=\(id)"))
        session = ConsultationSession(
            configuration, transport: transport, storage: try DeviceConversations(path: path).storage(for: id),
            seed: seed)
        #expect(session.storageError == nil)
        session.connect()
    }

    /// Waits until all is answered, and compares with the server's history.
    func expectTheSame(_ server: RunningServer, _ id: String, lines: [String]) async throws {
        let client = TradingClient(server: server)
        let history = try await eventually { () -> [[String: Any]]? in
            let messages = session.messages
            guard session.isConnected, messages.last?.state == .complete,
                !messages.contains(where: { $0.state == .pending })
            else { return nil }
            let all = try await client.get("/consultations/\(id)/messages?limit=100").list("messages")
            return all.last?["message_id"] as? String == session.messages.last?.id ? all : nil
        }
        let (ids, texts) = (history.map { $0["message_id"] as? String }, history.map { $0["content"] as? String })
        #expect(session.messages.map(\.id) == ids)
        #expect(session.messages.map(\.text) == texts)
        #expect(session.messages.filter { $0.role == .user }.map(\.text) == lines)
    }
}

/// Sockets over the network that break with what is on them.
@MainActor
private final class BreakingTransport: ConsultationTransport {
    var onEvent: ((ConsultationTransportEvent) -> Void)?
    /// Nothing of what the server sends arrives.
    var isDeaf = false
    private let inner: WebSocketConsultationTransport
    private var socket: SocketNumber?
    /// Frames that are lost before the line is seen to be broken; `nil`: it is not breaking.
    private var losing: Int?

    init(_ inner: WebSocketConsultationTransport) {
        self.inner = inner
        inner.onEvent = { [weak self] event in
            guard let self, losing == nil, !isDeaf else { return }
            onEvent?(event)
        }
    }

    /// From now on nothing arrives; after so many frames of this side, and at the latest when others ran, the line is broken.
    func cut(losing count: Int) {
        guard socket != nil, losing == nil else { return }
        losing = count
        Task {
            for _ in 0..<50 { await Task.yield() }
            breakOff()
        }
    }

    private func breakOff() {
        guard losing != nil, let broken = socket else { return }
        losing = nil
        socket = nil
        inner.drop(broken)
        onEvent?(.closed(broken, .abnormal, reason: "", detectedHere: false))
    }

    func open(_ socket: SocketNumber, token: String?) throws(ConsultationSetupError) {
        losing = nil
        self.socket = socket
        try inner.open(socket, token: token)
    }

    func send(_ frame: [UInt8], on socket: SocketNumber) {
        // The first ones arrive, and their confirmations do not.
        if let left = losing {
            guard left > 0 else { return }
            losing = left - 1
        }
        inner.send(frame, on: socket)
    }

    func close(_ socket: SocketNumber, _ code: WebSocketCloseCode, reason: String) {
        forget(socket)
        inner.close(socket, code, reason: reason)
    }

    func drop(_ socket: SocketNumber) {
        forget(socket)
        inner.drop(socket)
    }

    private func forget(_ socket: SocketNumber) {
        guard self.socket == socket else { return }
        self.socket = nil
        losing = nil
    }
}

/// Answers each question with its text, in pieces.
private struct EchoModel: LanguageModel {
    let name = "echo"

    func answer(_ request: AnswerRequest) -> AsyncStream<ModelEvent> {
        AsyncStream { stream in
            for word in ["You ", "said ", "it."] { stream.yield(.text(word)) }
            stream.yield(.end(ModelUsage()))
            stream.finish()
        }
    }
}
