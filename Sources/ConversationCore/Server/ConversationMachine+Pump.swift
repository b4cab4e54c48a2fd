internal import StreamCore

extension ConversationMachine {
    /// Sends every client what it lacks, as far as its window goes.
    mutating func pump(now: Double) {
        var count: Int
        repeat {
            count = clients.count
            // From the back: a client that is disconnected leaves the list.
            for index in clients.indices.reversed() { pump(index, now: now) }
            // Others may have waited for it.
        } while clients.count < count
    }

    mutating func pump(_ client: Int, now: Double) {
        guard clients[client].replies.count <= settings.maxReplies else {
            return disconnect(client, .slowReader, "it sends requests and does not read", now: now)
        }
        while clients[client].inFlight < settings.window {
            if !clients[client].replies.isEmpty {
                // One by one: each may be as long as an answer.
                send(clients[client].replies.removeFirst().bytes, to: client)
            } else if clients[client].original?.isWaiting == true {
                return
            } else if !sendText(client, now: now), !sendCard(client, now: now), !sendEvent(client, now: now) {
                return
            }
        }
    }

    /// - Parameter ping: goes out directly behind the frame.
    private mutating func send(_ frame: [UInt8], to client: Int, ping: UInt32? = nil) {
        counts.framesOut += 1
        clients[client].inFlight += frame.count
        let number = clients[client].number
        act(ping.map { .sendConfirmed(number, frame, ping: $0) } ?? .send(number, frame))
    }

    /// Sends the frame that brings a client to its `place`.
    private mutating func advance(_ client: Int, by frame: [UInt8], now: Double) {
        guard let original = clients[client].original else { return send(frame, to: client) }
        guard original.answersPings != false else {
            clients[client].confirm()
            return send(frame, to: client)
        }
        pings &+= 1
        clients[client].original?.ping = (pings, now)
        send(frame, to: client, ping: pings)
    }

    /// Sends an original client the next card of an answer that has ended: that is the order which it knows.
    private mutating func sendCard(_ client: Int, now: Double) -> Bool {
        guard clients[client].place.text == nil, !clients[client].place.cards.isEmpty else { return false }
        let index = clients[client].place.cards.removeFirst()
        advance(client, by: cardFrame(transcript.events[index], sequence: index + 1), now: now)
        return true
    }

    private func cardFrame(_ event: Transcript.Event, sequence: Int) -> [UInt8] {
        let message = transcript.messages[event.message]
        return Envelope(
            .templateCreated, content: message.text, messageID: message.id, timestamp: event.time,
            metadata: message.template?.undecided.metadata, sequence: sequence
        ).bytes
    }

    /// - Returns: whether there was text to send.
    private mutating func sendText(_ client: Int, now: Double) -> Bool {
        guard let place = clients[client].place.text else { return false }
        let text = transcript.messages[place.message].text
        guard place.offset < text.utf8.count else { return false }
        let frame: [UInt8]
        let end: Int
        if let encoded, encoded.message == place.message, encoded.from == place.offset,
            encoded.to == min(text.utf8.count, encoded.from + settings.maxChunkSize)
        {
            (frame, end) = (encoded.frame, encoded.to)
        } else {
            let piece = text.piece(from: place.offset, atMost: settings.maxChunkSize)
            end = place.offset + piece.utf8.count
            let id = transcript.messages[place.message].id
            var bytes: [UInt8] = []
            bytes.reserveCapacity(piece.utf8.count + id.utf8.count + 128)
            Envelope.writeChunk(piece, of: id, offset: place.offset, timestamp: now, into: &bytes)
            frame = bytes
            encoded = (place.message, place.offset, end, bytes)
        }
        clients[client].place.text = .init(message: place.message, offset: end)
        advance(client, by: frame, now: now)
        return true
    }

    /// Sends the next event, once all text before it is sent.
    private mutating func sendEvent(_ client: Int, now: Double) -> Bool {
        let index = clients[client].place.sequence
        guard index < visible else { return false }
        let event = transcript.events[index]
        let sequence = index + 1
        clients[client].place.sequence = sequence
        let message = transcript.messages[event.message]
        switch event.kind {
        case .userMessage:
            let isOwn = clients[client].own.contains(message.id)
            advance(
                client,
                by: Envelope(
                    isOwn ? .ack : .userMessage, content: isOwn ? nil : message.text, messageID: message.id,
                    timestamp: event.time, metadata: message.details.metadata, sequence: sequence
                ).bytes, now: now)
        case .answerStarted:
            clients[client].place.text = .init(message: event.message, offset: 0)
            advance(
                client,
                by: Envelope(
                    .aiMessageStart, messageID: message.id, timestamp: event.time,
                    metadata: message.replyTo.map { ["reply_to": .string($0)] }, sequence: sequence
                ).bytes, now: now)
        case .template where clients[client].original != nil:
            clients[client].place.cards.append(index)
        case .template: advance(client, by: cardFrame(event, sequence: sequence), now: now)
        case .answerEnded:
            clients[client].place.text = nil
            sendEnd(message, at: event.time, sequence, to: client, now: now)
        case .decided:
            advance(
                client,
                by: Envelope(
                    .templateUpdated, messageID: message.id, timestamp: event.time, metadata: message.template?.update,
                    sequence: sequence
                ).bytes, now: now)
        }
        return true
    }

    /// `ai_message_complete` whatever the end was, so that a client which knows only the documented types stops showing
    /// that the assistant types; before it what such a client would miss.
    private mutating func sendEnd(
        _ message: Transcript.Message, at time: Double, _ sequence: Int, to client: Int, now: Double
    ) {
        let end = message.end ?? .interrupted
        var metadata: [String: JSONValue] = ["end": .string(end.name)]
        if let reason = end.reason { metadata["reason"] = .string(reason) }
        if let usage = message.usage { metadata["usage"] = usage.json }
        switch end {
        case .cancelled:
            send(
                Envelope(
                    .cancelled, content: message.text, messageID: message.id, timestamp: time, metadata: metadata,
                    sequence: sequence
                ).bytes, to: client)
        case .failed(let reason):
            send(
                Envelope(
                    .error, content: reason, messageID: message.id, timestamp: time,
                    metadata: ["code": "answer_failed", "message_id": .string(message.id)]
                ).bytes, to: client)
        case .completed, .interrupted: break
        }
        advance(
            client,
            by: Envelope(
                .aiMessageComplete, messageID: message.id, timestamp: time, metadata: metadata, sequence: sequence,
                offset: message.text.utf8.count
            ).bytes, now: now)
    }
}

/// Names one connection of a conversation.
public struct ClientNumber: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }
}

/// What a client has been sent. There is no queue of events: what it lacks is what lies between here and the head of the
/// conversation, so that a slow reader costs nothing and its chunks join by themselves.
struct ConversationClient {
    let number: ClientNumber
    var place: ClientPlace
    /// `nil` for a client that says itself what it has.
    var original: OriginalClient?
    /// Bytes sent and not yet written by its socket.
    var inFlight = 0
    /// Answers to its requests; they come before everything else.
    var replies: [Envelope] = []
    /// Its own messages: it gets an `ack` for each and not the message itself.
    var own: Set<String> = []
    var malformed = 0
    /// How often it may request the state.
    var syncs: TokenBucket

    /// It has everything that it was sent.
    mutating func confirm() {
        original?.ping = nil
        original?.confirmed = place
    }

    init(_ number: ClientNumber, sequence: Int, syncs: TokenBucket) {
        self.number = number
        place = ClientPlace(sequence: sequence)
        self.syncs = syncs
    }
}
