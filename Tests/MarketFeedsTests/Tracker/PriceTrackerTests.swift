import StreamCore
import TestKit
import Testing

@testable import MarketFeeds

/// The tracker as a transcript: what happens at which second, and what it does.
@Suite("Price tracker")
struct PriceTrackerTests {
    static let stocks = [
        TrackedStock(symbol: "A", company: "A", description: "", initialPrice: 100),
        TrackedStock(symbol: "B", company: "B", description: "", initialPrice: 50),
        TrackedStock(symbol: "C", company: "C", description: "", initialPrice: 10),
        TrackedStock(symbol: "D", company: "D", description: "", initialPrice: 5),
    ]

    static func tracker(_ change: (inout TrackerConfiguration) -> Void = { _ in }) -> PriceTracker {
        var configuration = TrackerConfiguration()
        change(&configuration)
        return PriceTracker(stocks, configuration, seed: 1)
    }

    static func socket(_ line: Int, _ number: Int) -> PriceTracker.Socket {
        PriceTracker.Socket(line: line, number: SocketNumber(rawValue: number))
    }

    /// What it does, in short words.
    static func transcript(_ tracker: inout PriceTracker) -> [String] {
        tracker.drainActions().map { action in
            switch action {
            case .open(let socket): "open \(socket.line)/\(socket.number.rawValue)"
            case .send(let socket, let bytes):
                "send \(socket.line)/\(socket.number.rawValue) "
                    + String(decoding: bytes, as: UTF8.self).split(separator: ",")[0]
            case .ping(let socket): "ping \(socket.line)"
            case .close(let socket, let code, _): "close \(socket.line)/\(socket.number.rawValue) \(code.rawValue)"
            case .drop(let socket): "drop \(socket.line)/\(socket.number.rawValue)"
            case .emit(.price(let stock, _)): "price \(stock)"
            case .emit(.connection(let state, let connected)): "\(state.name) \(connected)"
            case .fetchToken: "token"
            }
        }
    }

    static func echo(_ tracker: inout PriceTracker, now: Double) -> [[UInt8]] {
        var messages: [[UInt8]] = []
        for action in tracker.drainActions() {
            guard case .send(let socket, let bytes) = action else { continue }
            messages.append(bytes)
            bytes.withUnsafeBytes { tracker.received($0, on: socket, now: now, wallClock: 0) }
        }
        return messages
    }

