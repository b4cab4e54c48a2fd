import HistoryStore
import Logging
import MarketFeeds
import MarketModel
import NIOCore
import StreamCore
import TradingCore

/// The paper accounts of this server: accepts orders, feeds the exchanges with each tick the pipeline accepts, writes what
/// happens to the ledger, and publishes it when it is there.
///
/// Confined to the market loop. The order of things is: the exchange decides, its entries go to the ledger, and only when
/// they are on disk are they acknowledged and published. Where that fails, what was not written did not happen: the accounts
/// are made again from the ledger, and no order is accepted until it can be written.
final class TradingDesk {
    static let defaultAccount = "paper-main"
    static let maximumAccounts = 100
    /// Their numbers are kept, so that no id is used twice.
    static let maximumDeletedAccounts = 10_000
    /// What each account begins with, in each quote currency.
    static let initialCapital: ExactDecimal = 100_000

    struct Options: Sendable {
        var settings = PaperSettings()
        /// What the exchanges' randomness starts from, with the account's name.
        var seed: UInt64 = 42
        /// The feed's own clock begins here, seconds since 1970 UTC; `nil`: the feed lives in the present.
        var feedStart: Double?
        /// Whether the demo account is opened at the start.
        var loadsDemo = false
        /// Seconds without a trade after which orders are refused, in a market that trades often; `nil`: never.
        var priceStaleAfter: Double?
        var clock = WallClock.machine
        /// Runs what reads or writes the ledger for long, off the market loop.
        var background: @Sendable (@escaping @Sendable () -> Void) -> Void = { work in Task { work() } }
    }

    enum LedgerState: Sendable, Equatable {
        case ok
        /// The accounts are being read again.
        case reading
        /// They can be seen, but nothing can be changed.
        case failing
    }

    let registry: MarketRegistry
    let ledger: LedgerStore
    private(set) var names: LedgerNames
    let hub: ChannelHub
    let options: Options
    let logger: Logger
    private let loop: any EventLoop
    /// Sorted by id.
    var accounts: [PaperAccount] = []
    /// By id.
    var deleted: [AccountID<Paper>: AccountState<Paper>] = [:]
    /// Who asks for what is being done; `nil`: the market, or not known. Entries carry it.
    var principal: String?
    var events = EventLog()
    var signals: [SignalRule]
    var pulse: MarketPulse
    /// The latest trade of each market, for accounts that are opened between two.
    var latest: [Tick?]
    private(set) var ledgerState = LedgerState.ok
    private var composer = EventComposer()
    private var commits = PublicationHold()
    private var lastTime = 0.0
    /// The channels without an account.
    weak var states: ServerStates?
    var isFeedLive = true
    /// Whether a market's feed is switched off.
    var isOff: ((_ market: Int) -> Bool)?
    /// Called for a market in which an order is placed.
    var onDemand: ((_ market: Int) -> Void)?
    /// The candles of a market that are in memory, ascending.
    var pastCandles: ((_ market: Int, Timeframe) -> [Candle])?
    var isDemoPending: Bool
    var cancelTimers = CancelTimers()
    var cancelTimersFile: CancelTimersFile?
    /// Those that the ledger kept from happening.
    var waitingCancellations: [AccountID<Paper>: Cancellation] = [:]
    /// What the server changes by itself.
    var audit: AuditLog?
    /// Counts events that are in no ledger.
    private var otherEvents = 0
    let startedAt: Double

    init(
        registry: MarketRegistry, ledger: LedgerStore, hub: ChannelHub, loop: any EventLoop, options: Options,
        loaded: TradingLoader, logger: Logger
    ) throws {
        self.registry = registry
        names = LedgerNames(registry)
        self.ledger = ledger
        self.hub = hub
        self.loop = loop
        self.options = options
        self.logger = logger
        startedAt = options.clock.now()
        isDemoPending = options.loadsDemo
        signals = registry.markets.map { _ in SignalRule() }
        pulse = MarketPulse(
            markets: registry.markets.count, priceStaleAfter: options.priceStaleAfter ?? .infinity)
        latest = registry.markets.map { _ in nil }
        try install(loaded)
        for event in loaded.events { events.append(event) }
    }

    private func install(_ loaded: TradingLoader) throws(TradingRejection) {
        var made: [PaperAccount] = []
        // A recording has its own time.
        let latest = options.feedStart == nil ? options.clock.now() : .infinity
        for account in loaded.accounts {
            let exchange = try PaperExchange(
                account: account.state, settings: options.settings, seed: seed(of: account.state.id),
                latestTime: latest, refused: account.refused)
            if account.state.updatedAt > latest + ClockWatch.maxStep {
                logger.warning(
                    "the ledger has entries dated in the future, from a wrong clock; new ones get the present time",
                    metadata: ["account": "\(account.state.id)", "newest": "\(account.state.updatedAt)"])
            }
            let paper = PaperAccount(exchange, createdAt: account.openedAt, registry: registry)
            paper.snapshotSequence = account.snapshot
            made.append(paper)
        }
        accounts = made
        deleted = Dictionary(uniqueKeysWithValues: loaded.deleted.map { ($0.id, $0) })
        composer = loaded.composer
        sortAccounts()
        lastTime = max(lastTime, min(latest, accounts.map(\.exchange.account.updatedAt).max() ?? 0))
    }

