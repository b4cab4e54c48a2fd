public import StreamCore

extension ConversationMachine {
    /// Adds a client. Until its `sync` says where it stands it is sent what happens from now on; of the answer under way,
    /// all.
    /// - Parameter name: what the connections of a client have in common that may be one of the original protocol, which
    ///   knows no `sync`. It goes on where its last connection was lost.
    public mutating func attach(_ number: ClientNumber, name: String? = nil, now: Double) {
        detach(number, now: now)
        var client = ConversationClient(
            number, sequence: beginning(isOriginal: name != nil, now: now),
            syncs: TokenBucket(rate: settings.syncRate, burst: settings.syncBurst, now: now))
        client.original = name.map { OriginalClient($0, at: client.place) }
        clients.append(client)
        continueOrPingRivals(of: clients.count - 1, now: now)
        pump(now: now)
    }

    /// A client's connection is gone. Nothing else ends with it.
    /// - Parameter isFinal: the client ended it and does not come back.
    public mutating func detach(_ number: ClientNumber, isFinal: Bool = false, now: Double) {
        guard let index = clients.firstIndex(where: { $0.number == number }) else { return }
        keepPlace(of: clients.remove(at: index), isFinal: isFinal, now: now)
        pump(now: now)
    }

    /// A client's socket has written this many bytes.
    public mutating func wrote(_ number: ClientNumber, bytes: Int, now: Double) {
        guard let index = clients.firstIndex(where: { $0.number == number }) else { return }
        clients[index].inFlight = max(0, clients[index].inFlight - bytes)
        pump(index, now: now)
    }

    /// A client sent a text frame.
    /// - Parameter allowances: of whoever sends it.
    public mutating func received(
        _ bytes: UnsafeRawBufferPointer, from number: ClientNumber, allowances: inout some MessageAllowances,
        now: Double
    ) {
        guard let index = clients.firstIndex(where: { $0.number == number }) else { return }
        do {
            handle(try Envelope.decode(bytes), from: index, &allowances, now: now)
        } catch {
            counts.malformed += 1
            clients[index].malformed += 1
            refuse(index, "invalid_message", error.description, field: error.field, now: now)
            if clients[index].malformed >= settings.maxMalformed {
                disconnect(index, .badRequests, "too many messages that could not be read", now: now)
            }
        }
        pump(now: now)
    }

    private mutating func handle(
        _ message: Envelope, from client: Int, _ allowances: inout some MessageAllowances, now: Double
    ) {
        switch message.type {
        case .userMessage: receive(message, from: client, &allowances, now: now)
        case .ping: reply(client, Envelope(.pong, messageID: message.messageID, timestamp: now))
        case .cancel: cancel(message.messageID, from: client, now: now)
        case .retry: retry(message.messageID, from: client, &allowances, now: now)
        case .sync: resume(client, message, now: now)
        // The server has checked a renewed token before it comes here.
        case .auth: reply(client, Envelope(.ack, messageID: message.messageID, timestamp: now))
        case .pong, .unknown: break
        case .aiMessageStart, .aiMessageChunk, .aiMessageComplete, .templateCreated, .templateUpdated, .error, .ack,
            .cancelled:
            refuse(
                client, "unexpected_type", "Only the server sends \(message.type.name).", about: message.messageID,
                now: now)
        }
    }

    // MARK: Messages

    private mutating func receive(
        _ message: Envelope, from client: Int, _ allowances: inout some MessageAllowances, now: Double
    ) {
        let id = message.messageID
        let text = message.content ?? ""
        if let index = transcript.indexes[id] {
            let known = transcript.messages[index]
            guard known.role == .user, known.text == text else {
                return refuse(
                    client, "duplicate_id", "Another message has this message_id already.", about: id, now: now)
            }
            // A repetition because its `ack` was lost; one that is not on disk yet is acknowledged when it is.
            counts.duplicates += 1
            clients[client].own.insert(id)
            let event = transcript.places[index].beginning
            if event < visible, event < clients[client].place.sequence {
                reply(client, Envelope(.ack, messageID: id, timestamp: now, sequence: event + 1))
            }
            return
        }
        let details: MessageDetails
        do throws(EnvelopeError) {
            details = try MessageDetails(metadata: message.metadata)
        } catch {
            return refuse(client, "invalid_message", error.description, field: error.field, about: id, now: now)
        }
        if let refusal = refusal(of: message, details, &allowances, now: now) {
            return refuse(
                client, refusal.code, refusal.text, field: refusal.field, about: id, more: refusal.more, now: now)
        }
        clients[client].own.insert(id)
        accept(id, text, details, now: now)
    }

    private mutating func accept(_ id: String, _ text: String, _ details: MessageDetails, now: Double) {
        record(.userMessage(id: id, text: text, details), now: now)
        // The question that is being answered has been replaced.
        guard let streaming = transcript.streaming, transcript.messages[streaming].isSuperseded else { return }
        act(.stop(answer: transcript.messages[streaming].id))
        end(.cancelled, now: now)
    }

