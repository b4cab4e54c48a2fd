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
        case .cancelled where envelope.sequence == nil: finish(envelope, .cancelled)
        case .userMessage, .aiMessageStart, .aiMessageComplete, .templateCreated, .templateUpdated, .ack, .cancelled:
            if isNext(envelope, on: socket, now: now) { apply(envelope, on: socket, now: now) }
        case .auth, .cancel, .retry: counts.unknown += 1
        case .unknown:
            counts.unknown += 1
            // An event of a later version is passed over: nothing is missing.
            _ = isNext(envelope, on: socket, now: now)
        }
    }

    private func isAboutToken(_ envelope: Envelope) -> Bool {
        envelope.text("code") == "unauthorized"
            || authentication != nil && envelope.messageID == authentication
    }

    /// Whether an event is the next one. An earlier one is dropped; after a hole the whole state is requested.
    private mutating func isNext(_ envelope: Envelope, on socket: SocketNumber, now: Double) -> Bool {
        // A server without numbers.
        guard let number = envelope.sequence else { return true }
        if number == sequence + 1, isWhole(envelope) {
            sequence = number
            return true
        }
        if number <= sequence {
            counts.duplicates += 1
            // The answer to a message that was sent again because its first answer was lost.
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
            let index = index(of: envelope.messageID), messages[index].isStreaming
        else { return true }
        return messages[index].text.utf8.count == length
    }

    private mutating func apply(_ envelope: Envelope, on socket: SocketNumber, now: Double) {
        let id = envelope.messageID
        let index = self.index(of: id)
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
                name: envelope.text("end") ?? "completed", reason: envelope.text("reason"))
            finish(envelope, end)
        case .cancelled: finish(envelope, .cancelled)
        case .templateUpdated:
            guard let index, messages[index].template?.id == envelope.text("template_id") else { return }
            messages[index].template?.decision = ProposalDecision(
                name: envelope.text("decision"), order: envelope.text("order_id"))
        case .aiMessageChunk, .error, .ping, .pong, .auth, .cancel, .retry, .sync, .unknown: break
        }
    }

    /// Cancels an answer whose question was cancelled before it began. An answer is for all questions that waited.
    private mutating func stopWaiting(for answer: String, on socket: SocketNumber, now: Double) {
        var kept: [String] = []
        for id in stopping {
            if let index = index(of: id), messages[index].role == .user, messages[index].state == .sent { continue }
            kept.append(id)
        }
        guard kept.count < stopping.count else { return }
        stopping = kept
        stopping.append(answer)
        send(Envelope(.cancel, messageID: answer, timestamp: date(now)), on: socket, now: now)
    }

    /// Inserts a message behind what the server has sent, before what it does not have yet.
    mutating func add(_ message: ChatMessage) {
        let place = messages.lastIndex { $0.state != .pending }.map { $0 + 1 } ?? 0
        messages.insert(message, at: place)
    }

    /// Ends an answer.
    private mutating func finish(_ envelope: Envelope, _ end: AnswerEnd) {
        stopCancelling(envelope.messageID)
        guard let index = index(of: envelope.messageID),
            messages[index].role == .assistant
        else { return }
        var end = end
        if let name = envelope.text("end") {
            end = AnswerEnd(name: name, reason: envelope.text("reason"))
        }
        // The text that the server kept is the one that counts.
        if envelope.type == .cancelled, let text = envelope.content { messages[index].replaceText(by: text) }
        messages[index].state = .init(end)
    }

    mutating func stopCancelling(_ id: String) { stopping.removeAll { $0 == id } }

    // MARK: Text

    /// Appends text to the answer under way. An unknown id is ignored; text that is there already is not added twice.
    private mutating func append(_ envelope: Envelope, on socket: SocketNumber, now: Double) {
        guard let text = envelope.content,
            let index = index(of: envelope.messageID), messages[index].isStreaming
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
            let bytes = Array(text.utf8)
            // At the beginning of a character.
            guard known < bytes.count, bytes[known] & 0xC0 != 0x80 else { return }
            messages[index].text += bytes.withUnsafeBytes {
                String(utf8: UnsafeRawBufferPointer(rebasing: $0[known...]))
            }
        } else if sync.isOver {
            counts.gaps += 1
            requestSync(on: socket, now: now)
        }
    }

    // MARK: The whole state

    private mutating func synchronise(_ envelope: Envelope) {
        guard let number = envelope.sequence else { return }
        guard let described = envelope.metadata?["messages"]?.elements else {
            // The server goes on from the place that the request named.
            if number == sequence, !sync.isOver { counts.resumed += 1 }
            sync.end()
            return
        }
        sync.end()
        counts.synced += 1
        sequence = number
        // Of a kind that is in the page's module already, as a set of texts is not.
        var known: [String: JSONValue] = [:]
        var whole: [ChatMessage] = []
        for json in described {
            guard let message = ChatMessage(described: json), known[message.id] == nil else { continue }
            known[message.id] = .null
            if message.role == .assistant, !message.isStreaming { stopCancelling(message.id) }
            if let index = index(of: message.id) {
                messages[index].update(to: message)
                whole.append(messages[index])
            } else {
                whole.append(message)
            }
        }
        pending.removeAll { known[$0.id] != nil }
        messages = whole + messages.filter { known[$0.id] == nil && $0.role == .user && $0.isUnsent }
        hasOlder = (envelope.metadata?["left_out"]?.number ?? 0) > 0
    }

    /// Shows an error: of one message, or of the whole conversation.
    private mutating func show(_ envelope: Envelope, now: Double) {
        let sentence = envelope.content ?? "Unknown error"
        counts.lastError = sentence
        let about = envelope.text("message_id") ?? envelope.messageID
        // What is to be stopped has not begun: it is stopped when it does.
        if envelope.text("code") == "not_answering" {
            if index(of: about).map({ messages[$0].role }) != .user { stopCancelling(about) }
            return
        }
        if envelope.text("code") == "rate_limited",
            sync.refused(about, retryAfter: envelope.metadata?["retry_after"]?.number, now: now)
        {
            return
        }
        if let index = index(of: about) {
            if messages[index].state == .pending {
                fail(about, .failed(sentence))
                refusal = envelope
            }
        } else {
            problem = sentence
        }
    }
}
