/// The head of a frame (RFC 6455 section 5.2), checked against everything that can be judged without knowing what
/// came before it.
@usableFromInline package struct WebSocketFrameHeader: Sendable, Hashable {
    @usableFromInline package var isFinal: Bool
    @usableFromInline package var opcode: WebSocketOpcode
    /// RSV1: this frame starts a compressed message (RFC 7692 section 6).
    @usableFromInline package var isCompressed: Bool
    /// Payload bytes that follow.
    @usableFromInline package var payloadLength: Int
    /// The mask with its first wire byte in the lowest bits, nil where the frame is not masked.
    @usableFromInline package var maskKey: UInt32?

    @inlinable package init(
        isFinal: Bool, opcode: WebSocketOpcode, isCompressed: Bool = false, payloadLength: Int, maskKey: UInt32?
    ) {
        self.isFinal = isFinal
        self.opcode = opcode
        self.isCompressed = isCompressed
        self.payloadLength = payloadLength
        self.maskKey = maskKey
    }

    /// The longest head there is: two bytes, eight of length, four of mask.
    package static let maximumLength = 14
}

/// The kind of a frame (RFC 6455 section 11.8). Values without a case are reserved and refused.
public enum WebSocketOpcode: UInt8, Sendable, Hashable {
    case continuation = 0x0
    case text = 0x1
    case binary = 0x2
    case close = 0x8
    case ping = 0x9
    case pong = 0xA

    /// Close, ping and pong: at most 125 bytes, never fragmented, allowed between the fragments of a message.
    @inlinable public var isControl: Bool { rawValue & 0x8 != 0 }
}

/// Which end of the connection a machine is. It decides about masking (RFC 6455 section 5.1): a client masks every
/// frame and a server none, and each refuses the other way round.
public enum WebSocketRole: Sendable, Hashable {
    case client
    case server
}
