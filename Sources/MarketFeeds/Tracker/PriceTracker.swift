public import StreamCore

/// The price tracker as a value: random deltas go out to an echo server, and what comes back is what the list shows.
///
/// Without IO and clock: what happened goes in with the time, `nextAction` says what is to be done. The time is any clock
/// that does not go back, in seconds. Each connection is a `ConnectionMachine`, so that losing it, waiting and
/// coming back are decided where all of this package decides it; here is what is said on it.
public struct PriceTracker {
    /// Which socket, on which connection: connections are numbered from 0.
    public struct Socket: Sendable, Hashable {
        public let line: Int
        public let number: SocketNumber
    }

    /// A price that is emitted need not have changed.
    public typealias Action = SocketAction<Socket, [UInt8], TrackerEvent>

    struct Line {
        var machine: ConnectionMachine
        var state = TrackerConnection.disconnected
        /// There was an attempt before, since the tracker was started.
        var isRetry = false
        var lastProblem: String?
        var reconnects = ReconnectCounts()
    }

    public let configuration: TrackerConfiguration
    public private(set) var board: StockBoard
    /// Deltas written.
    public private(set) var written = 0
    var lines: [Line]
    private var writer: DeltaWriter
    private var actions = ActionQueue<Action>()
    private var reported = (state: TrackerConnection.disconnected, connected: 0)

    /// - Parameter seed: of the deltas and of the pauses between attempts.
    public init(_ stocks: [TrackedStock], _ configuration: TrackerConfiguration = .init(), seed: UInt64) {
        self.configuration = configuration
        board = StockBoard(stocks)
        writer = DeltaWriter(stocks, configuration, seed: seed)
        let count = configuration.connectsPerStock ? min(stocks.count, TrackerConfiguration.maxConnections) : 1
        lines = (0..<max(count, 1)).map { line in
            Line(machine: ConnectionMachine(configuration.connection, seed: seed &+ UInt64(line) &* 0x9E37_79B9))
        }
    }

    /// Everything in one word: connected while any connection is, for then prices move.
    public var state: TrackerConnection {
        let states = lines.map(\.state)
        return states.first { $0 == .connected } ?? states.first { $0 == .reconnecting }
            ?? states.first { $0 == .connecting } ?? states.first { $0 != .disconnected } ?? .disconnected
    }

    /// How often its connections were tried again, and came back.
    public var reconnects: ReconnectCounts { lines.reduce(into: ReconnectCounts()) { $0.add($1.reconnects) } }

    /// Stocks whose connection is open.
    public var connectedCount: Int {
        let open = lines.count { $0.state == .connected }
        guard lines.count > 1 else { return open == 0 ? 0 : board.stocks.count }
        return board.stocks.indices.count { lines[line(of: $0)].state == .connected }
    }

    /// When `timerFired` is to be called; `nil`: not at all. Calling it earlier does no harm.
    public var deadline: Double? {
        let earliest = lines.reduce(writer.dueAt) { min($0, $1.machine.deadline ?? .infinity) }
        return earliest == .infinity ? nil : earliest
    }

    public mutating func nextAction() -> Action? { actions.popFirst() }

    /// Connects; after `failed`, again. While it runs, nothing.
    public mutating func start(now: Double) {
        change(now: now) { line in
            switch line.state {
            case .disconnected, .failed:
                line.isRetry = false
                line.lastProblem = nil
            case .connecting, .connected, .reconnecting: break
            }
            line.machine.connect(now: now)
        }
    }

    /// Disconnects. The prices stay.
    public mutating func stop(now: Double) { change(now: now) { $0.machine.disconnect(now: now) } }

    /// A hint of the system that the network came or went: a wait ends when it comes back.
    public mutating func networkChanged(isAvailable: Bool, now: Double) {
        change(now: now) { $0.machine.networkChanged(isAvailable: isAvailable, now: now) }
    }

