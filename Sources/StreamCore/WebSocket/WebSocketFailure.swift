/// What the peer did wrong. The connection cannot go on after any of these.
public enum WebSocketFailure: Sendable, Hashable {
    /// A reserved bit is set without an extension that gives it a meaning.
    case reservedBit
    case reservedOpcode
    /// A control frame without the FIN bit.
    case fragmentedControlFrame
    /// A control frame of more than 125 bytes.
    case oversizedControlFrame
    /// A client's frame that is not masked.
    case unmaskedFrame
    /// A server's frame that is masked.
    case maskedFrame
    /// A 64-bit length with its highest bit set.
    case invalidLength
    /// A continuation frame while no message is under way.
    case unexpectedContinuation
    /// A new message before the last one was complete.
    case expectedContinuation
    /// A close frame with a payload of one byte.
    case truncatedCloseCode
    /// A close code that must not be sent.
    case invalidCloseCode
    case invalidUTF8
    case invalidUTF8InCloseReason
    case frameTooBig
    case messageTooBig
    case tooManyFragments
    /// A compressed message that is no valid DEFLATE data.
    case invalidCompression
    /// A compressed message that is too big inflated.
    case inflatedTooBig
    /// More messages a second than the endpoint accepts.
    case tooManyMessages

    /// The code to close the connection with.
    public var closeCode: WebSocketCloseCode {
        switch self {
        case .reservedBit, .reservedOpcode, .fragmentedControlFrame, .oversizedControlFrame, .unmaskedFrame,
            .maskedFrame, .invalidLength, .unexpectedContinuation, .expectedContinuation, .truncatedCloseCode,
            .invalidCloseCode:
            .protocolError
        case .invalidUTF8, .invalidUTF8InCloseReason, .invalidCompression: .invalidPayload
        case .frameTooBig, .messageTooBig, .inflatedTooBig: .messageTooBig
        case .tooManyFragments: .policyViolation
        case .tooManyMessages: .tooManyMessages
        }
    }

    /// A short sentence for the close frame and for logs.
    public var reason: StaticString {
        switch self {
        case .reservedBit: "reserved bit set"
        case .reservedOpcode: "reserved opcode"
        case .fragmentedControlFrame: "fragmented control frame"
        case .oversizedControlFrame: "control frame over 125 bytes"
        case .unmaskedFrame: "client frame is not masked"
        case .maskedFrame: "server frame is masked"
        case .invalidLength: "invalid frame length"
        case .unexpectedContinuation: "continuation without a message"
        case .expectedContinuation: "message not finished"
        case .truncatedCloseCode: "close code of one byte"
        case .invalidCloseCode: "invalid close code"
        case .invalidUTF8: "text is not UTF-8"
        case .invalidUTF8InCloseReason: "close reason is not UTF-8"
        case .frameTooBig: "frame too big"
        case .messageTooBig: "message too big"
        case .tooManyFragments: "too many fragments"
        case .invalidCompression: "message is not valid DEFLATE data"
        case .inflatedTooBig: "message too big after decompression"
        case .tooManyMessages: "too many messages a second"
        }
    }
}
