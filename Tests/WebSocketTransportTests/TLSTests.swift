import NIOCore
import NIOPosix
import NIOSSL
import StreamCore
import Testing
import WebSocketTransport

@Suite("TLS on loopback", .timeLimit(.minutes(15)))
struct TLSTests {
    let certificates: TestCertificates

    init() throws {
        certificates = try TestCertificates.shared.get()
    }

    @Test("messages of any size come back, by name and by address", arguments: ["localhost", "127.0.0.1"])
    func echo(host: String) async throws {
        try await LoopbackServer.secure { server in
            let socket = try await WebSocketConnector.connect(
                url: "wss://\(host):\(server.port)/", tls: .test(), configuration: .large, timeout: .patient)
            var events = socket.events.makeAsyncIterator()
            #expect(await events.next() == .connected(subprotocol: nil))
            // A TLS record holds 16 KiB: below, on and above, and many of them.
            for size in [0, 1, 16_383, 16_384, 16_385, 4 << 20] {
                let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
                try await socket.send(binary: bytes)
                #expect(await events.next() == .binary(bytes))
            }
            await socket.close()
            #expect(await events.next() == .disconnected(.normal, reason: ""))
        }
    }

    /// Certificate of the server, options, and what the error says; nil connects.
    static let verdicts: [(String, @Sendable () throws -> WebSocketTLS, String?)] = [
        ("server", { .default }, "the certificate of localhost is not signed by an authority that is trusted"),
        ("stranger", { try .test() }, "the certificate of localhost is not signed by an authority that is trusted"),
        ("elsewhere", { try .test() }, "the certificate of localhost is for another name"),
        ("elsewhere", { try named("other.example") }, nil),
        ("expired", { try .test() }, "the certificate of localhost expired on "),
        ("expired", { .insecureForDevelopment }, nil),
        ("stranger", { .insecureForDevelopment }, nil),
        ("stranger", { try insecure(pin: "stranger") }, nil),
        ("stranger", { try insecure(pin: "server") }, "localhost has none of the pinned keys, its key is sha256/"),
        ("stranger", { WebSocketTLS(trust: try .authorities(pem: pem("stranger"))) }, nil),
        ("server", { try .test(pins: [pin("server")]) }, nil),
        ("server", { try .test(pins: [pin("intermediate")]) }, nil),
        ("server", { try .test(pins: [pin("ca")]) }, nil),
        ("server", { try .test(pins: [pin("stranger"), pin("server")]) }, nil),
        ("server", { try .test(pins: [pin("stranger")]) }, "localhost has none of the pinned keys, its key is sha256/"),
        ("elsewhere", { try .test(pins: [pin("elsewhere")]) }, "the certificate of localhost is for another name"),
    ]

    @Test("which certificates are trusted, and the text of each refusal", arguments: verdicts.indices)
    func verdict(index: Int) async throws {
        let (certificate, options, errorMessage) = Self.verdicts[index]
        let tls = try options()
        try await LoopbackServer.secure(certificate: certificate) { server in
            do {
                let socket = try await WebSocketConnector.connect(url: server.secureURL, tls: tls, timeout: .patient)
                #expect(errorMessage == nil)
                await socket.close()
            } catch let error as WebSocketConnectError {
                #expect(error.description.hasPrefix(errorMessage ?? "?"), "\(error)")
                #expect(error.code == .tlsFailed)
                #expect(!error.isRetryable)
            }
        }
    }

    @Test("the host's name goes into SNI, an address does not", arguments: ["localhost", "127.0.0.1"])
    func serverName(host: String) async throws {
        let seen = Happenings()
        try await LoopbackServer.secure { configuration in
            configuration.sslContextCallback = { values, promise in
                seen.note("SNI \(values.serverHostname ?? "none")")
                promise.succeed(.noChanges)
            }
        } _: { server in
            await
                (try WebSocketConnector.connect(
                    url: "wss://\(host):\(server.port)/", tls: .test(), timeout: .patient)).close()
        }
        #expect(seen.noted == [host == "localhost" ? "SNI localhost" : "SNI none"])
    }