    /// Each account draws from a source of its own.
    func seed(of id: AccountID<Paper>) -> UInt64 {
        id.name.utf8.reduce(options.seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    func sortAccounts() { accounts.sort { $0.id.description < $1.id.description } }

    /// Opens the default account and starts the timers.
    /// - Parameter pipeline: has the past, from which signals go on.
    func start(_ pipeline: MarketPipeline) {
        for market in signals.indices {
            // The last one is still forming.
            let candles = pipeline.candles(market: market, timeframe: .m1, limit: 500)
            for candle in candles.dropLast() { _ = signals[market].update(with: candle) }
            if let last = candles.last {
                latest[market] = Tick(timestamp: last.timestamp, price: last.close, volume: 0)
            }
        }
        report(.system, nil, "The feed is connected.", ["feed": "live"])
        openDefaultAccount()
        loop.runEvery(0.25, self) { $0.turn() }
        loop.runEvery(1, self) {
            $0.compareClocks()
            $0.reportStaleMarkets()
        }
        loop.runEvery(10, first: 1, self) { $0.sampleEquity() }
    }

    // MARK: Time

    /// Seconds on a clock that never goes back.
    var pulseTime: Double { Double(loop.now.uptimeNanoseconds) / 1e9 }

    /// Seconds since 1970 UTC by the feed's clock; never goes back.
    var now: Double {
        let feed = options.feedStart.map { max($0, feedTime) } ?? options.clock.now()
        lastTime = max(lastTime, feed)
        return lastTime
    }

    /// The time of the feed's last message.
    var feedTime = 0.0

    // MARK: Markets that come and go

    /// The registry has a new market, or again one that was removed.
    func added(_ market: Int) {
        let added = registry.markets[market]
        names.add(added.symbol, keptAs: registry.storeName(market))
        for account in accounts { account.add(added, number: market) }
    }

    /// What keeps a market from being removed: the accounts with a position in it, and its open orders.
    func uses(of market: Int) -> MarketUse {
        let symbol = registry.markets[market].symbol
        var use = MarketUse()
        for account in accounts {
            let holding = account.exchange.account
            use.orders += holding.activeOrders(symbol: symbol).count
            if account.exchange.positions().contains(where: { $0.symbol == symbol }) {
                use.positions.append(account.id.description)
            }
        }
        return use
    }

    // MARK: Committing

    /// Writes what an account's exchange has done, and publishes it when that is on disk.
    func commit(_ account: PaperAccount) {
        let (entries, refused) = (account.exchange.drainEvents(), account.exchange.drainRefused())
        guard !entries.isEmpty || !refused.isEmpty else { return }
        let ticket = commits.issue()
        let hasFill = entries.contains { $0.event.fill != nil }
        append(
            entries.map { LedgerCodec.record(names.kept($0), principal: principal) },
            equity: hasFill ? equityPoints(account) : [], refused: records(of: refused, account), ticket)
        let publication = Publication(account, entries, refused: refused)
        afterCommit { [weak self] isWritten in
            if isWritten { self?.publish(publication) }
        }
    }

    private func records(of refused: [Order<Paper>], _ account: PaperAccount) -> [RefusedRecord] {
        let oldest = account.exchange.oldestRefusedNumber
        return refused.map { order in
            var record = LedgerCodec.record(refused: names.kept(order))
            record.oldestKept = oldest
            return record
        }
    }

    private func append(
        _ records: [LedgerRecord], equity: [EquityPoint], refused: [RefusedRecord], _ ticket: PublicationHold.Ticket
    ) {
        let bound = NIOLoopBound(self, eventLoop: loop)
        ledger.append(records, equity: equity, refused: refused) { [loop] result in
            loop.execute { bound.value.finish(ticket, result) }
        }
    }

    /// Runs `body` when everything so far is on disk, at once where it is; with false where it could not be written.
    func afterCommit(_ body: @escaping PublicationHold.Body) {
        if !commits.wait(body) { body(true) }
    }

    private func finish(_ ticket: PublicationHold.Ticket, _ result: Result<Void, StoreError>) {
        switch result {
        case .success:
            for body in commits.finish(ticket) { body(true) }
        case .failure(let error):
            guard let waiting = commits.fail(ticket) else { return }
            logger.error("the ledger cannot be written; orders are not accepted", metadata: ["error": "\(error)"])
            ledgerState = .reading
            for body in waiting { body(false) }
            report(.system, nil, "The ledger cannot be written: orders are not accepted until it can.")
            reload()
        }
    }

    // MARK: After a failure

    /// What is on disk is what happened, also where the entries are on disk and their confirmation was lost.
    private func reload() {
        let bound = NIOLoopBound(self, eventLoop: loop)
        let (loop, ledger, names, background) = (loop, ledger, names, options.background)
        // Behind everything that is still on its way to the disk.
        ledger.append([]) { _ in
            background {
                let loaded = Result { try TradingLoader(ledger, names: names) }
                loop.execute { bound.value.finishReload(loaded) }
            }
        }
    }

    private func finishReload(_ loaded: Result<TradingLoader, any Error>) {
        switch loaded {
        case .success(let loaded) where (try? install(loaded)) != nil:
            ledgerState = .failing
            loop.run(after: 1) { self.probe() }
        case .success: loop.run(after: 1) { self.reload() }
        case .failure(let error):
            logger.error("the ledger cannot be read", metadata: ["error": "\(error)"])
            loop.run(after: 1) { self.reload() }
        }
    }

    /// Writes a point that is not shown, to see whether the ledger can be written.
    private func probe() {
        let bound = NIOLoopBound(self, eventLoop: loop)
        let point = EquityPoint(account: "~probe", currency: "", timestamp: 0, equity: "0")
        ledger.append([], equity: [point]) { [loop] result in loop.execute { bound.value.finishProbe(result) } }
    }

    private func finishProbe(_ result: Result<Void, StoreError>) {
        guard case .success = result else { return loop.run(after: 1) { self.probe() } }
        ledgerState = .ok
        logger.notice("the ledger is written again")
        report(.system, nil, "The ledger can be written again: orders are accepted.")
        if accounts.isEmpty { openDefaultAccount() }
        publishSnapshots()
    }

    /// - Throws: where accounts cannot be seen, or not be changed.
    func checkLedger(forChange: Bool) throws(APIError) {
        if ledgerState == .reading || (forChange && ledgerState != .ok) { throw .ledgerUnavailable }
    }

    var canTrade: Bool { ledgerState == .ok }

    /// The market may go on for a moment; the accounts do not.
    func stop() -> EventLoopFuture<Void> {
        if canTrade { takeLastSnapshots() }
        ledgerState = .failing
        return states?.stop() ?? loop.makeSucceededVoidFuture()
    }

    // MARK: Publishing

    /// What is published of entries: collected when they are made, sent when they are on disk.
    private struct Publication {
        var account: AccountID<Paper>
        var entries: [LedgerEntry<Paper>]
        /// The last entry.
        var sequence: Int
        /// Orders that changed without an entry of their own.
        var alsoChanged: [Order<Paper>] = []
        /// Orders that were never accepted.
        var refused: [Order<Paper>]
        var isReset = false

        init(_ account: PaperAccount, _ entries: [LedgerEntry<Paper>], refused: [Order<Paper>]) {
            self.account = account.id
            self.entries = entries
            self.refused = refused
            sequence = account.sequence
            var symbols: Set<String> = []
            for entry in entries {
                switch entry.event {
                case .leverageChanged(let symbol, _): symbols.insert(symbol)
                case .accountReset, .accountOpened, .accountDeleted: isReset = true
                default: break
                }
            }
            guard !symbols.isEmpty else { return }
            let reported = Set(entries.compactMap { $0.event.order?.id })
            alsoChanged = symbols.sorted().flatMap { account.exchange.account.activeOrders(symbol: $0) }
                .filter { !reported.contains($0.id) }
        }
    }

    private func publish(_ publication: Publication) {
        let key = ChannelKey(.orders, account: publication.account.description)
        let last = publication.sequence
        for entry in publication.entries {
            if let order = entry.event.order { publish(order, entry.sequence, key) }
            if let fill = entry.event.fill {
                hub.publish("fill", key, sequence: Int64(entry.sequence)) { $0.field("fill", fill) }
            }
            for event in composer.events(for: entry) { report(event) }
        }
        for order in publication.alsoChanged { publish(order, last, key) }
        for order in publication.refused {
            publish(order, last, key)
            report(EventComposer.event(refused: order))
        }
        if publication.isReset { publishOrders(of: publication.account) }
    }

    private func publish(_ order: Order<Paper>, _ sequence: Int, _ key: ChannelKey) {
        hub.publish("order", key, sequence: Int64(sequence)) { $0.field("order", order) }
    }

    /// Reports something that is in no ledger.
    func report(
        _ kind: TradingEvent.Kind, _ symbol: String?, _ message: String, _ metadata: [String: String] = [:],
        account: AccountID<Paper>? = nil
    ) {
        otherEvents += 1
        report(
            TradingEvent(
                id: "\(kind)-\(Int(startedAt))-\(otherEvents)", kind: kind, account: account?.description,
                symbol: symbol, message: message, timestamp: now, metadata: metadata))
    }

    private func report(_ event: TradingEvent) {
        events.append(event)
        for key in hub.activeKeys where key.channel == .events {
            guard key.account == nil || event.account == nil || key.account == event.account else { continue }
            hub.publish("event", key) { $0.field("event", event) }
        }
    }
}
