public import Foundation
import NIOCore
public import WebSocketTransport

/// A ping now and then, and a deadline for the answer: without one, the loss of the network goes unnoticed.
public struct KeepAlive: Sendable, Hashable {
    /// Seconds from one ping to the next.
    public var interval: TimeInterval
    /// Seconds after a ping within which something must come.
    public var timeout: TimeInterval

    public init(interval: TimeInterval = 20, timeout: TimeInterval = 10) {
        self.interval = interval
        self.timeout = timeout
    }

    var transport: WebSocketKeepAlive {
        WebSocketKeepAlive(interval: Self.amount(interval), timeout: Self.amount(timeout))
    }

    /// A day is longer than any client waits; infinity would not fit.
    static func amount(_ seconds: TimeInterval) -> TimeAmount {
        .milliseconds(Int64((seconds.isNaN ? 60 : min(86_400, max(0.001, seconds))) * 1000))
    }
}

/// How a `WebSocket` makes sure of the server. Where Starscream hands over a `SecTrust`, which only Apple's platforms
/// have, this hands over options; `FoundationSecurity` is all most need.
public protocol CertificatePinning: AnyObject {
    var tls: WebSocketTLS { get }
}

/// The server's certificate is checked against the system's trust roots, unless configured otherwise.
public final class FoundationSecurity: CertificatePinning {
    public let tls: WebSocketTLS

    /// - Parameter allowSelfSigned: true checks nothing: anyone on the way can read and change everything.
    public init(allowSelfSigned: Bool = false) { tls = allowSelfSigned ? .insecureForDevelopment : .default }

    /// - Parameter pins: `sha256/` and the base 64 of a public key's digest; one must be in the server's chain.
    /// - Throws: `WebSocketTLSError`.
    public init(pins: [String]) throws { tls = WebSocketTLS(pins: try pins.map { try WebSocketTLS.Pin($0) }) }

    /// - Parameter authorityFile: PEM; who may have signed the server's certificate, instead of the system's roots.
    /// - Throws: `WebSocketTLSError`.
    public init(authorityFile: String) throws { tls = WebSocketTLS(trust: try .authorities(file: authorityFile)) }

    public init(tls: WebSocketTLS) { self.tls = tls }
}

/// How messages are compressed. Where Starscream is given code that compresses, this is given options.
public protocol CompressionHandler {
    var compression: WebSocketCompression { get }
}

/// permessage-deflate (RFC 7692), where the server can do it too.
public struct WSCompression: CompressionHandler {
    public let compression: WebSocketCompression

    public init() { compression = WebSocketCompression() }
    public init(_ compression: WebSocketCompression) { self.compression = compression }
}
