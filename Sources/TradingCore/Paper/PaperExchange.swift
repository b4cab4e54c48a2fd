internal import MarketModel

/// A paper account and the exchange that fills its orders: a machine without IO.
///
/// Requests, ticks and the time go in; entries of the account's ledger come out of ``drainEvents()``, and the same seed,
/// requests and ticks give the same entries on every machine. The account changes by these entries alone. Times are
/// seconds since 1970 UTC and never go back: an earlier `now` counts as the latest there was.
///
/// ```swift
/// var exchange = try PaperExchange(opening: AccountID(name: "main"), settings: PaperSettings(), seed: 1, now: 0)
/// exchange.ingest("BTC-USD", Tick(timestamp: 1, price: 65000, volume: 2), now: 1)
/// exchange.place(
///     OrderRequest(clientOrderID: "1", symbol: "BTC-USD", side: .buy, type: .market, quantity: 1, leverage: 5), now: 1)
/// let position = exchange.positions()[0]
/// ```
///
/// How orders are filled is written in `Docs/paper-trading.md`. The exchange joins parts that are values of their own:
/// ``WaitingOrders``, ``ProtectionOrders``, ``MarginMonitor``, ``Markets`` and ``Schedule``.
public struct PaperExchange: Sendable {
    /// The account as its ledger makes it.
    public internal(set) var account: AccountState<Paper>
    public let settings: PaperSettings
    /// Counts up with every change of what the account owns or is worth: equal numbers, equal positions and portfolios.
    public internal(set) var revision = 0
    /// Ticks that no market can have sent (not finite, a price not above 0 or above 10^15, a negative volume), or that would
    /// have made a position's value too large for exact arithmetic. They change nothing.
    public internal(set) var refusedTicks = 0

    var generator: SeededGenerator
    /// The latest time there was.
    var clock = 0.0
    private var outbox: [LedgerEntry<Paper>] = []
    /// Orders that reach the market now, first come first.
    var arrivals: [Int] = []

    /// Orders that were never accepted.
    var refused: RefusedOrders
    var markets = Markets()
    var schedule = Schedule()
    var waiting = WaitingOrders()
    var protection = ProtectionOrders()
    var margin: MarginMonitor

    /// Continues an account with its waiting orders; those that were on their way arrive with the next tick. Throws the first
    /// of the settings' problems.
    /// - Parameters:
    ///   - latestTime: what the account has of later times was dated by a wrong clock: the exchange does not wait for
    ///   them. Seconds since 1970 UTC.
    ///   - refused: what ``drainRefused()`` gave, ascending.
    public init(
        account: AccountState<Paper>, settings: PaperSettings, seed: UInt64, latestTime: Double = .infinity,
        refused: [Order<Paper>] = []
    ) throws(TradingRejection) {
        if let problem = settings.problems.first { throw problem }
        self.account = account
        self.refused = RefusedOrders(refused, since: account.beganAt)
        self.settings = settings
        generator = SeededGenerator(seed: seed)
        margin = MarginMonitor(settings: settings)
        clock = min(account.updatedAt, latestTime)
        for (index, holding) in account.holdings.enumerated() {
            let market = register(holding.symbol, currency: holding.currency)
            markets.addHolding(in: market)
            markets[market].isHeld = holding.hasPosition
            margin.positionChanged(market, &markets)
            margin.ordersChanged(market)
            margin.bandChanged(market)
            for number in account.active[index] {
                guard let order = account.orders[number]?.order else { continue }
                schedule.addArrival(number, at: clock)
                if order.timeInForce == .day { schedule.addDayEnd(number, at: Self.endOfDay(order.createdAt)) }
            }
            margin.requestCheck(margin.markets[market].currency)
        }
        // What fills used of trades that the feed may send again is gone.
        for fill in account.recentFills where fill.receipt.tradeUsed.isPositive {
            guard let index = account.holdingIndex[fill.symbol] else { continue }
            markets[markets.ofHolding[index]].recall(fill.receipt)
            markets.invalidate(markets.ofHolding[index])
        }
        updateQuietRanges()
    }

    /// Opens a new account with the settings' capital.
    /// - Parameter deleted: an earlier account of this id, whose numbers go on.
    public init(
        opening id: AccountID<Paper>, after deleted: AccountState<Paper>? = nil, settings: PaperSettings, seed: UInt64,
        now: Double
    ) throws(TradingRejection) {
        try self.init(account: deleted ?? AccountState(id: id), settings: settings, seed: seed)
        clock = max(account.updatedAt, now.isFinite ? now : 0)
        try Self.check(capital: settings.initialCapital)
        emit(.accountOpened(capital: settings.initialCapital))
    }

