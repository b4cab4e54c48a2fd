import NIOCore
import NIOSSL
import WebSocketTransport

extension LoopbackServer {
    var port: Int { channel.localAddress?.port ?? 0 }

    /// `localhost` and not the address, to have a name for SNI and the certificate.
    var secureURL: String { "wss://localhost:\(port)" }

    /// WebSockets behind TLS with one of the test certificates.
    static func secure(
        _ upgrade: WebSocketServerUpgrade = .echo(), certificate name: String = "server",
        _ body: (LoopbackServer) async throws -> Void
    ) async throws {
        let certificates = try TestCertificates.shared.get()
        let tls = try WebSocketServerTLS(certificates: certificates.certificate(name), key: certificates.key(name))
        try await with(body) { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(FirstInPipeline())
                try tls.install(on: channel)
                _ = try upgrade.configure(channel) { $0.eventLoop.makeSucceededVoidFuture() }
            }
        }
    }

    /// An echo server whose TLS is made by hand, for what `WebSocketServerTLS` does not offer.
    static func secure(
        _ change: (inout TLSConfiguration) throws -> Void, _ body: (LoopbackServer) async throws -> Void
    ) async throws {
        let certificates = try TestCertificates.shared.get()
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(certificates.certificate("server"))
                .map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: certificates.key("server"), format: .pem)))
        try change(&configuration)
        let context = try NIOSSLContext(configuration: configuration)
        try await with(body) { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                _ = try WebSocketServerUpgrade.echo().configure(channel) { $0.eventLoop.makeSucceededVoidFuture() }
            }
        }
    }
}

extension WebSocketTLS {
    /// Trusts the test authority only.
    static func test(pins: [Pin] = []) throws -> WebSocketTLS {
        let certificates = try TestCertificates.shared.get()
        return WebSocketTLS(trust: try .authorities(pem: certificates.certificate("ca")), pins: pins)
    }
}

/// A place below TLS, to end the TCP connection as a crash would: nothing behind it is consulted.
final class FirstInPipeline: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    static func closeSocket(of channel: any Channel) {
        try? channel.pipeline.syncOperations.context(handlerType: FirstInPipeline.self).close(promise: nil)
    }
}
