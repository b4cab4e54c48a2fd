public import StreamCore

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
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whole seconds as the source document writes them, others with milliseconds.
    private static func time(_ seconds: Double, into sink: inout some ByteSink) {
        RFC3339.write(
            seconds, milliseconds: (seconds * 1000).rounded() != seconds.rounded(.down) * 1000, into: &sink)
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