    /// Makes a market known, so that orders for it are accepted. A tick does so as well.
    /// - Parameter currency: of its prices; ``QuoteCurrency/of(_:)`` where it is not given.
    /// - Returns: the market's index for ``ingest(market:_:now:)``.
    @discardableResult public mutating func register(_ symbol: String, currency: String? = nil) -> Int {
        if let index = markets.index(of: symbol) { return index }
        let currency = currency ?? QuoteCurrency.of(symbol)
        let market = markets.add(symbol, currency: currency, countsVolume: settings.fillModel.countsVolume)
        waiting.addMarket()
        protection.addMarket()
        margin.addMarket(currency: currency, account)
        updateQuietRanges()
        return market
    }

    /// The entries since the last call, in order: to be written to disk before anything in them is published.
    public mutating func drainEvents() -> [LedgerEntry<Paper>] {
        defer { outbox.removeAll(keepingCapacity: true) }
        return outbox
    }

    // MARK: What the account has

    /// The last price of a market.
    public func mark(_ symbol: String) -> ExactDecimal? { markets.price(symbol) }

    /// The open positions at the last prices, in the order in which their markets were first traded.
    /// - Complexity: O(positions * markets).
    public func positions() -> [Position<Paper>] { account.openSymbols.compactMap { position($0) } }

    public func position(_ symbol: String) -> Position<Paper>? {
        // A tick that would overflow was refused, so there is always a value.
        (try? account.position(symbol: symbol, settings: settings) { mark($0) }) ?? nil
    }

    /// The account's money, one a currency, sorted by its name.
    public func portfolios() -> [Portfolio] {
        account.currencies.compactMap {
            try? account.portfolio(currency: $0, settings: settings, time: clock) { mark($0) }
        }
    }

    /// What of a currency new orders may use; `nil` where an amount leaves the range.
    func available(_ market: Int) -> ExactDecimal? {
        try? margin.value(margin.markets[market].currency, account, markets).available()
    }

    // MARK: The ledger

    /// The only way in which the account changes.
    /// - Parameter number: of the order that the event is about, where the caller has it at hand.
    /// - Returns: whether the event was possible; it is not where an amount would leave the range.
    @discardableResult mutating func emit(_ event: LedgerEvent<Paper>, of number: Int? = nil) -> Bool {
        let entry = LedgerEntry(account: account.id, sequence: account.sequence + 1, time: clock, event: event)
        do { try account.apply(entry) } catch { return false }
        outbox.append(entry)
        revision &+= 1
        if let number {
            track(number)
            return true
        }
        switch event {
        case .leverageChanged(let symbol, _):
            if let market = markets.index(of: symbol) {
                margin.positionChanged(market, &markets)
                margin.ordersChanged(market)
            }
        case .accountReset, .accountDeleted:
            refused.removeAll()
            markets.removeHoldings()
            protection.removeHoldings()
            margin.removeHoldings(account)
        case .accountOpened, .deposited, .liquidated:
            for currency in margin.currencies.indices { margin.cashChanged(currency, account) }
        default:
            if let order = event.order { track(order.id.number) }
        }
        return true
    }

    /// Keeps the parts in step with an order.
    private mutating func track(_ number: Int) {
        guard let record = account.orders[number] else { return }
        if record.holding == markets.ofHolding.count {
            markets.addHolding(in: register(record.order.symbol, currency: record.order.currency))
        }
        let market = markets.ofHolding[record.holding]
        margin.ordersChanged(market)
        markets.invalidate(market)
        guard record.order.status.isDone else { return }
        waiting.remove(number)
        schedule.removeLatency(of: number)
    }

    /// The order with its next version.
    func next(_ order: Order<Paper>, _ change: (inout OrderFields<Paper>) -> Void) -> Order<Paper> {
        order.changed {
            $0.version += 1
            $0.updatedAt = clock
            change(&$0)
        }
    }

    mutating func cancel(_ number: Int, reason: String) {
        guard let record = account.activeRecord(number) else { return }
        emit(.orderCancelled(next(record.order) { ($0.status, $0.reason) = (.cancelled, reason) }), of: number)
    }

    /// Enters a new order as accepted.
    mutating func accept(
        _ request: OrderRequest, _ market: Int, referencePrice: ExactDecimal, parent: OrderID<Paper>? = nil
    ) -> OrderRecord<Paper>? {
        let number = nextOrderNumber
        let isAccepted = emit(
            .orderAccepted(
                Order<Paper>(
                    id: OrderID(account: account.id, number: number), request: request,
                    currency: markets[market].currency, status: .new, referencePrice: referencePrice, time: clock,
                    parent: parent)), of: number)
        return isAccepted ? account.orders[number] : nil
    }

    static func endOfDay(_ time: Double) -> Double { (time / 86_400).rounded(.down) * 86_400 + 86_400 }
}
