import Foundation
import MarketFeeds
import MarketModel
import NIOCore
import StreamCore
import Synchronization
import TradingCore

@testable import CandlewireServer
@testable import HistoryStore

/// A server with its disk, clock, venue, traders and readers in one process and on one thread, driven by one seed.
///
/// Inside are the types of the server from `MarketCore` downwards, as `CandlewireServer.openMarket` connects them: pipeline,
/// aggregation, candle store and ledger on real SQLite over `FaultyDisk`, desk and exchanges, publisher, rings, shards,
/// connections with their WebSocket frames, the watch of the clock, retention; and `StreamSession`s as clients. Outside are
/// HTTP, TLS and tokens, the venues' sockets and the fetching of history, the channels `markets` and `health`, the
/// assistant, backups, and the files beside the databases, whose disk has no faults.
///
/// Time passes in two ways: each timer at its time, or in one step, as on a machine that slept, in which what repeats runs
/// once. Most hours pass in the second way.
final class ServerSimulation: @unchecked Sendable {
    struct Counts {
        var steps = 0
        var stops = 0, kills = 0, powerCuts = 0
        var acknowledged = 0, refused = 0, stale = 0, resumed = 0, unknown = 0, repeated = 0
        var ledgerFailures = 0, candleFailures = 0
        var clockJumps = 0, wrongStarts = 0, prunes = 0, pruned = 0, doubtful = 0, quarantined = 0
        var outages = 0, cuts = 0, halfOpen = 0, slowLines = 0, slowDisks = 0
        var rests = 0
        var accepted = 0, lateAccepted = 0
    }

    /// What a server would do wrong: made here, where its consequences begin, to show that they are found.
    enum Defect: CaseIterable {
        case acknowledgesBeforeCommit
        case ignoresFailedSyncs
        case skipsAnOffsetAtRecovery
    }

    /// What moves the system's clock away from the right time.
    private final class SystemClock: Sendable {
        let error = Mutex(0.0)
        let delay = Mutex(0.002)
    }

    private static let epoch = 1_700_000_000.0
    private static let day = 86_400.0
    private static let candleLog = "candlewire.sqlite-wal"

    let seed: UInt64
    private let defect: Defect?
    private var random: SeededGenerator
    let time = SimulatedTime()
    let disk: FaultyDisk
    private(set) var venue: SimulationVenue
    private(set) var server: SimulatedServer?
    private(set) var readers: [SimulatedReader] = []
    private(set) var counts = Counts()
    private(set) var candles = CandleBook()
    private(set) var trading = TradingBook()
    private(set) var problem: String?
    private let system = SystemClock()
    private let start: Double
    private var isFeedUp = true
    private var names = 0
    private var nextPrune = 3600.0
    private var candleSyncs = 0
    /// When each market last had an accepted trade in this life, and its longest pause.
    private var pulses: [Int: (last: Double, count: Int, longestGap: Double)] = [:]
    private var wasStale: Set<Int> = []
    private var log: [String] = []
    private(set) var digest = FNV1a()

    init(seed: UInt64, folder: String, defect: Defect? = nil) throws {
        self.seed = seed
        self.defect = defect
        random = SeededGenerator(seed: seed)
        venue = SimulationVenue(seed: random.next())
        disk = FaultyDisk(folder: folder, seed: random.next())
        start = time.seconds
        if defect == .ignoresFailedSyncs { disk.hideFailedSyncs() }
        try openServer()
        let past = rightTime - 3 * Self.day
        server?.store.enqueue(
            (0..<500).map { second in
                let candle = Candle(timestamp: past + Double(second), open: 1, high: 1, low: 1, close: 1, volume: 1)
                return StoredCandle(symbol: SimulationFeed.symbols[0], timeframe: .s1, candle: candle)
            })
        let record = SimulatedReader.Record()
        let loop = time.makeLoop()
        for index in 0..<3 {
            let reader = SimulatedReader(index, loop: loop, seed: random.next(), record: record)
            reader.dial = { [unowned self] in dial(loop) }
            reader.onFill = { [unowned self] in trading.published($0) }
            reader.onOrder = { [unowned self] in trading.published($0) }
            reader.connect()
            reader.subscribe(SimulationFeed.symbols[index % 2], .m1, history: 50)
            if index != 1 { reader.subscribe(SimulationFeed.symbols[0], .s5, history: 100) }
            if index == 0 { reader.subscribeOrders() }
            reader.skipsAtRecovery = defect == .skipsAnOffsetAtRecovery
            readers.append(reader)
        }
    }