    @Test("one connection for all: start, deltas out, prices back, stop")
    func oneConnection() {
        var tracker = Self.tracker()
        #expect(tracker.state == .disconnected)
        #expect(tracker.deadline == nil)
        tracker.start(now: 0)
        #expect(Self.transcript(&tracker) == ["open 0/1", "connecting 0"])
        tracker.start(now: 0.1)
        #expect(Self.transcript(&tracker).isEmpty, "it is on its way")
        tracker.opened(Self.socket(0, 1), now: 1)
        #expect(Self.transcript(&tracker) == ["connected 4"])
        // Each stock every 2 s, spread out.
        #expect(tracker.deadline == 1.5)
        tracker.timerFired(now: 1.4)
        #expect(Self.transcript(&tracker).isEmpty)
        var sent: [String] = []
        for now in stride(from: 1.5, through: 5.5, by: 0.5) {
            tracker.timerFired(now: now)
            sent += Self.transcript(&tracker)
        }
        let round = ["A", "B", "C", "D"].map { #"send 0/1 {"symbol":"\#($0)""# }
        #expect(sent == round + round + [round[0]])

        let answer = Array(#"{"symbol":"C","delta_price":0.5}"#.utf8)
        answer.withUnsafeBytes { tracker.received($0, on: Self.socket(0, 1), now: 5.6, wallClock: 0) }
        Array("nonsense".utf8).withUnsafeBytes { tracker.received($0, on: Self.socket(0, 1), now: 5.7, wallClock: 0) }
        answer.withUnsafeBytes { tracker.received($0, on: Self.socket(0, 1), now: 5.8, wallClock: 0) }
        #expect(Self.transcript(&tracker) == ["price 2", "price 2"])
        #expect(tracker.board.prices[2].current == 10.5)
        #expect(tracker.board.counts.malformed == 1)
        #expect(tracker.written == 9)

        tracker.stop(now: 6)
        #expect(Self.transcript(&tracker) == ["close 0/1 1000", "disconnected 0"])
        #expect(tracker.deadline == nil, "nothing is written, and nothing waits")
        answer.withUnsafeBytes { tracker.received($0, on: Self.socket(0, 1), now: 7, wallClock: 0) }
        #expect(Self.transcript(&tracker).isEmpty, "a forgotten socket says nothing")
        #expect(tracker.board.prices[2].current == 10.5, "the prices stay")
        tracker.start(now: 8)
        #expect(Self.transcript(&tracker) == ["open 0/2", "connecting 0"])
    }

    @Test("a connection for each stock, and the count of those that are connected")
    func perStock() {
        var tracker = Self.tracker { $0.connectsPerStock = true }
        tracker.start(now: 0)
        #expect(Self.transcript(&tracker) == ["open 0/1", "open 1/1", "open 2/1", "open 3/1", "connecting 0"])
        tracker.opened(Self.socket(1, 1), now: 1)
        tracker.opened(Self.socket(3, 1), now: 1)
        #expect(Self.transcript(&tracker) == ["connected 1", "connected 2"])
        for now in stride(from: 1.5, through: 3, by: 0.5) { tracker.timerFired(now: now) }
        #expect(Self.transcript(&tracker) == [#"send 1/1 {"symbol":"B""#, #"send 3/1 {"symbol":"D""#])
        tracker.closed(Self.socket(1, 1), code: .abnormal, reason: "", now: 4)
        #expect(Self.transcript(&tracker) == ["connected 1"])
        tracker.stop(now: 5)
        // Sockets that never opened are dropped, the open one is closed.
        #expect(
            Self.transcript(&tracker) == ["drop 0/1", "drop 2/1", "close 3/1 1000", "disconnected 0"])
    }

    @Test(
        "reconnecting is done and not only said; after three retries it has failed, and may be started again"
    )
    func retries() {
        var tracker = Self.tracker()
        var seen: [String] = []
        var attempts = 0
        func refuse(now: Double) {
            for line in Self.transcript(&tracker) {
                seen.append(line)
                guard line.hasPrefix("open") else { continue }
                attempts += 1
                tracker.closed(Self.socket(0, attempts), code: .abnormal, reason: "connection refused", now: now)
            }
        }
        tracker.start(now: 0)
        refuse(now: 0)
        var pauses: [Double] = []
        var now = 0.0
        while let deadline = tracker.deadline {
            pauses.append(deadline - now)
            now = deadline
            tracker.timerFired(now: now)
            refuse(now: now)
        }
        seen += Self.transcript(&tracker)
        #expect(
            seen == [
                "open 0/1", "connecting 0", "reconnecting 0", "open 0/2", "open 0/3", "open 0/4", "failed 0",
            ])
        #expect(tracker.state == .failed("connection refused"))
        #expect(pauses.count == 3)
        for (pause, most) in zip(pauses, [1.0, 2, 4]) { #expect((0...most).contains(pause)) }
        tracker.start(now: now)
        #expect(Self.transcript(&tracker) == ["open 0/5", "connecting 0"])
    }

    @Test("a connection that does not open within 10 s is given up and tried again; a feed tries for ever")
    func timeout() {
        var tracker = Self.tracker { $0.connection = TrackerConfiguration.connection(keepsTrying: true) }
        tracker.start(now: 0)
        _ = tracker.drainActions()
        #expect(tracker.deadline == 10)
        var (now, opened) = (0.0, 0)
        for _ in 0..<40 {
            guard let deadline = tracker.deadline else { break }
            now = deadline
            tracker.timerFired(now: now)
            opened += Self.transcript(&tracker).count { $0.hasPrefix("open") }
        }
        #expect(opened == 20, "a timeout and a pause, again and again")
        #expect(tracker.state == .reconnecting)
        // The later ones 5 s after the timeout of the one before.
        tracker.timerFired(now: now + 10)
        #expect(Int((tracker.deadline ?? 0) - now) == 15)
    }

    @Test("what cannot get better is not tried again")
    func hopeless() {
        typealias Event = (inout PriceTracker) -> Void
        func refused(_ status: Int) -> Event {
            return { (tracker: inout PriceTracker) in
                tracker.refused(Self.socket(0, 1), status: status, retryAfter: nil, now: 1)
            }
        }
        func closed(_ code: WebSocketCloseCode, _ reason: String) -> Event {
            return { (tracker: inout PriceTracker) in
                tracker.closed(Self.socket(0, 1), code: code, reason: reason, now: 1)
            }
        }
        let table: [(Event, TrackerConnection)] = [
            (refused(404), .failed("the server answered 404")),
            (closed(.tlsFailure, "the certificate expired"), .failed("closed with 1015: the certificate expired")),
            (refused(503), .reconnecting), (closed(.abnormal, "unreachable"), .reconnecting),
        ]
        for (happen, state) in table {
            var tracker = Self.tracker()
            tracker.start(now: 0)
            _ = tracker.drainActions()
            happen(&tracker)
            #expect(tracker.state == state)
        }
        // invalidURL: not even a machine is made; see the tests of the client. encoding and decoding: `StockFlaw`s, which
        // concern one message and no connection.
    }

    @Test("a network that comes back ends the wait")
    func network() {
        var tracker = Self.tracker { $0.connection = TrackerConfiguration.connection(keepsTrying: true) }
        tracker.start(now: 0)
        tracker.closed(Self.socket(0, 1), code: .abnormal, reason: "", now: 0)
        _ = tracker.drainActions()
        tracker.networkChanged(isAvailable: false, now: 0.01)
        #expect(Self.transcript(&tracker).isEmpty)
        tracker.networkChanged(isAvailable: true, now: 0.02)
        #expect(Self.transcript(&tracker) == ["open 0/2"])
    }

    @Test("after a loss the deltas go on with the new connection, without those that were missed")
    func comesBack() {
        var tracker = Self.tracker()
        tracker.start(now: 0)
        tracker.opened(Self.socket(0, 1), now: 0)
        tracker.closed(Self.socket(0, 1), code: .goingAway, reason: "", now: 30)
        let deadline = tracker.deadline ?? 0
        _ = tracker.drainActions()
        tracker.timerFired(now: deadline)
        tracker.opened(Self.socket(0, 2), now: 100)
        #expect(Self.transcript(&tracker) == ["open 0/2", "connected 4"])
        tracker.timerFired(now: 100.5)
        #expect(Self.transcript(&tracker).count == 1)
        // Nor after the machine slept: as many as are due in one interval at most.
        tracker.timerFired(now: 103.5)
        #expect((1...4).contains(Self.transcript(&tracker).count { $0.hasPrefix("send") }))
    }

    @Test("each step is at most 2 % of the price, within 1 and 10,000, and the same for the same seed")
    func walk() {
        func run(_ seed: UInt64) -> ([[UInt8]], [Double]) {
            var tracker = PriceTracker(TrackedStock.bundled, TrackerConfiguration(), seed: seed)
            tracker.start(now: 0)
            tracker.opened(Self.socket(0, 1), now: 0)
            _ = tracker.drainActions()
            var messages: [[UInt8]] = []
            var before = tracker.board.prices.map(\.current)
            var at = 0.0
            while messages.count < 25 * 400 {
                at = tracker.deadline ?? at
                tracker.timerFired(now: at)
                // The pings of the connection are answered.
                tracker.pong(on: Self.socket(0, 1), now: at)
                messages += Self.echo(&tracker, now: at)
                for (stock, price) in tracker.board.prices.enumerated() where price.current != before[stock] {
                    let step = abs(price.current - before[stock])
                    // Half a cent on either side is rounding.
                    #expect(step <= before[stock] * 0.02 + 0.0101)
                    #expect((1...10_000).contains(price.current))
                    before[stock] = price.current
                }
            }
            return (messages, tracker.board.prices.map(\.current))
        }
        let first = run(3)
        #expect(first.0 == run(3).0)
        #expect(first.0 != run(4).0)
        #expect(first.1 != TrackedStock.bundled.map(\.initialPrice))
    }

    @Test("however low a stock begins and however wild it is, what is written stays above zero")
    func floor() {
        let stocks = [
            TrackedStock(symbol: "A", company: "A", description: "", initialPrice: 0.000001),
            TrackedStock(symbol: "B", company: "B", description: "", initialPrice: 1),
            TrackedStock(symbol: "C", company: "C", description: "", initialPrice: 10_000_000),
            TrackedStock(symbol: "D", company: "D", description: "", initialPrice: 5, initialDelta: -4.99),
        ]
        var configuration = TrackerConfiguration()
        configuration.volatility = 9
        var tracker = PriceTracker(stocks, configuration, seed: 5)
        tracker.start(now: 0)
        tracker.opened(Self.socket(0, 1), now: 0)
        _ = tracker.drainActions()
        for _ in 0..<4000 {
            let now = tracker.deadline ?? 0
            tracker.timerFired(now: now)
            tracker.pong(on: Self.socket(0, 1), now: now)
            _ = Self.echo(&tracker, now: now)
        }
        #expect(tracker.board.counts.received >= 3800)
        #expect(tracker.board.counts.malformed == 0, "nothing was written that is no price")
        #expect(tracker.board.prices.allSatisfy { $0.current > 0 })
    }

    @Test("a list without stocks writes nothing and is connected to nothing")
    func empty() {
        var tracker = PriceTracker([], seed: 1)
        tracker.start(now: 0)
        tracker.opened(Self.socket(0, 1), now: 0)
        #expect(tracker.connectedCount == 0)
        tracker.timerFired(now: 100)
        #expect(tracker.written == 0)
    }
}

extension PriceTracker {
    fileprivate mutating func drainActions() -> [Action] {
        var actions: [Action] = []
        while let action = nextAction() { actions.append(action) }
        return actions
    }
}
