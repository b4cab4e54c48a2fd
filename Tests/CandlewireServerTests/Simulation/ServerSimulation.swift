import Foundation
import MarketModel
import StreamCore
import Synchronization

@testable import CandlewireServer
@testable import HistoryStore

/// A server with its disk, clock, venue, traders and readers in one process and on one thread, driven by one seed.
///
/// Inside are the types of the server from `LiveFeed.Runner` and `MarketCore` downwards, as `CandlewireServer.openMarket`
/// connects them: the reading of a venue's messages, pipeline, aggregation, candle store and ledger on real SQLite over
/// `FaultyDisk`, desk and exchanges, publisher, rings, shards, connections with their WebSocket frames, the watch of the
/// clock, retention; and `StreamSession`s as clients. Outside are HTTP, TLS and tokens, the venues' sockets and the fetching
/// of history, the channels `markets` and `health`, the assistant, backups, and the files beside the databases, whose disk
/// has no faults.
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
        var comparisons = 0
        var accepted = 0, lateAccepted = 0
    }

    /// What a server would do wrong: made here, where its consequences begin, to show that they are found.
    enum Defect: CaseIterable {
        case acknowledgesBeforeCommit
        case ignoresFailedSyncs
        case skipsAnOffsetAtRecovery
    }

    /// What moves the system's clock away from the right time, and seconds until the ledger's writer begins.
    final class Environment: Sendable {
        let clockError = Mutex(0.0)
        let commitDelay = Mutex(0.002)
    }

    static let epoch = 1_700_000_000.0
    static let day = 86_400.0

    let seed: UInt64
    let defect: Defect?
    private var random: SeededGenerator
    let time = SimulatedTime()
    let disk: FaultyDisk
    var venue: SimulationVenue
    var server: SimulatedServer?
    private(set) var readers: [SimulatedReader] = []
    private let record = SimulatedReader.Record()
    var counts = Counts()
    var candles = ExpectedCandles()
    var trading = ExpectedTrading()
    private(set) var problem: String?
    let environment = Environment()
    private let start: Double
    var isFeedUp = true
    var orderCount = 0
    var nextPrune = 3600.0
    var candleSyncs = 0
    /// When each market last had an accepted trade since the server started, how many, and the longest time between two.
    var tradeTimes: [Int: (last: Double, count: Int, longestGap: Double)] = [:]
    var wasStale: Set<Int> = []
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
        let loop = time.makeLoop()
        for index in 0..<3 {
            let reader = SimulatedReader(index, loop: loop, seed: random.next(), record: record)
            // One of the two that read the same streams gets them in binary, and must see the same.
            reader.dial = { [unowned self] in dial(loop, index == 2 ? .binary : .json) }
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

    /// Stops for good.
    func end() {
        if let server, problem == nil { try? server.stop() } else { server?.crash(losesPower: false) }
        for reader in readers { reader.stop() }
        readers.first?.loop.end()
        disk.remove()
    }

    var hours: Double { (time.seconds - start) / 3600 }
    var rightTime: Double { Self.epoch + time.seconds }

    var links: [SimulatedLink] { readers.flatMap(\.links) }

    func fail(_ text: String) {
        guard problem == nil else { return }
        problem =
            "seed \(seed), step \(counts.steps), hour \(hours): \(text)\n" + log.suffix(40).joined(separator: "\n")
    }

    func note(_ text: String) {
        log.append("\(counts.steps) \(time.seconds - start): \(text)")
        if log.count > 200 { log.removeFirst(100) }
        digest.mix(log.last!.utf8.reduce(0) { $0 &* 31 &+ $1 })
    }

    func draw() -> Double { random.unit() }
    func chance(_ share: Double) -> Bool { random.unit() < share }
    func number(below end: Int) -> Int { Int(random.next() % UInt64(end)) }
    func pick<T>(_ values: [T]) -> T { values[number(below: values.count)] }
    func advance(by seconds: Double) { time.advance(by: seconds) { [disk] in disk.isDead } }

    // MARK: Steps

    /// Goes on for so many hours, and ends with a comparison of everything.
    func run(hours: Double) {
        let end = self.hours + hours
        while problem == nil, self.hours < end {
            step()
            if counts.steps % 300 == 0 { endFaultsAndCompare() }
        }
        if problem == nil { endFaultsAndCompare(everything: true) }
    }

    private func step() {
        counts.steps += 1
        switch draw() * 100 {
        case ..<48: for _ in 0...number(below: 6) { trade() }
        case ..<60: order()
        case ..<66: changeOrder()
        case ..<78: stall()
        case ..<84: advance(by: draw() * 2.5)
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

    func trade() {
        guard isFeedUp else { return advance(by: 0.1) }
        sendTrade(number(below: 2))
        advance(by: 0.02 + draw() * 0.3)
    }

    /// The venue sends a market's next message.
    func sendTrade(_ market: Int) {
        guard let server else { return }
        let last = server.pipeline.markets[market].lastTick
        guard let trade = server.receive(venue.message(market, at: rightTime)) else { return }
        counts.accepted += 1
        if trade.isLate { counts.lateAccepted += 1 }
        candles.add(trade.tick, market: trade.market)
        if trade.showsHole, server.pipeline.markets[market].aggregator.forming(.m1)?.quality != .gap {
            fail("trades are missing, and the open minute does not show it")
        }
        if trade.showsHole, let last {
            candles.addHole(trade.tick, after: last, market: trade.market)
            // It may be over by this trade.
            record.addHole(SimulationFeed.symbols[market], Timeframe.m1.bucketStart(of: last.timestamp))
        }
        var times = tradeTimes[trade.market] ?? (time.seconds, 0, 0)
        times.longestGap = max(times.longestGap, time.seconds - times.last)
        tradeTimes[trade.market] = (time.seconds, times.count + 1, times.longestGap)
    }

    private func stall() {
        let seconds = min(random.exponential() * 1200, 7200)
        note("asleep for \(Int(seconds))")
        time.stall(for: seconds) { [disk] in disk.isDead }
        // Before the next trade the price is old.
        if chance(0.5) { order() }
    }

    private func dial(_ loop: SimulatedLoop, _ encoding: StreamEncoding) -> SimulatedLink? {
        guard let server, !disk.isDead else { return nil }
        let link = SimulatedLink(server: server.loop, client: loop, latency: 0.005 + draw() * 0.05)
        do { try server.accept(link, encoding) } catch { fail("\(error)") }
        return link
    }

    private func changeReader() {
        let reader = pick(readers)
        let views = reader.views.keys.sorted { $0.rawValue < $1.rawValue }
        if views.count > 2, chance(0.5) {
            reader.unsubscribe(pick(views))
        } else {
            reader.subscribe(pick(SimulationFeed.symbols), pick([.s5, .m1, .m15]), history: pick([5, 50, 300]))
        }
        advance(by: 0.3)
    }
}
