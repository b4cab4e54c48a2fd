internal import StreamCore

extension ConversationMachine {
    /// Answers a client's `sync`, which names the last event it received, and of the answer under way the id and how much of
    /// its text it has. It goes on from there, or gets the whole state.
    mutating func resume(_ client: Int, _ request: Envelope, now: Double) {
        endOriginal(client)
        guard clients[client].syncs.consume(now: now) else {
            let wait = max(0, clients[client].syncs.nextAvailable - now)
            return refuse(
                client, "rate_limited", "This connection requests the state too often; wait a moment.",
                about: request.messageID, more: ["retry_after": .number((wait * 10).rounded(.up) / 10)], now: now)
        }
        let sequence = request.sequence ?? 0
        clients[client].place.cards = []
        clients[client].replies.removeAll { $0.type == .sync }
        guard sequence > 0, sequence <= visible, visible - sequence <= settings.syncMessages,
            let text = place(request, sequence)
        else { return synchronise(client, now: now) }
        counts.resumed += 1
        clients[client].place.sequence = sequence
        if case .at(let message, let offset) = text {
            clients[client].place.text = .init(message: message, offset: offset)
        } else {
            clients[client].place.text = nil
        }
        reply(
            client,
            Envelope(
                .sync, messageID: request.messageID, timestamp: now, metadata: ["resumed": true], sequence: sequence))
    }

    /// Where in a text a client at this event goes on; `nil` where what it says cannot be.
    private func place(_ request: Envelope, _ sequence: Int) -> TextPlace? {
        // The answer that had begun and not ended there.
        let sent = transcript.events[..<sequence]
        guard let last = sent.last(where: { $0.kind == .answerStarted || $0.kind == .answerEnded }),
            last.kind == .answerStarted
        else { return .nowhere }
        let message = transcript.messages[last.message]
        guard request.messageID == message.id else { return .at(message: last.message, offset: 0) }
        let offset = request.offset ?? 0
        guard offset <= message.text.utf8.count, message.text.isBoundary(offset) else { return nil }
        return .at(message: last.message, offset: offset)
    }

    /// The whole state in one message: the newest messages, and where in the conversation that is.
    private mutating func synchronise(_ client: Int, now: Double) {
        counts.synced += 1
        let history = history
        var messages: [JSONValue] = []
        var bytes = 0
        for index in (0..<history.count).suffix(settings.syncMessages).reversed() {
            let message = history.description(at: index)
            bytes += message.size
            guard messages.isEmpty || bytes <= settings.syncBytes else { break }
            messages.append(message)
        }
        // The answer under way is always sent, or its further text would be of an unknown message.
        if let streaming = transcript.streaming, streaming < history.count - messages.count {
            messages.append(history.description(at: streaming))
        }
        messages.reverse()
        clients[client].place.sequence = visible
        clients[client].place.text = nil
        if let streaming = transcript.streaming, streaming < history.count {
            clients[client].place.text = .init(
                message: streaming, offset: transcript.messages[streaming].text.utf8.count)
        }
        reply(
            client,
            Envelope(
                .sync, messageID: "\(id)-sync", timestamp: now,
                metadata: ["messages": .array(messages), "left_out": .number(Double(history.count - messages.count))],
                sequence: visible))
    }
}

/// Where in a text a client goes on.
private enum TextPlace {
    /// No answer is under way there.
    case nowhere
    case at(message: Int, offset: Int)
}

extension String {
    /// Whether a character's bytes begin, or the text ends, at this offset in bytes of UTF-8.
    func isBoundary(_ offset: Int) -> Bool {
        let bytes = utf8
        guard offset >= 0, offset <= bytes.count else { return false }
        guard offset < bytes.count else { return true }
        return bytes[bytes.index(bytes.startIndex, offsetBy: offset)] & 0xC0 != 0x80
    }

    /// The text from one offset to another, in bytes of UTF-8; the end is moved back to the last boundary.
    func piece(from start: Int, atMost count: Int) -> Substring {
        let bytes = utf8
        var end = min(bytes.count, start + count)
        while end > start, !isBoundary(end) { end -= 1 }
        let from = bytes.index(bytes.startIndex, offsetBy: start)
        return self[from..<bytes.index(from, offsetBy: end - start)]
    }
}
