public import StreamCore

/// A venue as a machine: what clients do and what time it is go in, what it sends comes out.
///
/// ```swift
/// var venue = VenueMachine(.kraken, session: session, settings: VenueSettings())
/// guard case .accept(let connection) = venue.handshake(target: "/v2", now: 0) else { ... }
/// venue.opened(connection, now: 0)
/// venue.received(#"{"method":"subscribe",...}"#, on: connection, now: 0.1)
/// while let action = venue.nextAction() { ... }      // after every call
/// ```
/// Times are seconds since 1970 by a clock that does not go back. Between calls nothing happens: `advance` is to be called
/// at `nextWakeUp`.
public struct VenueMachine: Sendable {
    /// What is to be done, in this order.
    public enum Action: Sendable, Equatable {
        case send(connection: Int, [UInt8])
        case ping(connection: Int, payload: [UInt8])
        /// Begin the close handshake.
        case close(connection: Int, WebSocketCloseCode, reason: String)
        /// End it without a farewell.
        case cut(connection: Int)
        /// To be sent, not done.
        case note(VenueEvent)
    }

    /// The answer to one that requests a WebSocket.
    public enum Handshake: Sendable, Equatable {
        case accept(connection: Int)
        case refuse(status: Int, retryAfter: Int?)
        /// No WebSocket lives at this path.
        case notFound
    }

    /// Messages in one call of `advance`: between two of them the reader's pace is looked at.
    static let messagesPerTurn = 64
    static let bytesPerTurn = 1 << 20

    public let venue: SimulatedVenue
    public let settings: VenueSettings
    let market: VenueMarket
    let facts: VenueFacts
    var connections: [Int: VenueConnection] = [:]
    private var count = 0
    var actions = ActionQueue<Action>()
    /// Of all connections, where the pace is the recording's.
    var timeline: VenueTimeline?
    /// Requests over HTTP that may still come; `nil` before the first.
    var requests: TokenBucket?
    /// The account's; `nil` where order entry is not simulated.
    var orders: (any VenueOrders)?

    /// - Complexity: reads the whole recording.
    public init(_ venue: SimulatedVenue, session: RecordedSession, settings: VenueSettings) {
        self.venue = venue
        self.settings = settings
        var session = session
        session.provider = venue.provider
        market = VenueMarket(venue.rules, session)
        orders = venue.orders?.init()
        var facts = venue.rules.facts
        if let provider = venue.provider { facts.paths = [provider.path] }
        self.facts = facts
    }

    /// Of the connection that came last, where each has its own.
    var newestTimeline: VenueTimeline? {
        connections.values.filter { $0.timeline != nil }.max { $0.number < $1.number }?.timeline
    }

    /// Markets of the recording, as the venue names them.
    public var symbols: [String] { market.symbols }

    /// Those of them that do not trade while the recording plays; none where nothing of it trades.
    public var quietSymbols: [String] { market.quietSymbols }

    // MARK: What clients do

    /// One requests a WebSocket.
    public mutating func handshake(target: String, now: Double) -> Handshake {
        let path = target.prefix { $0 != "?" }
        guard facts.paths.contains(where: { $0.hasSuffix("/") && $0.count > 1 ? path.hasPrefix($0) : path == $0 })
        else {
            return .notFound
        }
        let number = count
        count += 1
        let refusal = venue.rules.refusal(of: target)
        let faults = number < settings.faults.count ? settings.faults[number] : VenueFaults()
        if let status = faults.refuse ?? refusal {
            note(.refused(connection: number, status: status))
            return .refuse(status: status, retryAfter: faults.retryAfter)
        }
        connections[number] = VenueConnection(
            number: number, faults: faults, rules: venue.rules.init(market, connection: number), facts: facts,
            settings: settings, now: now)
        note(.opened(connection: number, target: target))
        return .accept(connection: number)
    }

    /// The handshake is done.
    public mutating func opened(_ number: Int, target: String, now: Double) {
        with(number, now) { $0.rules.opened(target: target, at: $1) }
    }

    /// A text message came.
    public mutating func received(_ text: String, on number: Int, now: Double) {
        received(Array(text.utf8), isText: true, shown: text, on: number, now: now)
    }

    /// A binary message came.
    public mutating func received(_ bytes: [UInt8], on number: Int, now: Double) {
        received(bytes, isText: false, shown: Self.shown(bytes), on: number, now: now)
    }

    private mutating func received(_ bytes: [UInt8], isText: Bool, shown: String, on number: Int, now: Double) {
        guard let connection = connections[number], !connection.isOver else { return }
        note(.received(connection: number, text: shown))
        guard consumeToken(number, now) else { return }
        guard !connection.faults.ignoresRequests else { return }
        guard connection.faults.answerDelay > 0 else { return receive(bytes, isText: isText, number, now) }
        connections[number]?.delayed.append((now + connection.faults.answerDelay, bytes, isText))
    }

    private mutating func receive(_ bytes: [UInt8], isText: Bool, _ number: Int, _ now: Double) {
        with(number, now) { isText ? $0.rules.received(text: bytes, at: $1) : $0.rules.received(bytes: bytes, at: $1) }
    }

