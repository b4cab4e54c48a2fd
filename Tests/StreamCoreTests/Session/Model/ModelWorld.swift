import MarketModel
import StreamCore
import TestKit

/// Clients, a server and the network between them, driven by one seed: ticks, requests and faults in random order.
///
/// After each step everything that can be done is done, and the promises are checked; now and then the faults stop, and
/// when all has come to rest each client must show what the server has.
final class ModelWorld {
    struct Counts {
        var steps = 0
        var outages = 0
        var recovered = 0
        var reloaded = 0
        var gaps = 0
        var lost = 0
        var skipped = 0
        var duplicates = 0
        var rotations = 0
        var snapshots = 0
        var messages = 0
        var finals = 0
        var channelMessages = 0
        var channelStarts = 0
        var slowClosed = 0
        var lapses = 0
        var comparisons = 0
        var restarts = 0
        var tokenRefreshes = 0
        var maxHeld = 0

        static func + (one: Counts, other: Counts) -> Counts {
            var sum = one
            sum.add(other)
            return sum
        }

        private mutating func add(_ other: Counts) {
            steps += other.steps
            outages += other.outages
            recovered += other.recovered
            reloaded += other.reloaded
            gaps += other.gaps
            lost += other.lost
            skipped += other.skipped
            duplicates += other.duplicates
            rotations += other.rotations
            snapshots += other.snapshots
            messages += other.messages
            finals += other.finals
            channelMessages += other.channelMessages
            channelStarts += other.channelStarts
            slowClosed += other.slowClosed
            lapses += other.lapses
            comparisons += other.comparisons
            restarts += other.restarts
            tokenRefreshes += other.tokenRefreshes
            maxHeld = max(maxHeld, other.maxHeld)
        }
    }

    let seed: UInt64
    private var random: SeededGenerator
    private(set) var now = 0.0
    let server = ModelServer()
    let clients: [ModelClient]
    private var links: [ModelLink] = []
    private var lastLink = 0
    private var nextTurn = 1.0
    private var serverBackAt: Double?
    /// New connections are refused until then.
    private var refusingUntil = 0.0
    private var tokens = 0
    private(set) var counts = Counts()
    /// Faults are on.
    private var isHostile = true

    init(seed: UInt64) {
        self.seed = seed
        var random = SeededGenerator(seed: seed)
        let hasLogin = seed % 3 == 0
        if hasLogin { server.token = "t0" }
        clients = (0..<2).map { [server] index in
            let configuration = SessionConfiguration.with {
                $0.requiresToken = hasLogin
                $0.heartbeat.kind = index == 0 ? .message : .webSocketPing
                $0.rotation = index == 1 ? 90 : nil
                $0.hidden = index == 0 ? .unsubscribe : .rate(0.5)
                $0.subscribesPerSecond = index == 0 ? 20 : 3
                $0.defaultMaxRate = index == 0 ? nil : 4
            }
            return ModelClient(index, configuration, seed: random.next(), server: server)
        }
        self.random = random
        server.onClose = { [unowned self] connection, code, reason in
            connection.link.toClient(.closed(code, reason), now: now)
        }
        for client in clients {
            client.wantsConnection = true
            client.session.connect(now: now)
            perform(client)
        }
    }

    // MARK: Chance

