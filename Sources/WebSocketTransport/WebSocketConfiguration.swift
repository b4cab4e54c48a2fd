public import NIOCore
public import StreamCore

/// What one WebSocket connection is allowed and how long it waits.
///
/// Each limit has a default, and each is there because a peer could otherwise decide what we spend:
///
/// | limit | where | `server` | `client` | beyond |
/// |---|---|---|---|---|
/// | bytes in a frame | `limits.frameBytes` | 64 KiB | 16 MiB | 1009 |
/// | bytes in a message | `limits.messageBytes` | 64 KiB | 16 MiB | 1009 |
/// | bytes of an inflated message | `limits.inflatedBytes` | 64 KiB | 16 MiB | 1009 |
/// | fragments of a message | `limits.fragmentsPerMessage` | 1,024 | 131,072 | 1008 |
/// | bytes in a control frame | RFC 6455 section 5.5 | 125 | 125 | 1002 |
/// | messages a second | `messageRate` | 100, 1,000 at once | none | 4009 |
/// | time without anything received | `idleTimeout` | none, pings do it | none | 4001 |
/// | time to answer a ping | `keepAlive.timeout` | 10 s | no pings | the end, 1006 |
/// | time to answer a close | `closeTimeout` | 5 s | 5 s | the end, 1006 |
/// | bytes waiting to be sent | `outboundLimit` | 4 MiB | 32 MiB | 4008 |
/// | time to the first request | `WebSocketServerUpgrade.requestTimeout` | 30 s | | HTTP 408 |
/// | bytes in a request's head | `WebSocketServerUpgrade.headLimits` | 64 KiB | | HTTP 431 |
/// | connections of an address | `WebSocketServerUpgrade.connectionLimit` | none | | HTTP 429 |
/// | time for connecting | `WebSocketConnector.connect`'s `timeout` | | 5 s | an error |
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
    /// How long nothing at all may come from the peer before the connection is closed with 4001 (it may
    /// reconnect). Not counted while the application pauses reading of its own will. Pings (`keepAlive`) notice a peer
    /// that is gone earlier, and keep a quiet one; this is for where none are sent. nil for no such limit.
    public var idleTimeout: TimeAmount?
    /// How many messages the peer may send, pings and pongs included; nil for any number.
    public var messageRate: WebSocketMessageRate?

    public init(
        limits: WebSocketLimits, keepAlive: WebSocketKeepAlive?, closeTimeout: TimeAmount = .seconds(5),
        outboundLimit: Int, compression: WebSocketCompression? = nil, idleTimeout: TimeAmount? = nil,
        messageRate: WebSocketMessageRate? = nil
    ) {
        self.limits = limits
        self.keepAlive = keepAlive
        self.closeTimeout = closeTimeout
        self.outboundLimit = outboundLimit
        self.compression = compression
        self.idleTimeout = idleTimeout
        self.messageRate = messageRate
    }

    /// `WebSocketLimits.server`, pings every 20 s, at most 4 MiB waiting to be sent, 100 messages a second.
    public static var server: WebSocketConfiguration {
        WebSocketConfiguration(
            limits: .server, keepAlive: WebSocketKeepAlive(), outboundLimit: 4 << 20,
            messageRate: WebSocketMessageRate(messagesPerSecond: 100, burst: 1000))
    }

    /// `WebSocketLimits.client`, no pings (venues count them as messages), at most 32 MiB waiting to be sent.
    public static var client: WebSocketConfiguration {
        WebSocketConfiguration(limits: .client, keepAlive: nil, outboundLimit: 32 << 20)
    }
}

/// How many messages a peer may send: a page that subscribes to all it shows sends many at once, and then few.
public struct WebSocketMessageRate: Sendable, Equatable {
    public var messagesPerSecond: Double
    /// At once, after a pause.
    public var burst: Int

    public init(messagesPerSecond: Double, burst: Int) {
        self.messagesPerSecond = messagesPerSecond
        self.burst = burst
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