    /// Bytes for a person: `J\x00AAPL`.
    private static func shown(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef")
        return bytes.reduce(into: "") { text, byte in
            if (0x20..<0x7F).contains(byte) {
                text.append(Character(Unicode.Scalar(byte)))
            } else {
                text += "\\x\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
    }

    /// A ping of the client came; the transport answers it.
    public mutating func pinged(on number: Int, now: Double) {
        if facts.clientMessages?.countsControls == true { _ = consumeToken(number, now) }
    }

    /// A pong came, requested or not.
    public mutating func ponged(_ payload: [UInt8], on number: Int, now: Double) {
        if facts.clientMessages?.countsControls == true, !consumeToken(number, now) { return }
        guard let ping = connections[number]?.openPing, ping.payload == payload else { return }
        connections[number]?.openPing = nil
        note(.ponged(connection: number))
    }

    /// The connection is gone, whichever side ended it.
    public mutating func closed(_ number: Int) {
        guard connections.removeValue(forKey: number) != nil else { return }
        note(.closed(connection: number))
    }

    /// Whether the connection accepts more at present.
    public mutating func writable(_ isWritable: Bool, on number: Int) { connections[number]?.isWritable = isWritable }

    // MARK: What time does

    /// When `advance` is to be called; `nil`: nothing is to happen by itself.
    public var nextWakeUp: Double? {
        connections.values.compactMap { connection -> Double? in
            let timer = connection.nextTimer
            guard connection.isWritable, !connection.isOver, let due = nextMessage(connection) else { return timer }
            return min(timer ?? due, due)
        }.min()
    }

    private func nextMessage(_ connection: VenueConnection) -> Double? {
        guard let cursor = connection.cursor, let timeline = connection.timeline ?? timeline else { return nil }
        return timeline.due(connection.backlog.first?.next ?? cursor)
    }

    /// Does what is due. Of a recording at most 64 messages: after them `nextWakeUp` is in the past.
    public mutating func advance(now: Double) {
        for number in connections.keys.sorted() {
            // Heartbeats have the last trade: what is due at the same time comes first.
            play(number, now)
            runTimers(number, now)
        }
    }

    private mutating func runTimers(_ number: Int, _ now: Double) {
        while let delayed = connections[number]?.delayed.first, delayed.due <= now {
            connections[number]?.delayed.removeFirst()
            receive(delayed.bytes, isText: delayed.isText, number, now)
        }
        guard let connection = connections[number], !connection.isOver else { return }
        if let deadline = connection.subscriptionDeadline, deadline <= now {
            return kick(number, .policyViolation, "no subscription within \(seconds(facts.subscriptionDeadline)) s")
        }
        if let deadline = connection.silenceDeadline, deadline <= now {
            return kick(number, .goingAway, "no heartbeat within \(seconds(facts.clientHeartbeat)) s")
        }
        if let farewell = connection.farewellAt, farewell <= now {
            connections[number]?.farewellAt = nil
            with(number, now) { $0.rules.farewell(at: $1) }
        }
        if let end = connection.endsAt, end <= now {
            return kick(number, .goingAway, "the connection is \(seconds(end - connection.openedAt)) s old")
        }
        if let ping = connection.openPing, ping.deadline <= now { return kick(number, .policyViolation, "no pong") }
        if let pings = facts.pings, let due = connection.nextPing, due <= now {
            connections[number]?.nextPing = due + pings.interval
            // Binance's is the time in milliseconds.
            let payload = Array(String(Int64(now * 1000)).utf8)
            if connection.openPing == nil { connections[number]?.openPing = (payload, now + pings.deadline) }
            if !connection.isSilent { actions.append(.ping(connection: number, payload: payload)) }
        }
        if let interval = facts.heartbeatInterval, let due = connection.nextHeartbeat, due <= now {
            connections[number]?.nextHeartbeat = max(due + interval, now)
            with(number, now) { $0.rules.heartbeat(isQuiet: !connection.hasSentData, at: $1) }
            connections[number]?.hasSentData = false
        }
    }

    // MARK: Where connections stand

    func moment(of connection: VenueConnection, _ now: Double) -> VenueMoment {
        let running = connection.timeline ?? timeline
        let timeline = running ?? VenueTimeline(market.session, settings, now: now)
        let place = connection.cursor ?? running?.place(at: now) ?? timeline.beginning
        var time = timeline.clock(at: now)
        // Without a pace of its own, the recording's clock is where it was read to.
        if settings.times == .asRecorded, settings.pace == .asFastAsRead, !market.session.times.isEmpty {
            time = market.session.times[max(0, place.index - 1)]
        }
        // As recorded, each round has the numbers and times of the first.
        let shift = timeline.shift(place.round)
        return VenueMoment(
            time: time, position: place.index, shift: shift, round: settings.times == .now ? place.round : 0,
            period: shift - timeline.shift(place.round - 1))
    }

    mutating func note(_ event: VenueEvent) { actions.append(.note(event)) }

    /// What is to be done next; to be called until there is nothing more, after every call.
    public mutating func nextAction() -> Action? { actions.popFirst() }

    private func seconds(_ value: Double?) -> String {
        let value = value ?? 0
        return value == value.rounded() ? "\(Int(value))" : "\(value)"
    }
}