    var hours: Double { (time.seconds - start) / 3600 }
    private var rightTime: Double { Self.epoch + time.seconds }

    private func fail(_ text: String) {
        guard problem == nil else { return }
        problem =
            "seed \(seed), step \(counts.steps), hour \(hours): \(text)\n" + log.suffix(40).joined(separator: "\n")
    }

    private func note(_ text: String) {
        log.append("\(counts.steps) \(time.seconds - start): \(text)")
        if log.count > 200 { log.removeFirst(100) }
        digest.mix(log.last!.utf8.reduce(0) { $0 &* 31 &+ $1 })
    }

    private func chance(_ share: Double) -> Bool { random.unit() < share }
    private func pick<T>(_ values: [T]) -> T { values[Int(random.next() % UInt64(values.count))] }

    // MARK: Lives of the server

    private func openServer() throws {
        let (time, system) = (time, system)
        let made = try SimulatedServer(
            time: time, disk: disk, seed: seed,
            system: { Self.epoch + time.seconds + system.error.withLock { $0 } },
            commitDelay: { system.delay.withLock { $0 } })
        made.onFlush = { [unowned self] in flushed($0) }
        server = made
        candleSyncs = disk.syncs(of: Self.candleLog)
        counts.quarantined = max(counts.quarantined, try made.rows(in: "quarantined_candles"))
        pulses = [:]
        wasStale = []
        if system.error.withLock({ $0 }) != 0 { counts.wrongStarts += 1 }
        let bothAccounts = made.trading.result(changes: true) { desk in
            let id = try AccountID<Paper>("paper-second")
            if !desk.accounts.contains(where: { $0.id == id }) { _ = try desk.open(id, capital: desk.standardCapital) }
        }
        bothAccounts.whenFailure { [unowned self, weak made] error in
            guard made != nil, server === made, error as? APIError != .ledgerUnavailable else { return }
            fail("no second account: \(error)")
        }
    }

    private func flushed(_ isWritten: Bool?) {
        guard let isWritten else { return candles.beginWriting() }
        // Where the power went meanwhile, they are there or they are not.
        if !isWritten, !disk.isDead {
            counts.candleFailures += 1
            candles.writingFailed()
        }
        let syncs = disk.syncs(of: Self.candleLog)
        if syncs != candleSyncs, isWritten { candles.synced() }
        candleSyncs = syncs
    }

    private enum End { case stop, kill, powerCut }

    private func restart(_ end: End) {
        guard let old = server else { return }
        note("\(end)")
        server = nil
        let live = links
        do {
            var losesPower = end == .powerCut || disk.isDead
            switch end {
            case .stop where !losesPower:
                healDisk()
                do { try old.stop() } catch  where disk.isDead {}
                counts.stops += 1
                losesPower = disk.isDead
                if losesPower { old.crash(losesPower: true) } else { disk.restart(losesUnsynced: false) }
            default:
                old.crash(losesPower: losesPower)
                if losesPower { counts.powerCuts += 1 } else { counts.kills += 1 }
            }
            for link in live { if losesPower, chance(0.5) { link.cut(isNoticed: false) } else { link.end() } }
            advance(by: pick([0.1, 2, 40]))
            try openServer()
            guard let server else { return }
            if let problem = try candles.problem(in: server.store, mayLose: losesPower) {
                fail("after \(end): \(problem)")
            }
            candles.restarted()
            try checkLedger(of: server, verifies: chance(0.2))
            if let problem = trading.problem(of: server.desk) { fail("after \(end): \(problem)") }
            // Clients whose answer was lost ask again.
            for (_, asked) in trading.unanswered.sorted(by: { $0.key < $1.key }) {
                counts.repeated += 1
                place(asked.request, asked.account)
            }
        } catch { fail("after \(end): \(error)") }
    }

    private func checkLedger(of server: SimulatedServer, verifies: Bool) throws {
        if let problem = try trading.problem(in: server.ledger) { fail(problem) }
        guard verifies else { return }
        for problem in try LedgerVerification(directory: disk.folder).problems { fail(problem) }
    }

    // MARK: Steps

    /// Goes on for so many hours, and ends with a rest.
    func run(hours: Double) {
        let end = self.hours + hours
        while problem == nil, self.hours < end {
            step()
            if counts.steps % 300 == 0 { rest() }
        }
        if problem == nil { rest(everything: true) }
    }