    @Test("a client certificate is shown where the server requires it, and its lack is reported")
    func clientCertificate() async throws {
        let authority = try NIOSSLCertificate.fromPEMBytes(certificates.certificate("ca"))
        try await LoopbackServer.secure { configuration in
            configuration.certificateVerification = .noHostnameVerification
            configuration.trustRoots = .certificates(authority)
        } _: { server in
            var tls = try WebSocketTLS.test()
            let without = tls
            let error = await #expect(throws: WebSocketConnectError.self) {
                try await WebSocketConnector.connect(url: server.secureURL, tls: without, timeout: .patient)
            }
            #expect(error?.code == .tlsFailed)
            #expect(error?.description == "localhost requires a client certificate")
            tls.identity = try WebSocketTLS.Identity(
                certificates: certificates.certificate("client"), key: certificates.key("client"))
            #expect("\(tls)".contains("a client certificate with its key"))
            await (try WebSocketConnector.connect(url: server.secureURL, tls: tls, timeout: .patient)).close()
            tls.identity = try WebSocketTLS.Identity(
                certificates: certificates.certificate("stranger"), key: certificates.key("stranger"))
            let unknown = tls
            let refusal = await #expect(throws: WebSocketConnectError.self) {
                try await WebSocketConnector.connect(url: server.secureURL, tls: unknown, timeout: .patient)
            }
            #expect(refusal?.description.hasPrefix("localhost refused our client certificate") == true, "\(refusal!)")
        }
    }

    @Test("TLS 1.1 is refused, TLS 1.2 is not", arguments: [TLSVersion.tlsv11, .tlsv12])
    func versions(version: TLSVersion) async throws {
        try await LoopbackServer.secure { configuration in
            configuration.minimumTLSVersion = .tlsv1
            configuration.maximumTLSVersion = version
        } _: { server in
            do {
                await (try WebSocketConnector.connect(url: server.secureURL, tls: .test(), timeout: .patient)).close()
                #expect(version == .tlsv12)
            } catch let error as WebSocketConnectError {
                #expect(error.code == .tlsHandshakeFailed)
                #expect(error.description == "localhost supports no TLS version from 1.2 on")
                #expect(version == .tlsv11)
            }
        }
    }

    @Test("a server without TLS is reported as such, and one with TLS refuses plain HTTP")
    func plain() async throws {
        try await LoopbackServer.with(.echo()) { server in
            let error = await #expect(throws: WebSocketConnectError.self) {
                try await WebSocketConnector.connect(url: server.secureURL, tls: .test(), timeout: .patient)
            }
            #expect(error?.code == .tlsHandshakeFailed)
        }
        try await LoopbackServer.with { server in
            let error = await #expect(throws: WebSocketConnectError.self) {
                try await WebSocketConnector.connect(url: server.secureURL, tls: .test(), timeout: .patient)
            }
            #expect(error?.code == .tlsHandshakeFailed)
            #expect(error?.isRetryable == true, "it is no verdict on the certificate")
            #expect(error?.description == "localhost does not use TLS on this port")
        } initializer: { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(CannedHandler("HTTP/1.1 400 Bad Request\r\n\r\n"))
            }
        }
        try await LoopbackServer.secure { server in
            await HandshakeTests.expect(.closedDuringHandshake) {
                try await WebSocketConnector.connect(url: server.url, timeout: .patient)
            }
        }
    }

    @Test("a server that hangs up or stays silent before TLS is done may be tried again", arguments: [true, false])
    func unfinished(hangsUp: Bool) async throws {
        try await LoopbackServer.with { server in
            let error = await #expect(throws: WebSocketConnectError.self) {
                try await WebSocketConnector.connect(
                    url: server.secureURL, tls: .test(), timeout: hangsUp ? .patient : .milliseconds(300))
            }
            #expect(error?.code == (hangsUp ? .closedDuringHandshake : .timedOut), "\(error!)")
            #expect(error?.isRetryable == true)
        } initializer: { channel in
            channel.eventLoop.makeCompletedFuture {
                if hangsUp { try channel.pipeline.syncOperations.addHandler(HangUp()) }
            }
        }
    }

    private static func pem(_ name: String) throws -> [UInt8] { try TestCertificates.shared.get().certificate(name) }
    private static func pin(_ name: String) throws -> WebSocketTLS.Pin { try WebSocketTLS.Pin(certificate: pem(name)) }
    private static func insecure(pin name: String) throws -> WebSocketTLS {
        WebSocketTLS(trust: .insecureForDevelopment, pins: [try pin(name)])
    }
    private static func named(_ name: String) throws -> WebSocketTLS {
        var tls = try WebSocketTLS.test()
        tls.serverName = name
        return tls
    }
}

/// Ends the connection at the first bytes.
private final class HangUp: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.close(promise: nil)
    }
}
