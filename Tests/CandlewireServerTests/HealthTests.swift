import CandlewireServer
import Foundation
import MarketFeeds
import NIOCore
import NIOHTTP1
import NIOPosix
import StreamCore
import Testing
import WebSocketTransport

@Suite("What /health counts", .timeLimit(.minutes(15)))
struct HealthTests {
    static let token = "a-token-of-some-length-1"

    /// The part of `/health` about connections.
    private static func streams(_ server: RunningServer) async throws -> [String: Any] {
        let body = try await server.get("/health").body
        let document = try JSONSerialization.jsonObject(with: body) as? [String: Any]
        return try #require(document?["streams"] as? [String: Any])
    }

    /// Requests `/health` until a count, named by its path, is `value`: connections end a moment after their clients
    /// saw it.
    private static func wait(for path: String..., value: Int, _ server: RunningServer) async throws {
        var last: Any?
        for _ in 0..<600 {
            last = path.reduce(try await streams(server) as Any?) { ($0 as? [String: Any])?[$1] }
            if last as? Int == value { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        Issue.record("\(path) is \(String(describing: last)), not \(value)")
    }

    private static func connect(
        _ server: RunningServer, _ path: String = "/v1/stream", headers: HTTPHeaders = [:]
    ) async throws -> WebSocketConnection {
        try await WebSocketConnector.connect(
            url: "ws://127.0.0.1:\(server.port)\(path)", headers: headers, timeout: .patient)
    }

    /// The code the server closes with.
    private static func end(of socket: WebSocketConnection) async -> UInt16? {
        for await event in socket.events {
            if case .disconnected(let code, _) = event { return code.rawValue }
        }
        return nil
    }

    @Test("accepted, refused and disconnected clients are counted by reason, and bytes by direction")
    func counts() async throws {
        let file = try TestSecrets.file(TestSecrets.remember(Self.token))
        var limits = ServerLimits()
        limits.connections = 2
        limits.messagesPerSecond = 10
        limits.handshakeTime = 3
        let tokens = try StreamTokens(file: file)
        try await RunningServer.with(feed: .simulated(symbols: ["BTC-USD"]), limits: limits, tokens: tokens) { server in
            let before = try await Self.streams(server)
            #expect(before["accepted"] as? Int == 0 && before["bytes_in"] as? Int == 0)

            let raw = try await Self.connect(server, "/raw", headers: ["Authorization": "Bearer \(Self.token)"])
            try await Self.wait(for: "raw_connections", value: 1, server)
            let refused = try await Self.connect(server)
            await #expect(throws: WebSocketUpgradeError.self) { try await Self.connect(server) }
            try await Self.wait(for: "refused", "total", value: 1, server)
            await raw.close()
            try await Self.wait(for: "raw_connections", value: 0, server)

            try await refused.send(text: #"{"action":"ping"}"#)
            #expect(await Self.end(of: refused) == 4101)
            try await Self.wait(for: "closed", "4101", value: 1, server)

            await #expect(throws: WebSocketUpgradeError.self) {
                try await Self.connect(server, headers: ["Origin": "https://elsewhere.example"])
            }
            try await Self.wait(for: "refused", "origin", value: 1, server)

            let auth = #"{"action":"auth","token":"\#(Self.token)"}"#
            let rude = try await Self.connect(server)
            try await rude.send(text: auth)
            for _ in 0..<20 { try await rude.send(text: "{") }
            #expect(await Self.end(of: rude) == 4100)
            try await Self.wait(for: "closed", "4100", value: 1, server)

            try await Self.wait(for: "connections", value: 0, server)
            let chatty = try await Self.connect(server)
            try await chatty.send(text: auth)
            // The server may have closed before all of them went.
            for _ in 0..<300 { try? await chatty.send(text: #"{"action":"ping"}"#) }
            #expect(await Self.end(of: chatty) == 4009)
            try await Self.wait(for: "closed", "4009", value: 1, server)

            let mute = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: server.port).get()
            try await Self.wait(for: "refused", "timeout", value: 1, server)
            try? await mute.close()

            let streams = try await Self.streams(server)
            #expect(streams["accepted"] as? Int == 4)
            #expect((streams["refused"] as? [String: Int])?["address"] == 0)
            #expect((streams["closed"] as? [String: Int])?["4008"] == 0)
            let bytes = (in: streams["bytes_in"] as? Int ?? 0, out: streams["bytes_out"] as? Int ?? 0)
            #expect(bytes.in > 2 * auth.utf8.count + 20 && bytes.out > 100)
            let loops = streams["event_loops"] as? [[String: Int]] ?? []
            #expect(loops.reduce(0) { $0 + ($1["bytes_in"] ?? 0) } == bytes.in)
            #expect(loops.reduce(0) { $0 + ($1["bytes_out"] ?? 0) } == bytes.out)
        }
    }
}
