import MarketModel

extension StreamSession {
    // MARK: What the transport reports. Reports of sockets that were let go are ignored.

    /// The WebSocket handshake succeeded.
    public mutating func opened(_ socket: SocketNumber, now: Double) {
        update(now) { $0.connection.opened(socket, now: now) }
    }

    /// The handshake was answered with another status than 101.
    /// - Parameters:
    ///   - status: 0 where it is not known.
    ///   - retryAfter: seconds, from the header of that name.
    public mutating func refused(_ socket: SocketNumber, status: Int, retryAfter: Double?, now: Double) {
        update(now) { $0.connection.refused(socket, status: status, retryAfter: retryAfter, now: now) }
    }

    /// The connection ended: by a close frame, or without one (`abnormal`).
    /// - Parameter detectedHere: the code is not the server's: this side ended the connection for what it received
    ///   (1002, 1007, 1009). A network that garbles bytes does that to any server, so the session comes back.
    public mutating func closed(
        _ socket: SocketNumber, code: WebSocketCloseCode, reason: String, detectedHere: Bool = false, now: Double
    ) {
        update(now) { $0.connection.closed(socket, code: code, reason: reason, detectedHere: detectedHere, now: now) }
    }

    /// A pong frame answered the last `ping` action.
    public mutating func pong(on socket: SocketNumber, now: Double) {
        update(now) { $0.connection.answered(on: socket, now: now) }
    }

    /// To be called at or after `deadline`.
    public mutating func timerFired(now: Double) {
        connection.timerFired(now: now)
        // What the connection lost is to be known before the streams are looked at.
        processPending(now)
        if connection.writable != nil {
            streams.review(now: now)
            channels.review(now: now)
            if connection.state == .open { streams.checkStaleness(now: now, &out) }
        }
        processPending(now)
    }

    /// One message came.
    ///
    /// No allocation for ticks and candles of symbols of at most 15 bytes.
    /// - Parameter isBinary: it came in a binary frame: market data of a server that agreed to
    ///   `BinaryMessageWriter.subprotocol`.
    public mutating func received(
        _ bytes: UnsafeRawBufferPointer, isBinary: Bool = false, on socket: SocketNumber, now: Double
    ) {
        guard connection.isListening(to: socket) else { return }
        out.counts.messagesIn += 1
        out.counts.bytesIn += Int64(bytes.count)
        connection.received(on: socket, now: now)
        do throws(WireError) {
            let message = try isBinary ? ServerMessage.decode(binary: bytes) : ServerMessage.decode(bytes)
            handle(message, bytes, on: socket, now: now)
        } catch {
            // A malformed message costs that message and nothing else.
            out.counts.malformed &+= 1
            out.counts.lastProblem = .malformed(error.message)
            out.emit(.problem(code: "malformed", message: error.message))
        }
        processPending(now)
    }

    /// - Parameter bytes: the text of the message, for those that are handed on as they are.
    private mutating func handle(
        _ message: ServerMessage, _ bytes: UnsafeRawBufferPointer, on socket: SocketNumber, now: Double
    ) {
        switch message {
        case .tick(let symbol, let timeframe, let tick, let offset):
            streams.tick(symbol: symbol, timeframe: timeframe, tick, offset: offset, on: socket, now: now, &out)
        case .candle(let symbol, let bar, let offset):
            streams.candle(symbol: symbol, bar, offset: offset, on: socket, now: now, &out)
        case .snapshot(let symbol, let timeframe, let candles, let position):
            streams.snapshot(
                symbol: symbol, timeframe: timeframe, candles: candles, position: position, on: socket, now: now, &out)
        case .subscribed(let id, let symbol, let timeframe, let position, let recovered):
            streams.subscribed(
                id: id, symbol: symbol, timeframe: timeframe, position: position, recovered: recovered, on: socket,
                now: now, &out)
        case .unsubscribed(nil, let symbol, let timeframe):
            streams.ended(symbol: symbol, timeframe: timeframe, on: socket, &out)
        case .unsubscribed: break
        case .skipped(let symbol, let timeframe, let count):
            streams.skipped(symbol: symbol, timeframe: timeframe, count: count, on: socket)
        case .stale(let symbol, let age): streams.serverReportedStale(symbol, age: age, &out)
        case .error(let code, let text, _, let id): failed(code, text, id, on: socket, now: now)
        case .pong(let id): answered(id, on: socket, now: now)
        case .authenticated: connection.authenticated(socket, now: now)
        case .closing(let reconnectAfter):
            connection.closing(socket, reconnectAfter: reconnectAfter, now: now)
            out.emit(.closing(reconnectAfter: reconnectAfter))
        case .channel(let head): channels.received(head, bytes, on: socket, &out)
        case .unknown(let type): out.emit(.unknownMessage(type: type))
        }
    }