    private func step() {
        counts.steps += 1
        switch random.unit() * 100 {
        case ..<48: for _ in 0...Int(random.next() % 6) { trade() }
        case ..<60: order()
        case ..<66: changeOrder()
        case ..<78: stall()
        case ..<84: advance(by: random.unit() * 2.5)
        case ..<88: breakNetwork()
        case ..<91: breakDisk()
        case ..<93: moveClock()
        case ..<94: toggleFeed()
        case ..<96: try? server?.ledger.writeHead()
        case ..<98.5: changeReader()
        default: restart(pick([.stop, .kill, .powerCut, .powerCut]))
        }
        if disk.isDead { restart(.powerCut) }
        if hours * 3600 >= nextPrune { prune() }
        checkBounds()
        for reader in readers { if let problem = reader.problem { fail(problem) } }
    }

    private var links: [SimulatedLink] {
        readers.flatMap { reader in reader.links.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value) }
    }

    private func dial(_ loop: SimulatedLoop) -> SimulatedLink? {
        guard let server, !disk.isDead else { return nil }
        let link = SimulatedLink(server: server.loop, client: loop, latency: 0.005 + random.unit() * 0.05)
        do { try server.accept(link) } catch { fail("\(error)") }
        return link
    }

    private func advance(by seconds: Double) { time.advance(by: seconds) { [disk] in disk.isDead } }

    private func stall() {
        let seconds = min(random.exponential() * 1200, 7200)
        note("asleep for \(Int(seconds))")
        time.stall(for: seconds) { [disk] in disk.isDead }
        // Before the next trade the price is old.
        if chance(0.5) { order() }
    }

    private func trade() {
        guard isFeedUp else { return advance(by: 0.1) }
        let market = Int(random.next() % 2)
        deliver(venue.message(market, at: rightTime))
        advance(by: 0.02 + random.unit() * 0.3)
    }

    /// As `LiveFeed` does it with a venue's message.
    private func deliver(_ text: String) {
        guard let server else { return }
        var text = text
        _ = text.withUTF8 { server.venue.read(UnsafeRawBufferPointer($0)) }
        let now = server.clock.now()
        for hole in server.venue.holes {
            guard let market = server.core.registry.find(hole.symbol) else { continue }
            server.pipeline.feedMissed(
                market, since: server.pipeline.markets[market].lastTick?.timestamp ?? now, now: now)
        }
        for trade in server.venue.trades {
            server.clock.note(venueTime: trade.tick.timestamp)
            let before = server.pipeline.counts
            server.pipeline.ingest(market: trade.market, trade.tick, now: now)
            guard server.pipeline.counts.accepted > before.accepted else { continue }
            counts.accepted += 1
            if server.pipeline.counts.corrected > before.corrected { counts.lateAccepted += 1 }
            candles.add(trade.tick, market: trade.market)
            var pulse = pulses[trade.market] ?? (time.seconds, 0, 0)
            pulse.longestGap = max(pulse.longestGap, time.seconds - pulse.last)
            pulses[trade.market] = (time.seconds, pulse.count + 1, pulse.longestGap)
        }
    }

    // MARK: Orders

    private func decimal(_ value: Double) -> ExactDecimal { ExactDecimal((value * 100).rounded() / 100)! }

    private func order() {
        let market = Int(random.next() % 2)
        let price = venue.price(market)
        let type: OrderType = pick([.market, .market, .limit, .limit, .stop])
        names += 1
        let near = decimal(price * (0.98 + 0.04 * random.unit()))
        // Some are more than the account can pay.
        let quantity = decimal(chance(0.05) ? 90_000_000 / price : 0.01 + random.unit() * 3000 / price)
        let account = try! AccountID<Paper>(chance(0.7) ? "paper-main" : "paper-second")
        place(
            OrderRequest(
                clientOrderID: "c\(names)", symbol: SimulationFeed.symbols[market], side: pick([.buy, .sell]),
                type: type,
                timeInForce: type == .market ? .gtc : pick([.gtc, .gtc, .ioc, .day]), quantity: quantity,
                limitPrice: type == .limit ? near : nil, stopPrice: type == .stop ? near : nil, leverage: 5), account)
        advance(by: random.unit() * 0.1)
    }

    private func place(_ request: OrderRequest, _ account: AccountID<Paper>) {
        guard let server else { return }
        trading.asked(request, account)
        let market = SimulationFeed.symbols.firstIndex(of: request.symbol)!
        let known = server.desk.order(clientOrderID: request.clientOrderID) != nil
        let answer = server.trading.result(changes: true, principal: "trader") { [unowned self] desk in
            let order = try desk.place(request, account).order
            if defect == .acknowledgesBeforeCommit { trading.acknowledged(order) }
            return (order, desk.pulseTime)
        }
        let asked = time.seconds
        answer.whenComplete { [unowned self, weak server] result in
            // Of a server that is gone nobody hears.
            guard let server, self.server === server else { return }
            switch result {
            case .success(let (order, placed)):
                guard order.status != .rejected || order.version > 1 else {
                    // Refused before, and the answer was lost.
                    return trading.refused(request, account)
                }
                counts.acknowledged += 1
                note("acknowledged \(request.clientOrderID) \(order.status.rawValue)")
                trading.acknowledged(order)
                if !known { checkFresh(market, at: placed) }
            case .failure(let error as APIError) where error == .ledgerUnavailable: counts.unknown += 1
            case .failure(let error as APIError):
                counts.refused += 1
                trading.refused(request, account)
                if error.code == "price_stale" { checkStale(market, at: asked) }
            case .failure(let error): fail("order \(request.clientOrderID): \(error)")
            }
        }
    }

    /// Trading goes on only while a market's price is not older than its rule allows.
    private func checkFresh(_ market: Int, at placed: Double) {
        guard let pulse = pulses[market], pulse.last <= placed else { return }
        let limit = pulse.count < 2 ? 15 * 60 : max(60, 20 * pulse.longestGap)
        if placed - pulse.last > limit { fail("an order at a price that is \(placed - pulse.last) seconds old") }
        if wasStale.remove(market) != nil { counts.resumed += 1 }
    }

    private func checkStale(_ market: Int, at asked: Double) {
        counts.stale += 1
        wasStale.insert(market)
        guard let pulse = pulses[market] else { return fail("refused as stale before the first trade") }
        if pulse.last <= asked, asked - pulse.last < 59 { fail("refused as stale after \(asked - pulse.last) seconds") }
    }

    private func changeOrder() {
        guard let server else { return }
        let (which, kind) = (random.next(), random.next() % 8)
        let symbol = pick(SimulationFeed.symbols)
        let answer = server.trading.result(changes: true, principal: "trader") { desk -> Order<Paper>? in
            let id = try AccountID<Paper>(which % 2 == 0 ? "paper-main" : "paper-second")
            let active = try desk.account(id).exchange.account.activeOrders()
            switch kind {
            case ..<4:
                guard !active.isEmpty else { return nil }
                return try desk.cancel(active[Int(which % UInt64(active.count))].id)
            case ..<5: return try desk.cancelAll(id, symbol: nil).first
            default: return try desk.close(symbol, id, quantity: nil, clientOrderID: nil).order
            }
        }
        answer.whenSuccess { [unowned self, weak server] order in
            if let order, server != nil, self.server === server { trading.published(order) }
        }
        advance(by: random.unit() * 0.1)
    }

    // MARK: Faults

    private func breakNetwork() {
        let links = links
        guard !links.isEmpty else { return advance(by: 1) }
        let link = pick(links)
        switch random.next() % 5 {
        case 0:
            counts.cuts += 1
            link.cut(isNoticed: true)
        case 1:
            counts.halfOpen += 1
            link.cut(isNoticed: false)
        case 2, 3:
            counts.slowLines += 1
            link.pace = pick([30, 300, 5000, .infinity])
        default: link.latency = pick([0.005, 0.2, 1.5])
        }
        note("network")
        advance(by: 0.2)
    }

    private func breakDisk() {
        let kind = random.next() % 5
        note("disk \(kind)")
        switch kind {
        case 0: disk.setFull(true)
        case 1: disk.failSyncs(1 + Int(random.next() % 3))
        case 2: disk.cutPower(afterWrites: Int(random.next() % 40))
        case 3:
            counts.slowDisks += 1
            system.delay.withLock { $0 = 0.2 + random.unit() * 4 }
        default: healDisk()
        }
        for _ in 0...Int(random.next() % 8) { if chance(0.3) { order() } else { trade() } }
        if chance(0.5) { disk.setFull(false) }
    }

    private func healDisk() {
        disk.setFull(false)
        disk.failSyncs(0)
        system.delay.withLock { $0 = 0.002 }
    }

    private func moveClock() {
        let error = pick([0, 0, 400 * Self.day, -400 * Self.day, 3, -3600])
        note("clock \(error)")
        if error != 0 { counts.clockJumps += 1 }
        system.error.withLock { $0 = error }
        advance(by: 1.5)
        if chance(0.2) { restart(pick([.stop, .kill])) }
        // Most often somebody notices soon.
        if chance(0.7) {
            advance(by: 5)
            system.error.withLock { $0 = 0 }
        }
    }

    private func toggleFeed() {
        guard let server else { return }
        isFeedUp.toggle()
        counts.outages += isFeedUp ? 0 : 1
        let now = server.clock.now()
        for market in 0..<2 {
            server.pipeline.setFeed(isFeedUp ? .live : .interrupted, ofMarket: market)
            if isFeedUp {
                server.pipeline.feedCameUp(market, at: now)
            } else {
                server.pipeline.feedWentDown(market, lossesFrom: now - 60)
            }
        }
    }

    private func changeReader() {
        let reader = pick(readers)
        let views = reader.views.keys.sorted { $0.rawValue < $1.rawValue }
        if views.count > 2, chance(0.5) {
            reader.unsubscribe(views[Int(random.next() % UInt64(views.count))])
        } else {
            reader.subscribe(pick(SimulationFeed.symbols), pick([.s5, .m1, .m15]), history: pick([5, 50, 300]))
        }
        advance(by: 0.3)
    }

    private func prune() {
        guard let server else { return }
        nextPrune = hours * 3600 + 3600
        counts.prunes += 1
        do {
            let before = try server.rows()
            server.prune()
            if disk.isDead { return restart(.powerCut) }
            let deleted = before - (try server.rows())
            counts.pruned += deleted
            if abs(server.clock.now() - rightTime) > 3 * Self.day {
                counts.doubtful += 1
                if deleted > 0 { fail("\(deleted) candles were deleted by a clock that is wrong") }
            }
        } catch { fail("pruning: \(error)") }
    }

    // MARK: Promises

    /// Every queue has its bound.
    private func checkBounds() {
        guard let server else { return }
        if server.desk.ledgerState != .ok { counts.ledgerFailures += 1 }
        for (connection, link) in server.connections {
            if connection.outbox.heldBytes > connection.outbox.limits.bytes {
                fail("\(connection.outbox.heldBytes) bytes held")
            }
            if link.server.inFlight > 8 << 20 { fail("\(link.server.inFlight) bytes on the way to a reader") }
        }
        if server.ledger.statistics.waitingRows > 100_000 { fail("the ledger's queue is too long") }
        if server.store.statistics.droppedRows > 0 { fail("candles were dropped") }
    }

    /// All faults end; when nothing is under way any more, everything must be as it should.
    private func rest(everything: Bool = false) {
        note("rest")
        counts.rests += 1
        healDisk()
        disk.cutPower(afterWrites: .max)
        system.error.withLock { $0 = 0 }
        if !isFeedUp { toggleFeed() }
        for reader in readers {
            for link in reader.links.values { (link.pace, link.latency) = (.infinity, 0.02) }
        }
        for link in links where link.isHalfOpen { link.end() }
        // What is on slow lines needs its time.
        for _ in 0..<600 {
            for reader in readers { reader.retryNow() }
            for market in 0..<2 { deliver(venue.message(market, at: rightTime)) }
            advance(by: 1)
            if readers.allSatisfy(\.isLive), server?.desk.ledgerState == .ok, server?.clock.lead == 0,
                links.allSatisfy({ $0.server.inFlight == 0 })
            {
                break
            }
        }
        for reader in readers { reader.retryNow() }
        advance(by: 8)
        guard let server else { return fail("no server") }
        do {
            if server.desk.ledgerState != .ok { fail("the ledger is \(server.desk.ledgerState) when all is well") }
            for (_, asked) in trading.unanswered.sorted(by: { $0.key < $1.key }) {
                counts.repeated += 1
                place(asked.request, asked.account)
            }
            advance(by: 1)
            server.flush()
            for reader in readers {
                reader.compare(with: server)
                if let problem = reader.problem { fail(problem) }
            }
            if let problem = try candles.problem(in: server.store, mayLose: false, everything: everything) {
                fail(problem)
            }
            try checkLedger(of: server, verifies: everything)
            if let problem = trading.problem(of: server.desk) { fail(problem) }
            if !trading.unanswered.isEmpty { fail("\(trading.unanswered.keys) were not answered when all is well") }
        } catch { fail("at rest: \(error)") }
    }

    /// Stops for good.
    func end() {
        if let server, problem == nil { try? server.stop() } else { server?.crash(losesPower: false) }
        for reader in readers { reader.loop.end() }
        disk.remove()
    }
}
