/// What the peer did wrong, as a short sentence for the close frame and for logs. The connection cannot go on after any
/// of these.
public enum WebSocketFailure: String, Sendable {
    /// Without an extension that gives it a meaning.
    case reservedBit = "reserved bit set"
    case reservedOpcode = "reserved opcode"
    case fragmentedControlFrame = "fragmented control frame"
    case oversizedControlFrame = "control frame over 125 bytes"
    case unmaskedFrame = "client frame is not masked"
    case maskedFrame = "server frame is masked"
    /// A 64-bit length with its highest bit set.
    case invalidLength = "invalid frame length"
    case unexpectedContinuation = "continuation without a message"
    /// A new message before the last one was complete.
    case expectedContinuation = "message not finished"
    case truncatedCloseCode = "close code of one byte"
    /// One that must not be sent.
    case invalidCloseCode = "invalid close code"
    case invalidUTF8 = "text is not UTF-8"
    case invalidUTF8InCloseReason = "close reason is not UTF-8"
    case frameTooBig = "frame too big"
    case messageTooBig = "message too big"
    case tooManyFragments = "too many fragments"
    case invalidCompression = "message is not valid DEFLATE data"
    case inflatedTooBig = "message too big after decompression"
    /// More than the endpoint accepts.
    case tooManyMessages = "too many messages a second"

    public var reason: String { rawValue }

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
}