    private func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &random) < share }
    private func pick<T>(_ values: [T]) -> T { values[Int.random(in: 0..<values.count, using: &random)] }
    private func real(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }

    // MARK: Steps

    /// The first broken promise, with its seed and step.
    var problem: String? {
        for client in clients {
            if let problem = client.problem {
                return "seed \(seed), step \(counts.steps), time \(now): \(problem)\n"
                    + client.trace.suffix(60).joined(separator: "\n")
            }
        }
        return nil
    }

    func step() {
        counts.steps += 1
        switch Double.random(in: 0..<100, using: &random) {
        case ..<62:
            let market = Int.random(in: 0..<2, using: &random)
            for _ in 0..<Int.random(in: 1...3, using: &random) { server.tick(market: market, using: &random, now: now) }
            run(for: real(0.01...0.25))
        case ..<74:
            server.publishForming(now: now)
            run(for: real(0.01...0.2))
        case ..<78:
            trade()
            run(for: real(0.01...0.2))
        case ..<84: run(for: real(0.2...2.5))
        case ..<86:
            server.correct(
                market: Int.random(in: 0..<2, using: &random), pick(ModelServer.timeframes),
                age: Int.random(in: 0..<3, using: &random), now: now)
        case ..<93: request(pick(clients))
        default: fault()
        }
        comeToRest()
    }

    /// Something happens to an account's orders.
    private func trade() {
        let account = pick(ModelLedger.accounts)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            server.changeOrder(account, order: Int.random(in: 1...12, using: &random), now: now)
        }
        if chance(0.5) { server.movePositions(account, now: now) }
        server.sendHealth(now: now)
    }

    private func channelKey() -> ChannelKey {
        ChannelKey(
            pick(ModelLedger.channels), account: chance(0.1) ? "paper-nobody" : pick(ModelLedger.accounts))
    }

    /// The application changes its mind.
    private func request(_ client: ModelClient) {
        let views = client.views.values.sorted { $0.number.rawValue < $1.number.rawValue }
        switch Int.random(in: 0..<100, using: &random) {
        case ..<4: client.subscribe(channelKey(), now: now)
        case ..<6: client.unsubscribe(channelKey(), now: now)
        case ..<34:
            let symbol = chance(0.03) ? "NOPE" : pick(ModelServer.symbols)
            client.subscribe(
                symbol, pick(ModelServer.timeframes), history: pick([5, 50, 300]), maxRate: pick([nil, nil, 2, 100]),
                now: now)
        case ..<46: if let view = views.randomElement(using: &random) { client.unsubscribe(view, now: now) }
        case ..<58: if let view = views.randomElement(using: &random) { client.pause(view, true, now: now) }
        case ..<76: if let view = views.randomElement(using: &random) { client.pause(view, false, now: now) }
        case ..<81: client.hide(true, now: now)
        case ..<90: client.hide(false, now: now)
        case ..<91:
            client.wantsConnection = false
            client.session.disconnect(now: now)
            if client.session.state != .closed { client.fail("\(client.session.state) after disconnect") }
        case ..<95:
            client.wantsConnection = true
            client.session.connect(now: now)
        case ..<97: client.session.retryNow(now: now)
        case ..<98: client.session.networkChanged(isAvailable: chance(0.5), now: now)
        default:
            if let token = server.token { client.session.setToken(token, now: now) }
        }
        perform(client)
    }

    /// Something breaks.
    private func fault() {
        guard isHostile else { return }
        let open = links.filter { !$0.isForgotten && !$0.isHalfOpen }
        switch Int.random(in: 0..<100, using: &random) {
        case ..<22: if let link = open.randomElement(using: &random) { link.cut(isNoticed: true, now: now) }
        case ..<32: if let link = open.randomElement(using: &random) { link.cut(isNoticed: false, now: now) }
        case ..<50:
            // A reader that reads slowly for a while, or a line that gets better.
            if let link = open.randomElement(using: &random) { link.pace = pick([300, 2000, 20_000, .infinity]) }
        case ..<66: if let link = open.randomElement(using: &random) { link.loss = pick([0, 0, 0.01, 0.2]) }
        case ..<74: if let link = open.randomElement(using: &random) { link.latency = real(0.001...1.5) }
        case ..<80:
            server.stop(isGraceful: chance(0.5), now: now)
            if serverBackAt == nil { serverBackAt = now + pick([0.5, 3, 40]) }
            counts.restarts += 1
        case ..<85: server.restartStreams(now: now)
        case ..<90: refusingUntil = now + real(1...20)
        case ..<94:
            if server.token != nil {
                tokens += 1
                server.expireTokens("t\(tokens)", isGentle: chance(0.6), now: now)
            }
        case ..<97:
            if let link = open.randomElement(using: &random), let connection = server.connections[link.number] {
                server.close(connection, pick([.normal, .reconnect, .internalError, .tryAgainLater]), "", now: now)
            }
        default:
            // The machine sleeps: nothing is read and no timer fires.
            now += real(5...400)
        }
    }

    /// The faults stop; when all has come to rest, each client must show what the server has.
    func heal() {
        isHostile = false
        refusingUntil = 0
        serverBackAt = nil
        server.start()
        for link in links {
            link.loss = 0
            link.pace = .infinity
            link.latency = min(link.latency, 0.2)
        }
        for _ in 0..<240 {
            for client in clients {
                client.hide(false, now: now)
                client.wantsConnection = true
                client.session.connect(now: now)
                perform(client)
            }
            server.tick(market: Int.random(in: 0..<2, using: &random), using: &random, now: now)
            run(for: 1)
        }
        for market in 0..<2 { server.tick(market: market, using: &random, now: now) }
        server.publishForming(now: now)
        trade()
        run(for: 8)
        comeToRest()
        isHostile = true
        guard problem == nil else { return }
        counts.comparisons += 1
        for client in clients { client.compare() }
    }

    // MARK: Time

    private func run(for seconds: Double) {
        let end = now + seconds
        while problem == nil {
            let at = nextEvent()
            guard at <= end else { break }
            now = max(now, at)
            happen()
        }
        now = max(now, end)
    }

    private func nextEvent() -> Double {
        var at = min(nextTurn, serverBackAt ?? .infinity)
        for link in links { at = min(at, link.nextAt) }
        for client in clients {
            at = min(at, client.session.deadline ?? .infinity, client.tokenAt ?? .infinity)
        }
        for connection in server.connections.values { at = min(at, connection.outbox.nextDeadline ?? .infinity) }
        return at
    }

    /// Everything that is due now happens, once.
    private func happen() {
        if let back = serverBackAt, back <= now {
            server.start()
            serverBackAt = nil
        }
        if nextTurn <= now {
            server.turn(now: now)
            nextTurn = now + 1
            links.removeAll {
                $0.isForgotten && ($0.isHalfOpen || $0.nextAt == .infinity) && server.connections[$0.number] == nil
            }
        }
        for link in links {
            if let what = link.nextForServer(now: now) { arrive(what, on: link) }
            if let what = link.nextForClient(now: now) { arrive(what, on: link) }
        }
        for connection in server.connections.values.sorted(by: { $0.link.number < $1.link.number })
        where connection.outbox.nextDeadline ?? .infinity <= now {
            server.drain(connection, now: now)
        }
        for client in clients {
            if let at = client.tokenAt, at <= now {
                client.tokenAt = nil
                // Now and then its source does not answer.
                if isHostile, chance(0.1) {
                    client.note("\(now) no token now")
                    client.session.tokenFailed(now: now)
                } else {
                    // Now and then the application comes with a token that has ended meanwhile, or has none.
                    let token = isHostile && chance(0.1) ? pick(["", "old"]) : server.token ?? "any"
                    client.note("\(now) token \(token)")
                    client.session.setToken(token, now: now)
                    counts.tokenRefreshes += 1
                }
                perform(client)
            }
            if let deadline = client.session.deadline, deadline <= now {
                client.session.timerFired(now: now)
                perform(client)
                if let again = client.session.deadline, again <= now {
                    // One more look is fine (the next thing is due as well); a timer that never moves is not.
                    client.busy += 1
                    if client.busy > 100 { client.fail("the timer stays at \(again)") }
                } else {
                    client.busy = 0
                }
            }
        }
    }

    private func arrive(_ what: ModelLink.ToServer, on link: ModelLink) {
        switch what {
        case .open:
            guard server.isUp else {
                return chance(0.5)
                    ? link.toClient(.closed(.abnormal, ""), now: now)
                    : link.toClient(.refused(status: 0, retryAfter: nil), now: now)
            }
            guard now >= refusingUntil else {
                let retryAfter = chance(0.5) ? real(0...5) : nil
                return link.toClient(.refused(status: pick([429, 503]), retryAfter: retryAfter), now: now)
            }
            link.toClient(.opened, now: now)
            server.accept(link, now: now)
        case .text(let bytes): server.received(bytes, on: link, now: now)
        case .ping: if server.connections[link.number] != nil { link.toClient(.pong, now: now) }
        case .gone: server.remove(link.number, now: now)
        }
    }

    private func arrive(_ what: ModelLink.ToClient, on link: ModelLink) {
        let client = clients[link.client]
        switch what {
        case .opened: client.session.opened(link.socket, now: now)
        case .refused(let status, let retryAfter):
            client.note("\(now) \(link.socket.rawValue) refused \(status)")
            client.links[link.socket.rawValue] = link.isForgotten ? client.links[link.socket.rawValue] : nil
            link.isForgotten = true
            client.session.refused(link.socket, status: status, retryAfter: retryAfter, now: now)
        case .closed(let code, let reason):
            client.note("\(now) \(link.socket.rawValue) closed \(code.rawValue)")
            if !link.isForgotten { client.links[link.socket.rawValue] = nil }
            link.isForgotten = true
            client.session.closed(link.socket, code: code, reason: reason, now: now)
        case .pong: client.session.pong(on: link.socket, now: now)
        case .text(let wire):
            if let connection = server.connections[link.number] { server.drain(connection, now: now) }
            if link.loss > 0, !wire.isIndispensable, chance(link.loss) {
                client.note(
                    "\(now) \(link.socket.rawValue) LOST \(String(decoding: wire.bytes, as: UTF8.self).prefix(150))")
                counts.lost += 1
                return
            }
            client.note("\(now) \(link.socket.rawValue) > \(String(decoding: wire.bytes, as: UTF8.self).prefix(150))")
            wire.bytes.withUnsafeBytes { client.session.received($0, on: link.socket, now: now) }
        }
        perform(client)
    }

    // MARK: Actions

    /// Performs a session's actions.
    private func perform(_ client: ModelClient) {
        while let action = client.session.nextAction() {
            switch action {
            case .emit(let event):
                client.note("\(now)   \(SessionText.line(event).prefix(100))")
                client.receive(event, now: now)
            default:
                client.note("\(now)   \(SessionText.line(action).prefix(200))")
                perform(action, client)
            }
        }
        client.check(now: now)
    }

    private func perform(_ action: SessionAction, _ client: ModelClient) {
        switch action {
        case .open(let socket):
            lastLink += 1
            let link = ModelLink(client: client.index, socket: socket, number: lastLink, latency: real(0.001...0.3))
            if !client.wantsConnection { client.fail("a socket that was not requested") }
            if client.links[socket.rawValue] != nil { client.fail("socket \(socket.rawValue) opened twice") }
            client.links[socket.rawValue] = link
            links.append(link)
            link.toServer(.open, now: now)
        case .send(let socket, let bytes):
            guard let link = client.links[socket.rawValue] else { return client.fail("sent on a closed socket") }
            link.toServer(.text(bytes), now: now)
        case .ping(let socket):
            guard let link = client.links[socket.rawValue] else { return client.fail("ping on a closed socket") }
            link.toServer(.ping, now: now)
        case .close(let socket, _, _), .drop(let socket):
            guard let link = client.links.removeValue(forKey: socket.rawValue) else {
                return client.fail("closed a closed socket")
            }
            link.isForgotten = true
            // What is still under way arrives, and must be ignored. Sometimes the other side never learns of the end.
            if isHostile, chance(0.1) { link.isHalfOpen = true } else { link.toServer(.gone, now: now) }
        case .fetchToken:
            if client.tokenAt != nil { client.fail("a token was requested twice") }
            client.tokenAt = now + real(0...3)
        case .emit: break
        }
    }

    private func comeToRest() {
        for client in clients { client.check(now: now) }
        for link in links where link.bytesOnTheWay > ModelLink.capacity + (40 << 10) {
            clients[link.client].fail("\(link.bytesOnTheWay) bytes on the way")
        }
        if server.maxHeld > 96 << 10 + 40 << 10 { clients[0].fail("an outbox held \(server.maxHeld) bytes") }
    }

    /// What was counted so far.
    var totals: Counts {
        var totals = counts
        for client in clients {
            let diagnostics = client.session.diagnostics
            totals.outages += client.outages
            totals.recovered += diagnostics.recovered
            totals.reloaded += diagnostics.reloaded
            totals.gaps += diagnostics.gaps
            totals.skipped += Int(diagnostics.skipped)
            totals.duplicates += diagnostics.duplicates
            totals.rotations += diagnostics.rotations
            totals.messages += client.messagesDelivered
            totals.finals += client.finalsDelivered
            totals.channelMessages += client.channelMessages
            totals.channelStarts += client.channelStarts
            totals.snapshots += client.snapshots.values.reduce(0, +)
        }
        totals.slowClosed = server.slowClosed
        totals.lapses = server.lapses
        totals.maxHeld = server.maxHeld
        return totals
    }
}
