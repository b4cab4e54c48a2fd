public import StreamCore

extension ConsultationClient {
    // MARK: Reports of the transport. Those of sockets that were released are ignored.

    public mutating func opened(_ socket: SocketNumber, now: Double) {
        connection.opened(socket, now: now)
        performConnectionActions(now)
    }

    /// The handshake was answered with another status than 101; 0 where there was no answer.
    public mutating func refused(_ socket: SocketNumber, status: Int, retryAfter: Double?, now: Double) {
        if connection.isOurs(socket) { problem = Self.sentence(status: status) ?? problem }
        connection.refused(socket, status: status, retryAfter: retryAfter, now: now)
        performConnectionActions(now)
    }

    public mutating func closed(
        _ socket: SocketNumber, code: WebSocketCloseCode, reason: String, detectedHere: Bool = false, now: Double
    ) {
        connection.closed(socket, code: code, reason: reason, detectedHere: detectedHere, now: now)
        performConnectionActions(now)
    }

    /// To be called at or after `deadline`.
    public mutating func timerFired(now: Double) {
        connection.timerFired(now: now)
        performConnectionActions(now)
        guard isConnected else { return }
        for message in pending where now >= (message.since ?? .infinity) + configuration.answerTimeout {
            fail(message.id, .unacknowledged)
        }
        switch sync.due(answerTimeout: configuration.answerTimeout, now: now) {
        case .request: if let socket = connection.writable { requestSync(on: socket, now: now) } else { sync.end() }
        case .giveUp:
            // A server that does not know `sync`: an answer that was streaming when the line broke will not go on.
            for index in messages.indices where messages[index].isStreaming { messages[index].state = .interrupted }
        case nil: break
        }
        performConnectionActions(now)
    }

    /// A text frame came. What is wrong with it costs that frame and a counter.
    public mutating func received(_ bytes: UnsafeRawBufferPointer, on socket: SocketNumber, now: Double) {
        guard connection.isOurs(socket) else { return }
        counts.framesIn += 1
        counts.bytesIn += bytes.count
        log.add(bytes, isSent: false, now: now)
        connection.received(on: socket, now: now)
        do {
            handle(try Envelope.decode(bytes), on: socket, now: now)
        } catch {
            counts.malformed += 1
            counts.lastMalformed = error.description
        }
        performConnectionActions(now)
    }

    /// A binary frame came, which the protocol does not have.
    public mutating func receivedBinary(bytes: Int, on socket: SocketNumber, now: Double) {
        guard connection.isOurs(socket) else { return }
        counts.binary += 1
        counts.bytesIn += bytes
        log.addHidden(bytes: bytes, "(binary)", now: now)
        connection.received(on: socket, now: now)
    }

    // MARK: Deciding

    /// Turns the decisions of the connection into actions.
    mutating func performConnectionActions(_ now: Double) {
        while let action = connection.nextAction() { perform(action, now: now) }
        trim()
    }

    private mutating func perform(_ action: ConnectionMachine.Action, now: Double) {
        switch action {
        case .open(let socket): act(.open(socket))
        case .authenticate(let socket): authenticate(socket, now: now)
        case .ready(let socket): begin(on: socket, now: now)
        case .lost:
            sync.end()
            authentication = nil
            for index in pending.indices { pending[index].since = nil }
        case .ping(let socket):
            let id = random.next()
            ping = id
            send(Envelope(.ping, messageID: id, timestamp: date(now)), on: socket, now: now)
        case .close(let socket, let code, let reason): act(.close(socket, code, reason: reason))
        case .drop(let socket): act(.drop(socket))
        case .fetchToken(let wasRejected): act(.fetchToken(wasRejected: wasRejected))
        case .state(let state): show(state)
        case .latency: break
        case .problem(let problem): show(problem)
        }
    }

    private mutating func authenticate(_ socket: SocketNumber, now: Double) {
        // An open connection has no other way to get a newer token.
        guard configuration.authentication == .firstFrame || connection.state == .open, let token else {
            // The handshake was the authentication.
            return connection.authenticated(socket, now: now)
        }
        let id = random.next()
        authentication = id
        let frame = Envelope(.auth, content: token, messageID: id, timestamp: date(now)).bytes
        counts.framesOut += 1
        counts.bytesOut += frame.count
        log.addHidden(bytes: frame.count, "auth (hidden)", now: now)
        act(.send(socket, frame))
    }

    /// Starts on a connection that may be used: requests what is missing, cancels and sends what waits.
    private mutating func begin(on socket: SocketNumber, now: Double) {
        problem = nil
        requestSync(on: socket, now: now)
        for id in stopping {
            send(Envelope(.cancel, messageID: id, timestamp: date(now)), on: socket, now: now)
        }
        for index in pending.indices {
            let id = pending[index].id
            guard let place = self.index(of: id) else { continue }
            pending[index].since = now
            write(messages[place], on: socket, now: now)
        }
        if !configuration.expectsAcknowledgement { acknowledgeAll() }
    }

    mutating func requestSync(on socket: SocketNumber, now: Double) {
        let answer = streaming.map { messages[$0] }
        let id = answer?.id ?? random.next()
        sync.requested(id, now: now)
        send(
            Envelope(
                .sync, messageID: id, timestamp: date(now), sequence: sequence,
                offset: answer.map { $0.text.utf8.count }), on: socket, now: now)
    }

    mutating func send(_ envelope: Envelope, on socket: SocketNumber, now: Double) {
        let frame = envelope.bytes
        counts.framesOut += 1
        counts.bytesOut += frame.count
        frame.withUnsafeBytes { log.add($0, isSent: true, now: now) }
        act(.send(socket, frame))
    }

    // MARK: Sentences for the user

    private mutating func show(_ state: SessionState) {
        guard case .failed(let failure) = state else { return }
        switch failure {
        case .attemptsExhausted: problem = "Max reconnection attempts reached"
        case .unauthorized:
            problem = "Authentication failed. Please login again."
            act(.loginNeeded)
        case .refused(let status): problem = Self.sentence(status: status) ?? problem
        case .closeCode(let code, _): problem = Self.sentence(code) ?? problem
        }
        counts.lastError = problem
    }

    private mutating func show(_ sessionProblem: SessionProblem) {
        switch sessionProblem {
        case .closed(let code, _): problem = Self.sentence(code) ?? problem
        case .refused(let status): problem = Self.sentence(status: status) ?? problem
        case .timedOut: problem = "Connection error: the server did not answer in time."
        case .heartbeatMissed: problem = "Connection error: the server does not answer any more."
        case .server(_, let message): problem = message
        case .malformed: break
        }
        counts.lastError = problem
    }

    /// A refused token alone is no problem yet: another one may be accepted.
    private static func sentence(status: Int) -> String? {
        switch status {
        case 401: nil
        case 403: "Access denied to this consultation."
        case 404: "Consultation not found."
        case 500...599: "Server error. Retrying..."
        case 0: "Connection error: the server cannot be reached."
        default: "Connection error: the server answered with status \(status)."
        }
    }

    private static func sentence(_ code: WebSocketCloseCode) -> String? {
        switch code.rawValue {
        case 4101: nil
        case 4102, 4103: "Access denied to this consultation."
        case 4104: "Consultation not found."
        case 1006: "Connection error: the connection broke off."
        default: "Connection error: the connection was closed (\(code.rawValue))."
        }
    }
}