    /// Begins with the stock that is next at `now`, not with those whose turn was missed.
    public mutating func timerFired(now: Double) {
        change(now: now) { line in
            if let deadline = line.machine.deadline, deadline <= now { line.machine.timerFired(now: now) }
        }
        while let stock = writer.nextTurn(now: now) {
            let line = line(of: stock)
            guard let number = lines[line].machine.writable else { continue }
            let bytes = StockMessage.bytes(symbol: board.stocks[stock].symbol, delta: writer.delta(stock))
            actions.append(.send(Socket(line: line, number: number), bytes))
            written += 1
        }
    }

    public mutating func opened(_ socket: Socket, now: Double) {
        change(socket, now: now) { $0.opened(socket.number, now: now) }
    }

    /// - Parameters:
    ///   - bytes: a message, text or binary.
    ///   - wallClock: seconds since 1970 UTC.
    public mutating func received(_ bytes: UnsafeRawBufferPointer, on socket: Socket, now: Double, wallClock: Double) {
        guard lines.indices.contains(socket.line), lines[socket.line].machine.writable == socket.number else { return }
        lines[socket.line].machine.received(on: socket.number, now: now)
        if let stock = board.receive(bytes, now: now, wallClock: wallClock) {
            actions.append(.emit(.price(stock: stock, board.prices[stock])))
        }
    }

    public mutating func pong(on socket: Socket, now: Double) {
        change(socket, now: now) { $0.answered(on: socket.number, now: now) }
    }

    /// The handshake was answered with another status than 101.
    public mutating func refused(_ socket: Socket, status: Int, retryAfter: Double?, now: Double) {
        change(socket, now: now) { $0.refused(socket.number, status: status, retryAfter: retryAfter, now: now) }
    }

    /// - Parameter detectedHere: the code is ours, about what the peer sent.
    public mutating func closed(
        _ socket: Socket, code: WebSocketCloseCode, reason: String, detectedHere: Bool = false, now: Double
    ) {
        change(socket, now: now) {
            $0.closed(socket.number, code: code, reason: reason, detectedHere: detectedHere, now: now)
        }
    }

    private func line(of stock: Int) -> Int { stock % lines.count }

    private mutating func change(_ socket: Socket, now: Double, _ body: (inout ConnectionMachine) -> Void) {
        guard lines.indices.contains(socket.line), lines[socket.line].machine.isOurs(socket.number) else { return }
        body(&lines[socket.line].machine)
        perform(socket.line)
        reportChanges(now: now)
    }

    private mutating func change(now: Double, _ body: (inout Line) -> Void) {
        for line in lines.indices {
            body(&lines[line])
            perform(line)
        }
        reportChanges(now: now)
    }

    private mutating func perform(_ line: Int) {
        while let action = lines[line].machine.nextAction() {
            switch action {
            case .open(let number): actions.append(.open(Socket(line: line, number: number)))
            case .ping(let number): actions.append(.ping(Socket(line: line, number: number)))
            case .close(let number, let code, let reason):
                actions.append(.close(Socket(line: line, number: number), code, reason: reason))
            case .drop(let number): actions.append(.drop(Socket(line: line, number: number)))
            case .state(let state):
                if case .waiting = state { lines[line].isRetry = true }
                lines[line].reconnects.changed(to: state)
                lines[line].state = TrackerConnection(
                    state, isRetry: lines[line].isRetry, lastProblem: lines[line].lastProblem)
            case .problem(let problem): lines[line].lastProblem = Self.sentence(problem)
            // There is no token, and what is said on the socket is the same whenever it is open.
            case .authenticate, .fetchToken, .ready, .lost, .latency: break
            }
        }
    }

    private mutating func reportChanges(now: Double) {
        if lines.contains(where: { $0.machine.writable != nil }) { writer.resume(now: now) } else { writer.pause() }
        let (state, connected) = (state, connectedCount)
        guard state != reported.state || connected != reported.connected else { return }
        reported = (state, connected)
        actions.append(.emit(.connection(state, connected: connected)))
    }

    private static func sentence(_ problem: SessionProblem) -> String {
        switch problem {
        case .closed(let code, let reason): reason.isEmpty ? "closed with \(code.rawValue)" : reason
        case .refused(let status): "the server answered \(status)"
        case .timedOut: "no connection in time"
        case .heartbeatMissed: "no answer to a ping"
        case .server(_, let message): message
        case .malformed(let message): message
        }
    }
}
