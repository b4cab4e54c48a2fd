/// The kind of a frame (RFC 6455 section 11.8). Values without a case are reserved and refused.
public enum WebSocketOpcode: UInt8, Sendable, Hashable {
    case continuation = 0x0
    case text = 0x1
    case binary = 0x2
    case close = 0x8
    case ping = 0x9
    case pong = 0xA

    /// Close, ping and pong: at most 125 bytes, never fragmented, allowed between the fragments of a message.
    @inlinable
    public var isControl: Bool { rawValue & 0x8 != 0 }
}

/// Which end of the connection a machine is. It decides about masking (RFC 6455 section 5.1): a client masks every
/// frame and a server none, and each refuses the other way round.
public enum WebSocketRole: Sendable, Hashable {
    case client
    case server
}
