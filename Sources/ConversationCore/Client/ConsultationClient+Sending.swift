internal import StreamCore

/// Why a message was not accepted.
public enum ConsultationSendError: Error, Sendable, Hashable, CustomStringConvertible {
    case empty
    case tooLong(characters: Int, allowed: Int)
    case tooManyPending(Int)

    public var description: String {
        switch self {
        case .empty: "The message has no text."
        case .tooLong(let characters, let allowed):
            "The message has \(characters) characters; it may have \(allowed)."
        case .tooManyPending(let count): "\(count) messages wait for the server; send again when they are through."
        }
    }
}

extension ConsultationClient {
    /// Shows a message at once and sends it: now, or as soon as there is a connection. Messages in a burst go out together,
    /// each as it was written.
    /// - Parameters:
    ///   - details: what is on the screen, and which message this one replaces; that and what follows it is marked
    ///     as superseded until this one is discarded.
    ///   - characters: of the text, as people count them.
    /// - Returns: the message's id.
    @discardableResult
    public mutating func send(
        _ text: String, _ details: MessageDetails = MessageDetails(), characters: Int, now: Double
    ) throws(ConsultationSendError) -> String {
        let message = try write(text, details, characters: characters, waiting: pending.count, now: now)
        dispatch(message, now: now)
        performConnectionActions(now)
        return message.id
    }

    /// Shows a message without sending it.
    /// - Parameter waiting: messages that wait for the server.
    mutating func write(
        _ text: String, _ details: MessageDetails, characters: Int, waiting: Int, now: Double
    ) throws(ConsultationSendError) -> ChatMessage {
        guard !text.isBlank else { throw .empty }
        guard characters <= configuration.maxMessageLength else {
            throw .tooLong(characters: characters, allowed: configuration.maxMessageLength)
        }
        guard waiting < configuration.maxPending else { throw .tooManyPending(waiting) }
        let message = ChatMessage(
            id: random.next(), role: .user, text: text, timestamp: date(now), state: .pending, details: details)
        messages.append(message)
        supersede(by: message)
        return message
    }

    /// Messages that the server has not acknowledged, oldest first; another client may `restore` them.
    public var unsent: [ChatMessage] { messages.filter { $0.role == .user && $0.isUnsent } }

    /// Sends the `unsent` messages of an earlier client of the same conversation under their ids: for a server that has
    /// one already it is the same message. More than may wait are left out.
    public mutating func restore(_ unsent: [ChatMessage], now: Double) {
        for var message in unsent.prefix(configuration.maxPending) where message.role == .user {
            message.state = .pending
            messages.append(message)
            dispatch(message, now: now)
        }
        performConnectionActions(now)
    }

    /// Removes a message that failed to be sent, and shows what it was to replace as current again.
    public mutating func discard(_ id: String) {
        guard let index = index(of: id), messages[index].hasFailedToSend else { return }
        remove(index)
    }

    /// Removes a message that the server does not have.
    mutating func remove(_ index: Int) {
        let id = messages.remove(at: index).id
        for index in messages.indices where messages[index].supersededBy == id { messages[index].supersededBy = nil }
    }

    /// Sends a message that failed again, under the same id: a server that has it already recognises it.
    /// For an answer, requests another one. Anything else: nothing.
    public mutating func retry(_ id: String, now: Double) {
        guard let index = index(of: id) else { return }
        switch (messages[index].role, messages[index].state) {
        case (.user, .failed):
            messages[index].state = .pending
            dispatch(messages[index], now: now)
        case (.assistant, .complete), (.assistant, .cancelled), (.assistant, .interrupted), (.assistant, .failed):
            if let socket = connection.writable {
                send(Envelope(.retry, messageID: id, timestamp: date(now)), on: socket, now: now)
            }
        case (.user, _), (.assistant, _), (.system, _): return
        }
        performConnectionActions(now)
    }

    /// Stops an answer, or whatever answers the message named. Without a connection it is stopped as soon as there is one;
    /// what the server kept of it then stands here too.
    public mutating func cancel(_ id: String, now: Double) {
        guard let index = index(of: id) else { return }
        // A question whose answer began: that is what is meant.
        let answer = messages[index...].first { $0.role == .assistant }
        guard answer?.isStreaming ?? (messages[index].role == .user) else { return }
        let id = answer?.id ?? id
        if !stopping.contains(id) { stopping.append(id) }
        if let socket = connection.writable {
            send(Envelope(.cancel, messageID: id, timestamp: date(now)), on: socket, now: now)
        }
        performConnectionActions(now)
    }

    mutating func dispatch(_ message: ChatMessage, now: Double) {
        let socket = connection.writable
        pending.append((message.id, socket == nil ? nil : now))
        guard let socket else { return }
        write(message, on: socket, now: now)
        if !configuration.expectsAcknowledgement { acknowledgeAll() }
    }

    func frame(_ message: ChatMessage) -> Envelope {
        Envelope(
            .userMessage, content: message.text, messageID: message.id, timestamp: message.timestamp,
            metadata: message.details.metadata)
    }

    mutating func write(_ message: ChatMessage, on socket: SocketNumber, now: Double) {
        send(frame(message), on: socket, now: now)
    }

    /// Marks a message as sent: the server has it.
    mutating func acknowledge(_ id: String) {
        pending.removeAll { $0.id == id }
        guard let index = index(of: id), messages[index].role == .user,
            messages[index].state != .sent
        else { return }
        // To its place in the server's order.
        var message = messages.remove(at: index)
        message.state = .sent
        add(message)
        supersede(by: message)
    }

    /// Marks what a message replaces, and all that the server had after it. Where the replaced message is not in memory any
    /// more, it was before everything that is.
    mutating func supersede(by message: ChatMessage) {
        guard let edited = message.details.edits, let end = index(of: message.id) else {
            return
        }
        let start = messages[..<end].firstIndex { $0.id == edited } ?? 0
        for index in start..<end where messages[index].supersededBy == nil {
            if messages[index].role == .user, messages[index].isUnsent { continue }
            messages[index].supersededBy = message.id
        }
    }

    mutating func acknowledgeAll() {
        for message in pending { acknowledge(message.id) }
    }

    mutating func fail(_ id: String, _ state: ChatMessage.State) {
        pending.removeAll { $0.id == id }
        stopCancelling(id)
        guard let index = index(of: id), messages[index].state == .pending else { return }
        messages[index].state = state
    }

    /// Keeps the newest messages and those without an end; of those that failed, as many as may wait.
    mutating func trim() {
        var excess = messages.count - configuration.memory
        guard excess > 0 else { return }
        var failed = -configuration.maxPending
        for message in messages where message.hasFailedToSend { failed += 1 }
        hasOlder = true
        messages.removeAll { message in
            guard excess > 0, !message.isUnfinished else { return false }
            if message.hasFailedToSend {
                guard failed > 0 else { return false }
                failed -= 1
            }
            excess -= 1
            return true
        }
    }
}