    /// Why a message that is not in the conversation yet may not come into it.
    private func refusal(
        of message: Envelope, _ details: MessageDetails, _ allowances: inout some MessageAllowances, now: Double
    ) -> MessageRefusal? {
        // Those are the names of answers.
        guard !message.messageID.hasPrefix("\(id)-") else {
            return MessageRefusal("invalid_id", "A message_id may not begin with the consultation's.")
        }
        let text = message.content ?? ""
        guard !text.isBlank else {
            return MessageRefusal("empty_message", "The message has no text.", field: "content")
        }
        guard text.utf8.count <= settings.maxMessageLength || text.count <= settings.maxMessageLength,
            text.utf8.count <= 4 * settings.maxMessageLength
        else {
            return MessageRefusal(
                "message_too_long", "A message may have \(settings.maxMessageLength) characters.", field: "content")
        }
        guard transcript.messages.count < settings.maxMessages else {
            return MessageRefusal(
                "conversation_full", "The conversation has \(settings.maxMessages) messages; begin a new one.")
        }
        guard transcript.waiting < settings.maxWaiting else {
            return MessageRefusal(
                "busy", "\(settings.maxWaiting) messages wait for an answer; send again after it.")
        }
        if let edited = details.edits {
            guard let known = transcript.message(edited), known.role == .user else {
                return MessageRefusal(
                    "unknown_message", "There is no message of yours that this could replace.", field: "metadata.edits")
            }
            guard !known.isSuperseded else {
                return MessageRefusal(
                    "superseded", "Another message has replaced that one already.", field: "metadata.edits")
            }
        }
        return allowances.refusal(of: user, now: now)
    }

    /// Accepts a message from elsewhere than a connected client: the first one of a conversation.
    /// - Returns: why it was refused; `nil` where it was not.
    public mutating func submit(
        _ text: String, id: String, screen: ScreenContext? = nil, allowances: inout some MessageAllowances, now: Double
    ) -> MessageRefusal? {
        let message = Envelope(.userMessage, content: text, messageID: id, timestamp: now)
        guard transcript.indexes[id] == nil else {
            return MessageRefusal("duplicate_id", "Another message has this message_id already.")
        }
        let details = MessageDetails(screen: screen)
        if let refusal = refusal(of: message, details, &allowances, now: now) { return refusal }
        accept(id, text, details, now: now)
        pump(now: now)
        return nil
    }

    /// Answers a message once more: the one named, or the one that the answer named was for.
    private mutating func retry(
        _ id: String, from client: Int, _ allowances: inout some MessageAllowances, now: Double
    ) {
        let named = transcript.message(id)
        guard let question = named?.role == .user ? id : named?.replyTo else {
            return refuse(client, "unknown_message", "There is no such message or answer.", about: id, now: now)
        }
        guard transcript.message(question)?.isSuperseded == false else {
            return refuse(
                client, "superseded", "Another message has replaced that one; send that one again.", about: id, now: now
            )
        }
        guard transcript.streaming == nil, transcript.unanswered == nil else {
            return refuse(client, "busy", "An answer is under way; stop it first.", about: id, now: now)
        }
        if let refusal = allowances.refusal(of: user, now: now) {
            return refuse(client, refusal.code, refusal.text, about: id, more: refusal.more, now: now)
        }
        begin(replyTo: question, now: now)
    }

    // MARK: Stopping

    /// Stops the answer named, or the one to the message named. A repetition, or one too late, is answered with how it ended.
    private mutating func cancel(_ id: String, from client: Int, now: Double) {
        if let streaming = transcript.streaming {
            let answer = transcript.messages[streaming]
            if answer.id == id || answer.replyTo == id {
                act(.stop(answer: answer.id))
                return end(.cancelled, now: now)
            }
        }
        let index = transcript.indexes[id].flatMap { index in
            transcript.messages[index].role == .assistant ? index : transcript.places[index].answer
        }
        guard let index, let end = transcript.messages[index].end else {
            return refuse(client, "not_answering", "There is no answer under way to stop.", about: id, now: now)
        }
        // Its end is only sent once it is on disk; until then the event itself will bring it.
        if let event = transcript.places[index].end, event < visible {
            let answer = transcript.messages[index]
            reply(
                client,
                Envelope(
                    .cancelled, content: answer.text, messageID: answer.id, timestamp: now,
                    metadata: ["end": .string(end.name)]))
        }
    }

    // MARK: Replies

    mutating func refuse(
        _ client: Int, _ code: String, _ text: String, field: String? = nil, about id: String? = nil,
        more: [String: JSONValue] = [:], now: Double
    ) {
        counts.refused += 1
        var metadata = more
        metadata["code"] = .string(code)
        if let field { metadata["field"] = .string(field) }
        if let id { metadata["message_id"] = .string(id) }
        reply(
            client,
            Envelope(.error, content: text, messageID: id ?? "\(self.id)-error", timestamp: now, metadata: metadata))
    }

    mutating func reply(_ client: Int, _ envelope: Envelope) {
        clients[client].replies.append(envelope)
    }

    mutating func disconnect(_ client: Int, _ code: WebSocketCloseCode, _ reason: String, now: Double) {
        act(.close(clients[client].number, code, reason: reason))
        keepPlace(of: clients.remove(at: client), isFinal: false, now: now)
    }
}

/// Why a message is not accepted into a conversation.
public struct MessageRefusal: Error, Sendable, Hashable {
    /// `metadata.code` of the `error` frame.
    public var code: String
    /// A sentence for the user.
    public var text: String
    public var field: String?
    /// More of the `error` frame's metadata.
    public var more: [String: JSONValue]

    package init(_ code: String, _ text: String, field: String? = nil, more: [String: JSONValue] = [:]) {
        self.code = code
        self.text = text
        self.field = field
        self.more = more
    }
}
