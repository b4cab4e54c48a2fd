internal import StreamCore

extension ConsultationClient {
    mutating func handle(_ envelope: Envelope, on socket: SocketNumber, now: Double) {
        switch envelope.type {
        case .ack where envelope.messageID == authentication:
            authentication = nil
            connection.authenticated(socket, now: now)
        case .error where isAboutToken(envelope):
            authentication = nil
            connection.unauthorized(socket, now: now)
        case .ping: send(Envelope(.pong, messageID: envelope.messageID, timestamp: date(now)), on: socket, now: now)
        case .pong:
            if envelope.messageID == ping || ping == nil {
                ping = nil
                connection.answered(on: socket, now: now)
            }
        case .sync: synchronise(envelope)
        case .aiMessageChunk: append(envelope, on: socket, now: now)
        case .error: show(envelope, now: now)
        case .cancelled where envelope.sequence == nil: settle(envelope, .cancelled)
        case .userMessage, .aiMessageStart, .aiMessageComplete, .templateCreated, .templateUpdated, .ack, .cancelled:
            if follows(envelope, on: socket, now: now) { apply(envelope, on: socket, now: now) }
        case .auth, .cancel, .retry, .unknown: counts.unknown += 1
        }
    }

    private func isAboutToken(_ envelope: Envelope) -> Bool {
        envelope.metadata?["code"]?.text == "unauthorized"
            || authentication != nil && envelope.messageID == authentication
    }

    /// Whether an event is the next one. One that came before is dropped; after a hole the whole is asked for.
    private mutating func follows(_ envelope: Envelope, on socket: SocketNumber, now: Double) -> Bool {
        // A server that does not number.
        guard let number = envelope.sequence else { return true }
        if number == sequence + 1, isWhole(envelope) {
            sequence = number
            return true
        }
        if number <= sequence {
            counts.duplicates += 1
            // Sent again because its answer was lost.
            if envelope.type == .ack { acknowledge(envelope.messageID) }
        } else if sync.isOver {
            counts.gaps += 1
            requestSync(on: socket, now: now)
        }
        return false
    }

    /// An answer's end says how long it is: one that is not that long here lacks something that is on its way.
    private func isWhole(_ envelope: Envelope) -> Bool {
        guard envelope.type == .aiMessageComplete, let length = envelope.offset,
            let message = messages.last(where: { $0.id == envelope.messageID }), message.isStreaming
        else { return true }
        return message.text.utf8.count == length
    }

    private mutating func apply(_ envelope: Envelope, on socket: SocketNumber, now: Double) {
        let id = envelope.messageID
        let index = messages.firstIndex { $0.id == id }
        switch envelope.type {
        case .ack: acknowledge(id)
        case .userMessage:
            if index != nil { return acknowledge(id) }
            // What does not fit is another version's, and no reason to hide the message.
            let message = ChatMessage(
                id: id, role: .user, text: envelope.content ?? "", timestamp: envelope.timestamp, state: .sent,
                details: (try? MessageDetails(metadata: envelope.metadata)) ?? MessageDetails())
            add(message)
            supersede(by: message)
        case .aiMessageStart:
            guard index == nil else { return }
            add(
                ChatMessage(
                    id: id, role: .assistant, text: "", timestamp: envelope.timestamp, state: .streaming))
            stopWaiting(for: id, on: socket, now: now)
        case .templateCreated:
            guard index == nil else { return }
            do {
                let template = try Template(metadata: envelope.metadata)
                add(
                    ChatMessage(
                        id: id, role: .system, text: template.announcement, timestamp: envelope.timestamp,
                        template: template))
            } catch {
                counts.malformed += 1
                counts.lastMalformed = error.description
            }
        case .aiMessageComplete:
            let end = AnswerEnd(
                name: envelope.metadata?["end"]?.text ?? "completed", reason: envelope.metadata?["reason"]?.text)
            settle(envelope, end)
        case .cancelled: settle(envelope, .cancelled)
        case .templateUpdated:
            guard let index, messages[index].template?.id == envelope.metadata?["template_id"]?.text else { return }
            messages[index].template?.decision = ProposalDecision(
                name: envelope.metadata?["decision"]?.text, order: envelope.metadata?["order_id"]?.text)
        case .aiMessageChunk, .error, .ping, .pong, .auth, .cancel, .retry, .sync, .unknown: break
        }
    }

    /// The answer to messages that were to have none before it began. It answers everything that waited.
    private mutating func stopWaiting(for answer: String, on socket: SocketNumber, now: Double) {
        let unwanted = messages.filter { $0.role == .user && $0.state == .sent && stopping.contains($0.id) }
        guard !unwanted.isEmpty else { return }
        stopping.subtract(unwanted.map(\.id))
        stopping.insert(answer)
        send(Envelope(.cancel, messageID: answer, timestamp: date(now)), on: socket, now: now)
    }

