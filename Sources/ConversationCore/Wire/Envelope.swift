internal import MarketModel
public import StreamCore

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

    /// A text of the metadata.
    @inline(never)
    func text(_ member: String) -> String? { metadata?[member]?.text }

    public static let maxIDLength = 128

    /// Whether a text may be a message's id.
    public static func isID(_ text: String) -> Bool { 1...maxIDLength ~= text.utf8.count }
}

/// Why a message was dropped: what is wrong, where, and what is allowed.
public struct EnvelopeError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The field at fault; `nil` where the text is not a JSON object.
    public var field: String?
    public var description: String

    package init(_ description: String, field: String? = nil) {
        self.field = field
        self.description = description
    }
}

extension Envelope {
    /// Writes the message. What is `nil` is left out.
    public func write(into sink: inout some ByteSink) {
        sink.json("{\"type\":")
        sink.string(type.name)
        if let content {
            sink.json(",\"content\":")
            sink.string(content)
        }
        sink.json(",\"message_id\":")
        sink.string(messageID)
        sink.json(",\"timestamp\":\"")
        Self.time(timestamp, into: &sink)
        sink.json("\"")
        if let metadata {
            sink.json(",\"metadata\":")
            metadata.write(into: &sink)
        }
        if let sequence {
            sink.json(",\"sequence\":")
            sink.integer(sequence)
        }
        if let offset {
            sink.json(",\"offset\":")
            sink.integer(offset)
        }
        sink.json("}")
    }

    /// The message as it goes over the wire.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        write(into: &bytes)
        return bytes
    }

    /// `timestamp` as it stands on the wire.
    public var timestampText: String {
        var bytes: [UInt8] = []
        Self.time(timestamp, into: &bytes)
        return bytes.withUnsafeBytes { String(utf8: $0) }
    }

    /// Whole seconds as the source document writes them, others with milliseconds.
    private static func time(_ seconds: Double, into sink: inout some ByteSink) {
        let isWhole = (seconds * 1000).rounded() == seconds.rounded(.down) * 1000
        RFC3339.write(seconds, fractionDigits: isWhole ? 0 : 3) { sink.append($0) }
    }

    /// A chunk without the detour over a value: the frame that there are thousands of.
    static func writeChunk(
        _ text: Substring, of messageID: String, offset: Int, timestamp: Double, into sink: inout some ByteSink
    ) {
        sink.json("{\"type\":\"ai_message_chunk\",\"content\":")
        sink.string(text)
        sink.json(",\"message_id\":")
        sink.string(messageID)
        sink.json(",\"timestamp\":\"")
        time(timestamp, into: &sink)
        sink.json("\",\"offset\":")
        sink.integer(offset)
        sink.json("}")
    }
}

/// Who wrote a message.
public enum Role: String, Sendable, Hashable {
    case user, assistant, system
}

extension String {
    /// Whether the text has no character but white space (Unicode's White_Space).
    var isBlank: Bool {
        unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
            default: false
            }
        }
    }
}
