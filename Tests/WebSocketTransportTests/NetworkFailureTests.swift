import NIOCore
import NIOPosix
import NIOSSL
import Testing

@testable import WebSocketTransport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite("Words for a failed connection", .timeLimit(.minutes(15)))
struct NetworkFailureTests {
    private struct Odd: Error, CustomStringConvertible { var description: String { "odd" } }

    static let failures: [(any Error, String)] = [
        (IOError(errnoCode: ECONNREFUSED, reason: "connection reset (error set)"), "the connection was refused"),
        (IOError(errnoCode: ETIMEDOUT, reason: "connect(descriptor:)"), "it timed out"),
        (IOError(errnoCode: ECONNRESET, reason: "read(descriptor:pointer:size:)"), "the connection was cut"),
        (IOError(errnoCode: ENETUNREACH, reason: "connect"), "there is no network that leads there"),
        (IOError(errnoCode: EHOSTUNREACH, reason: "connect"), "the host cannot be reached"),
        (IOError(errnoCode: EACCES, reason: "connect"), "this machine does not allow it"),
        (IOError(errnoCode: EMFILE, reason: "socket"), "too many connections and files are open on this machine"),
        (IOError(errnoCode: EPROTO, reason: "connect"), "Protocol error"),
        (IOError(errnoCode: EPIPE, reason: "write(descriptor:pointer:size:)"), "the connection was cut"),
        (IOError(errnoCode: EADDRINUSE, reason: "bind(descriptor:ptr:bytes:)"), "another program uses this address"),
        (IOError(errnoCode: EADDRNOTAVAIL, reason: "bind(descriptor:ptr:bytes:)"), "this machine has no such address"),
        (ChannelError.connectTimeout(.seconds(5)), "it timed out"),
        (ChannelError.ioOnClosedChannel, "the connection was cut"),
        (NIOSSLError.uncleanShutdown, "the connection was cut"),
        (Odd(), "odd"),
    ]

    @Test("each failure has words without the names of calls and the numbers of errors", arguments: failures.indices)
    func words(index: Int) {
        #expect(NetworkFailure(Self.failures[index].0).words == Self.failures[index].1)
    }

    @Test("a name that does not exist is distinguished from a resolver that does not answer")
    func lookups() {
        #expect(NetworkFailure.words(ofLookup: Int(EAI_NONAME)) == "there is no such host")
        #expect(NetworkFailure.words(ofLookup: Int(EAI_AGAIN)) == "no name server answered")
    }

    private static func error(of url: String) async -> String {
        do {
            _ = try await WebSocketConnector.connect(url: url, timeout: .seconds(60))
            return "it connected"
        } catch {
            return "\(error)"
        }
    }

    @Test("a real refusal is reported with host and port, in one sentence")
    func refused() async throws {
        let closed = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = closed.localAddress?.port ?? 0
        try await closed.close()
        #expect(
            await Self.error(of: "ws://127.0.0.1:\(port)/?token=abc")
                == "cannot connect to 127.0.0.1:\(port): the connection was refused")
    }

    @Test("a name that does not exist is reported as such, or that no resolver answered")
    func noHost() async throws {
        let reported = await Self.error(of: "wss://nobody.invalid/")
        let all = ["there is no such host", "no name server answered"]
        #expect(all.map { "cannot connect to nobody.invalid:443: \($0)" }.contains(reported), "\(reported)")
    }

    @Test("the port stands behind an IPv6 address in brackets")
    func brackets() throws {
        #expect(try WebSocketURL("ws://[::1]/").hostAndPort == "[::1]:80")
        #expect(try WebSocketURL("wss://example.com/").hostAndPort == "example.com:443")
    }
}