    /// Behind what the server has told, before what it does not have yet.
    mutating func add(_ message: ChatMessage) {
        let place = messages.lastIndex { $0.state != .pending }.map { $0 + 1 } ?? 0
        messages.insert(message, at: place)
    }

    /// An answer is over.
    private mutating func settle(_ envelope: Envelope, _ end: AnswerEnd) {
        stopping.remove(envelope.messageID)
        guard let index = messages.firstIndex(where: { $0.id == envelope.messageID }),
            messages[index].role == .assistant
        else { return }
        var end = end
        if let name = envelope.metadata?["end"]?.text {
            end = AnswerEnd(name: name, reason: envelope.metadata?["reason"]?.text)
        }
        // What the server kept, which is what counts.
        if envelope.type == .cancelled, let text = envelope.content { messages[index].text = text }
        messages[index].state = .init(end)
    }

    // MARK: Text

    /// Text of the answer that goes on. An unknown id is ignored (FIT-12); what is there already is not put there twice.
    private mutating func append(_ envelope: Envelope, on socket: SocketNumber, now: Double) {
        guard let text = envelope.content,
            let index = messages.lastIndex(where: { $0.id == envelope.messageID }), messages[index].isStreaming
        else { return }
        guard let offset = envelope.offset else {
            messages[index].text += text
            return
        }
        let have = messages[index].text.utf8.count
        if offset == have {
            messages[index].text += text
        } else if offset < have {
            counts.duplicates += 1
            let known = have - offset
            guard known < text.utf8.count, text.isBoundary(known) else { return }
            messages[index].text += text.piece(from: known, atMost: text.utf8.count)
        } else if sync.isOver {
            counts.gaps += 1
            requestSync(on: socket, now: now)
        }
    }

    // MARK: The whole state

    private mutating func synchronise(_ envelope: Envelope) {
        guard let number = envelope.sequence else { return }
        guard let described = envelope.metadata?["messages"]?.elements else {
            // It goes on from where we said we stand.
            if number == sequence, !sync.isOver { counts.resumed += 1 }
            sync.end()
            return
        }
        sync.end()
        counts.synced += 1
        sequence = number
        var known: Set<String> = []
        let whole = described.compactMap(ChatMessage.init(described:)).filter { known.insert($0.id).inserted }
        for message in pending where known.contains(message.id) { acknowledge(message.id) }
        stopping.subtract(whole.filter { $0.role == .assistant && !$0.isStreaming }.map(\.id))
        messages = whole + messages.filter { !known.contains($0.id) && $0.role == .user && $0.isWaitingOrFailed }
    }

    /// Something went wrong (FIT-16): with one message, or with all.
    private mutating func show(_ envelope: Envelope, now: Double) {
        let sentence = envelope.content ?? "Unknown error"
        counts.lastError = sentence
        let about = envelope.metadata?["message_id"]?.text ?? envelope.messageID
        // What is to be stopped has not begun: it is stopped when it does.
        if envelope.metadata?["code"]?.text == "not_answering" {
            if messages.first(where: { $0.id == about })?.role != .user { stopping.remove(about) }
            return
        }
        if envelope.metadata?["code"]?.text == "rate_limited",
            sync.refused(about, retryAfter: envelope.metadata?["retry_after"]?.number, now: now)
        {
            return
        }
        if let message = messages.first(where: { $0.id == about }) {
            if message.state == .pending { fail(about, sentence) }
        } else {
            problem = sentence
        }
    }
}

extension ChatMessage {
    var isWaitingOrFailed: Bool {
        switch state {
        case .pending, .failed: true
        case .sent, .streaming, .complete, .cancelled, .interrupted: false
        }
    }

    /// A message as a `sync` describes it.
    init?(described json: JSONValue) {
        guard let id = json["message_id"]?.text, let role = json["role"]?.text.flatMap(Role.init(rawValue:)),
            let text = json["content"]?.text, let timestamp = json["timestamp"]?.number
        else { return nil }
        var state = State.complete
        switch role {
        case .user: state = .sent
        case .system: break
        case .assistant:
            let end = json["end"]?.text ?? "completed"
            state = end == "streaming" ? .streaming : .init(AnswerEnd(name: end, reason: json["reason"]?.text))
        }
        self.init(
            id: id, role: role, text: text, timestamp: timestamp, state: state,
            template: role == .system ? json["metadata"]?.members.flatMap { try? Template(metadata: $0) } : nil,
            details: (role == .user ? try? MessageDetails(metadata: json["metadata"]?.members) : nil)
                ?? MessageDetails())
        if case .bool(true) = json["superseded"] { isSuperseded = true }
    }
}
