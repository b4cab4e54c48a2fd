internal import MarketModel
internal import StreamCore

extension Envelope {
    /// Reads one text frame.
    ///
    /// Keys may come in any order, unknown ones are ignored. A message without a type, an id or a time is refused with the
    /// reason; one of a type that this version does not know is not.
    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(EnvelopeError) -> Envelope {
        var fields = EnvelopeFields()
        do {
            try fields.read(bytes)
        } catch {
            throw fields.refusal(error)
        }
        return try fields.envelope()
    }
}

extension Envelope {
    /// What a text frame is, read as `decode` reads it, without the rest of it: for a proxy that looks into some
    /// frames only.
    /// - Returns: `nil` where it is not a JSON object or has no type; then `decode` refuses it, too.
    public static func type(of bytes: UnsafeRawBufferPointer) -> EnvelopeType? {
        var fields = EnvelopeFields(readsOnlyType: true)
        do {
            try fields.read(bytes)
        } catch {
            return nil
        }
        return fields.type
    }
}

/// The fields of a message, as far as they were read.
private struct EnvelopeFields {
    var readsOnlyType = false
    var type: EnvelopeType?
    var content: String?
    var messageID: String?
    var timestamp: Double?
    var hasTimestamp = false
    var metadata: [String: JSONValue]?
    var sequence: Int?
    var offset: Int?
    /// The field being read, for the error.
    var current: StaticString?

    mutating func read(_ bytes: UnsafeRawBufferPointer) throws(JSONError) {
        var scanner = JSONScanner(bytes)
        try scanner.beginObject()
        while let key = try scanner.nextKey() {
            try readField(key, &scanner)
            current = nil
        }
        try scanner.end()
    }

    private mutating func readField(_ key: JSONText, _ scanner: inout JSONScanner) throws(JSONError) {
        if key.equals("type") {
            current = "type"
            type = Self.type(try scanner.string())
        } else if readsOnlyType {
            try scanner.skipValue()
        } else if key.equals("content") {
            current = "content"
            if try !scanner.skipNull() { content = try scanner.string().string }
        } else if key.equals("message_id") {
            current = "message_id"
            messageID = try scanner.string().string
        } else if key.equals("timestamp") {
            current = "timestamp"
            let text = try scanner.string().raw
            hasTimestamp = text.count > 0
            timestamp = RFC3339.seconds(text)
        } else if key.equals("metadata") {
            current = "metadata"
            if try !scanner.skipNull() { metadata = try scanner.members() }
        } else if key.equals("sequence") {
            current = "sequence"
            if try !scanner.skipNull() { sequence = try scanner.integer() }
        } else if key.equals("offset") {
            current = "offset"
            if try !scanner.skipNull() { offset = try scanner.integer() }
        } else {
            try scanner.skipValue()
        }
    }

    private static func type(_ text: JSONText) -> EnvelopeType {
        for (type, name) in EnvelopeType.names where text.equals(name) { return type }
        return .unknown(text.string)
    }

    func refusal(_ error: JSONError) -> EnvelopeError {
        guard let current else {
            return EnvelopeError(
                "The message is not a JSON object: \(error.problem.sentence.description), at byte \(error.offset).")
        }
        return EnvelopeError(
            "The field \(current.description) cannot be read: \(error.problem.sentence.description), at byte \(error.offset).",
            field: current.description)
    }

    consuming func envelope() throws(EnvelopeError) -> Envelope {
        guard let type, type != .unknown("") else {
            throw EnvelopeError("The field type is missing or empty; it says what the message is.", field: "type")
        }
        guard let messageID, !messageID.isEmpty else {
            throw EnvelopeError("The field message_id is missing or empty.", field: "message_id")
        }
        guard Envelope.isID(messageID) else {
            throw EnvelopeError(
                "The field message_id has \(messageID.utf8.count) bytes; it may have \(Envelope.maxIDLength).",
                field: "message_id")
        }
        guard hasTimestamp else {
            throw EnvelopeError("The field timestamp is missing or empty.", field: "timestamp")
        }
        guard let timestamp else {
            throw EnvelopeError(
                "The field timestamp is not an ISO 8601 time such as 2025-01-27T10:00:00Z.", field: "timestamp")
        }
        for (name, number) in [("sequence", sequence), ("offset", offset)] {
            if let number, number < 0 { throw EnvelopeError("The field \(name) is negative.", field: name) }
        }
        return Envelope(
            type, content: content, messageID: messageID, timestamp: timestamp, metadata: metadata, sequence: sequence,
            offset: offset)
    }
}
