/// One message of the consultation protocol, a text frame each way:
///
/// ```
/// {"type":"user_message","content":"I want to lose weight","message_id":"msg_123","timestamp":"2025-01-27T10:00:00Z"}
/// ```
///
/// `sequence` and `offset` are additive. What happens in a conversation is numbered without holes; chunks carry no number
/// of their own but the place in their message's text, so that a server may join them for a slow reader.
public struct Envelope: Sendable, Hashable {
    public var type: EnvelopeType
    public var content: String?
    /// The message that this is about, 1 to 128 bytes.
    public var messageID: String
    /// Seconds since 1970 UTC, on the wire ISO 8601 (RFC 3339).
    public var timestamp: Double
    public var metadata: [String: JSONValue]?
    /// The number of the event in its conversation, from 1.
    public var sequence: Int?
    /// Of a chunk: where in the message its text belongs, in bytes of UTF-8.
    public var offset: Int?

    public init(
        _ type: EnvelopeType, content: String? = nil, messageID: String, timestamp: Double,
        metadata: [String: JSONValue]? = nil, sequence: Int? = nil, offset: Int? = nil
    ) {
        self.type = type
        self.content = content
        self.messageID = messageID
        self.timestamp = timestamp
        self.metadata = metadata
        self.sequence = sequence
        self.offset = offset
    }

    public static let longestID = 128

    /// Whether a text may be a message's id.
    public static func isID(_ text: String) -> Bool { 1...longestID ~= text.utf8.count }
}

/// Why a message was dropped: what is wrong, where, and what is allowed.
public struct EnvelopeError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The field at fault; `nil` where the text is no JSON object.
    public var field: String?
    public var description: String

    init(_ description: String, field: String? = nil) {
        self.field = field
        self.description = description
    }
}
