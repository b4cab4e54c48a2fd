/// The head of a frame (RFC 6455 section 5.2), checked against everything that can be judged without knowing what
/// came before it.
public struct WebSocketFrameHeader: Sendable, Hashable {
    public var isFinal: Bool
    public var opcode: WebSocketOpcode
    /// RSV1: this frame starts a compressed message (RFC 7692 section 6).
    public var isCompressed: Bool
    /// Payload bytes that follow.
    public var payloadLength: Int
    /// The mask with its first wire byte in the lowest bits, nil where the frame is not masked.
    public var maskKey: UInt32?

    @inlinable
    public init(
        isFinal: Bool, opcode: WebSocketOpcode, isCompressed: Bool = false, payloadLength: Int, maskKey: UInt32?
    ) {
        self.isFinal = isFinal
        self.opcode = opcode
        self.isCompressed = isCompressed
        self.payloadLength = payloadLength
        self.maskKey = maskKey
    }

    /// The longest head there is: two bytes, eight of length, four of mask.
    public static let maximumLength = 14
}
