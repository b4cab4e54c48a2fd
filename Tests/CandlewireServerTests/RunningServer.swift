import CandlewireServer
import Foundation
import MarketFeeds
import NIOCore
import StreamCore
import Testing
import WebSocketTransport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A real server on a free port, with a data folder of its own.
struct RunningServer {
    let port: Int
    let folder: String
    /// Everything it writes.
    let log: ServerLog

    /// Runs a server while `body` uses it. At its end nothing that it logged holds one of the tests' secrets.
    static func with<R: Sendable>(
        feed: FeedSpecification, more: [FeedSpecification] = [], urls: [String: String] = [:], rate: Double = 400,
        speed: ReplaySpeed = .max, loops: Bool = false,
        folder: String = temporaryFolder(), limits: ServerLimits = ServerLimits(), tokens: StreamTokens? = nil,
        credentials: [String: FeedCredentials] = [:], history: Bool = false,
        pausesUnwatchedAfter: Double? = nil, consultation: ConsultationOptions = ConsultationOptions(),
        evictsIdleAfter: Double? = nil, maxDeviation: [String: Double] = [:], priceStaleAfter: Double? = nil,
        tracing: ServerTracing? = nil, page: PageArchive? = nil,
        _ body: @Sendable @escaping (RunningServer) async throws -> R
    ) async throws -> R {
        for credentials in credentials.values { remember(credentials) }
        let log = ServerLog()
        defer { for leak in log.leaks() { Issue.record("The server logged a secret: \(leak)") } }
        let (ports, announce) = AsyncStream.makeStream(of: Int.self)
        var configuration = ServerConfiguration(
            port: 0, feed: feed, seed: 5, rate: rate, loops: loops, dataDirectory: folder)
        configuration.feeds += more
        configuration.feedURLs = urls
        configuration.credentials = credentials
        // A script plays a venue's stream and not its REST interface.
        configuration.fetchesHistory = history
        configuration.pausesUnwatchedAfter = pausesUnwatchedAfter
        configuration.evictsIdleAfter = evictsIdleAfter
        configuration.maxDeviation = maxDeviation
        configuration.priceStaleAfter = priceStaleAfter
        configuration.speed = speed
        configuration.limits = limits
        configuration.streamTokens = tokens
        configuration.consultation = consultation
        configuration.tracing = tracing
        configuration.pageArchive = page
        let server = CandlewireServer(configuration, logger: log.logger())
        return try await withThrowingTaskGroup(of: R?.self) { group in
            group.addTask {
                do {
                    try await server.run { progress in
                        if case .running(_, let port, _, _, _, _) = progress { announce.yield(port) }
                    }
                } catch is CancellationError {
                    // The test is over.
                }
                announce.finish()
                return nil
            }
            group.addTask {
                for await port in ports { return try await body(RunningServer(port: port, folder: folder, log: log)) }
                throw NeverStarted()
            }
            defer { group.cancelAll() }
            while let result = try await group.next() {
                if let result { return result }
            }
            throw NeverStarted()
        }
    }

    private static func remember(_ credentials: FeedCredentials) {
        switch credentials {
        case .apiKey(let key): TestSecrets.remember(key)
        case .password(let user, let password):
            // As HTTP has them; by itself a short one stands everywhere.
            TestSecrets.remember(Data("\(user):\(password)".utf8).base64EncodedString())
            if password.utf8.count >= TestSecrets.shortest { TestSecrets.remember(password) }
        case .publicKey: break
        }
    }

    struct NeverStarted: Error {}

    static func temporaryFolder() -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("candlewire-\(UUID().uuidString)").path
    }

    /// Status and body of a GET request.
    func get(_ path: String) async throws -> (status: Int, body: Data) {
        let url = URL(string: "http://127.0.0.1:\(port)\(path)")!
        let (body, response) = try await URLSession.shared.data(from: url)
        return ((response as? HTTPURLResponse)?.statusCode ?? 0, body)
    }

    /// Status, content type and body of a GET request.
    func answer(_ path: String) async throws -> (status: Int, type: String?, body: Data) {
        try await send("GET", path)
    }

    /// Status, content type and body of a POST request.
    func post(
        _ path: String, _ body: Data, headers: [String: String] = [:]
    ) async throws -> (status: Int, type: String?, body: Data) {
        try await send("POST", path, body, headers: headers)
    }

    func send(
        _ method: String, _ path: String, _ body: Data? = nil, headers: [String: String] = [:]
    ) async throws -> (status: Int, type: String?, body: Data) {
        var request = URLRequest(url: URL(string: "http://127.0.0.1:\(port)\(path)")!)
        request.httpMethod = method
        request.httpBody = body
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        let (body, response) = try await URLSession.shared.data(for: request)
        let answer = response as? HTTPURLResponse
        return (answer?.statusCode ?? 0, answer?.value(forHTTPHeaderField: "Content-Type"), body)
    }

    /// Only the status of a request.
    func status(_ method: String, _ path: String) async throws -> Int {
        var request = URLRequest(url: URL(string: "http://127.0.0.1:\(port)\(path)")!)
        request.httpMethod = method
        let (_, response) = try await URLSession.shared.data(for: request)
        return (response as? HTTPURLResponse)?.statusCode ?? 0
    }

    func connect() async throws -> StreamReader {
        StreamReader(try await WebSocketConnector.connect(url: "ws://127.0.0.1:\(port)/v1/stream", timeout: .patient))
    }
}

/// A client that reads messages one by one.
final class StreamReader {
    let socket: WebSocketConnection
    private var events: WebSocketEvents.Iterator

    init(_ socket: WebSocketConnection) {
        self.socket = socket
        events = socket.events.makeAsyncIterator()
    }

    func send(_ message: ClientMessage) async throws {
        try await socket.send(text: written { ClientMessageWriter.write(message, into: &$0) })
    }

    func next() async throws -> ServerMessage {
        while let event = await events.next() {
            switch event {
            case .text(let text): return try Array(text.utf8).withUnsafeBytes { try ServerMessage.decode($0) }
            case .disconnected(let code, _): throw Disconnected(code: code)
            default: continue
            }
        }
        throw Disconnected(code: .abnormal)
    }

    struct Disconnected: Error { var code: WebSocketCloseCode }
}

func written(_ write: (inout [UInt8]) -> Void) -> String {
    var bytes: [UInt8] = []
    write(&bytes)
    return String(decoding: bytes, as: UTF8.self)
}

extension TimeAmount {
    /// For handshakes of tests: on a busy machine other tests hold the processors for seconds.
    static var patient: TimeAmount { .seconds(60) }
}