    private mutating func failed(
        _ code: String, _ text: String, _ id: RequestID?, on socket: SocketNumber, now: Double
    ) {
        out.counts.lastProblem = .server(code: code, message: text)
        if code == "unauthorized" {
            out.emit(.problem(code: code, message: text))
            return connection.unauthorized(socket, now: now)
        }
        if let id {
            if streams.refused(id, code: code, message: text, on: socket, &out) { return }
            if channels.refused(id, code: code, message: text, on: socket, now: now, &out) { return }
            // The stream ended on the server by itself while the request to end it was on its way.
            if code == "not_subscribed" { return }
        }
        out.emit(.problem(code: code, message: text))
    }

    private mutating func answered(_ id: RequestID?, on socket: SocketNumber, now: Double) {
        guard configuration.heartbeat.kind == .message, let last = pings.last(where: { $0.socket == socket }) else {
            return
        }
        // An answer to an earlier ping does not measure this one.
        if let number = id?.number, number != last.id { return }
        connection.answered(on: socket, now: now)
    }

    // MARK: Deciding

    /// Turns what the connection decided into actions, and sends the requests that are due.
    mutating func processPending(_ now: Double) {
        repeat {
            while let action = connection.nextAction() { perform(action, now: now) }
            if let target = connection.writable { sendRequests(target, now: now) }
            if let new = connection.rotatingTo, streams.isServed(by: new), channels.isServed(by: new) {
                connection.rotated(now: now)
            }
        } while connection.hasActions
    }

    /// Channels first: they are few, and orders matter more than a row of the market list.
    private mutating func sendRequests(_ target: SocketNumber, now: Double) {
        if channels.hasRequests {
            channels.pump(to: target, now: now, bucket: &streams.bucket, lastRequest: &streams.lastRequest, &out)
        }
        if streams.hasRequests { streams.pump(to: target, now: now, &out) }
    }

    private mutating func perform(_ action: ConnectionMachine.Action, now: Double) {
        switch action {
        case .open(let socket): out.actions.append(.open(socket))
        case .authenticate(let socket): if let token { out.send(.auth(token: token.text), on: socket) }
        case .ready:
            streams.begin(now: now)
            channels.begin()
        case .lost(let socket):
            streams.lost(socket)
            channels.lost(socket)
            pings.removeAll { $0.socket == socket }
        case .ping(let socket): ping(socket)
        case .close(let socket, let code, let reason): out.actions.append(.close(socket, code, reason: reason))
        case .drop(let socket): out.actions.append(.drop(socket))
        case .fetchToken(let wasRejected): out.actions.append(.fetchToken(wasRejected: wasRejected))
        case .state(let state): out.emit(.state(state))
        case .latency(let seconds): out.emit(.latency(seconds))
        case .problem(let problem): out.counts.lastProblem = problem
        }
    }

    private mutating func ping(_ socket: SocketNumber) {
        switch configuration.heartbeat.kind {
        case .webSocketPing: out.actions.append(.ping(socket))
        case .message:
            streams.lastRequest += 1
            let id = streams.lastRequest
            pings.removeAll { $0.socket == socket }
            pings.append((socket, id))
            out.send(.ping(id: RequestID(id)), on: socket)
        }
    }
}

/// What a session has decided: its actions in order, and the counters that go with them.
struct SessionOutput {
    var actions = ActionQueue<SessionAction>()
    var counts = SessionDiagnostics()

    mutating func emit(_ event: SessionEvent) { actions.append(.emit(event)) }

    mutating func emit(_ number: SubscriptionNumber, _ event: StreamEvent) {
        actions.append(.emit(.stream(number, event)))
    }

    mutating func emit(_ channel: ChannelKey, _ event: StreamChannelEvent) {
        actions.append(.emit(.channel(channel, event)))
    }

    mutating func send(_ message: ClientMessage, on socket: SocketNumber) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(160)
        ClientMessageWriter.write(message, into: &bytes)
        counts.messagesOut += 1
        counts.bytesOut += Int64(bytes.count)
        actions.append(.send(socket, bytes))
    }
}
