public import NIOCore
public import StreamCore

/// What one WebSocket connection is allowed and how long it waits.
public struct WebSocketConfiguration: Sendable {
    /// Sizes of what is received.
    public var limits: WebSocketLimits
    /// How the peer is checked to be there; nil sends no pings.
    public var keepAlive: WebSocketKeepAlive?
    /// How long the peer has for its half of the close handshake before the socket is closed without it.
    public var closeTimeout: TimeAmount
    /// The most bytes that may wait to be sent. Beyond, the connection is closed with `slowReader` (4008): a peer that
    /// stopped reading costs this much memory (and one frame), and not more.
    public var outboundLimit: Int
    /// Compression, where the peer can do it too; nil neither offers nor accepts it.
    public var compression: WebSocketCompression?
    /// Whether frames may be written to the socket past the channel's handlers, which is about twice as fast. Only done
    /// on Linux and without TLS. Set it to false where an outbound handler of your own has to see the bytes.
    public var bypassesChannel = true

    public init(
        limits: WebSocketLimits, keepAlive: WebSocketKeepAlive?, closeTimeout: TimeAmount = .seconds(5),
        outboundLimit: Int, compression: WebSocketCompression? = nil
    ) {
        self.limits = limits
        self.keepAlive = keepAlive
        self.closeTimeout = closeTimeout
        self.outboundLimit = outboundLimit
        self.compression = compression
    }

    /// `WebSocketLimits.server`, pings every 20 s, at most 4 MiB waiting to be sent.
    public static var server: WebSocketConfiguration {
        WebSocketConfiguration(limits: .server, keepAlive: WebSocketKeepAlive(), outboundLimit: 4 << 20)
    }

    /// `WebSocketLimits.client`, no pings (venues count them as messages), at most 32 MiB waiting to be sent.
    public static var client: WebSocketConfiguration {
        WebSocketConfiguration(limits: .client, keepAlive: nil, outboundLimit: 32 << 20)
    }
}

/// A ping now and then, and a deadline for the answer.
///
/// TCP alone notices a peer that vanished (a laptop lid, a NAT that forgot) only after minutes of unacknowledged data,
/// and never while nothing is sent.
public struct WebSocketKeepAlive: Sendable {
    /// From one ping to the next.
    public var interval: TimeAmount
    /// After a ping, anything received counts as an answer; after this time without, the connection is ended (1006).
    public var timeout: TimeAmount

    public init(interval: TimeAmount = .seconds(20), timeout: TimeAmount = .seconds(10)) {
        self.interval = interval
        self.timeout = timeout
    }
}
