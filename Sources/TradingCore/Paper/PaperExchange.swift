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
/// How orders are filled is written in `Docs/paper-trading.md`.
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
    var books: [MarketBook] = []
    var bookIndex: [String: Int] = [:]
    /// The books of the account's holdings, by the holdings' indices.
    var bookOfHolding: [Int] = []
    /// The latest time there was.
    var clock = 0.0
    var outbox: [LedgerEntry<Paper>] = []

    /// Orders on their way to the market, the ends of day orders, and the next draw of the random model.
    var inFlight = DueQueue()
    var dayEnds = DueQueue()
    var lotteryDue = Double.infinity
    /// The earliest of the three.
    var nextDue = Double.infinity

    /// Orders that reach the market now, first come first.
    var arrivals: [Int] = []
    /// Where each waiting order is in the queues: what has another ticket is an earlier place.
    var tickets = NumberedTable<Int>()
    var nextTicket = 0
    /// The best price that each trailing stop has seen; nothing for one that waits for its first.
    var trailBest: [Int: Double] = [:]
    /// Of orders that took time to get to the market.
    var latencies: [Int: Double] = [:]
    /// The currencies, and those whose margin has to be looked at again.
    var purses: [Purse] = []
    var purseIndex: [String: Int] = [:]
    var uneasy: [Int] = []
    var staleBooks: [Int] = []
    /// What was computed anew so far; tests hold it to what a fill may cost.
    var work = Work()

    /// Takes up an account that is there already, with its waiting orders; those that were on their way arrive with the next
    /// tick. Throws the first of the settings' problems.
    public init(account: AccountState<Paper>, settings: PaperSettings, seed: UInt64) throws(TradingRejection) {
        if let problem = settings.problems.first { throw problem }
        self.account = account
        self.settings = settings
        generator = SeededGenerator(seed: seed)
        clock = account.updatedAt
        for (index, holding) in account.holdings.enumerated() {
            let book = register(holding.symbol, currency: holding.currency)
            books[book].holding = index
            bookOfHolding.append(book)
            books[book].isHeld = holding.hasPosition
            noteMove(book)
            noteOrders(book)
            noteBand(book)
            for number in account.active[index] {
                guard let order = account.orders[number]?.order else { continue }
                inFlight.push(number, due: clock)
                if order.timeInForce == .day { dayEnds.push(number, due: Self.endOfDay(order.createdAt)) }
            }
            alarm(books[book].purse)
        }
        recallUsedTrades()
        findNextDue()
    }

    /// Opens a new account with the settings' capital.
    public init(
        opening id: AccountID<Paper>, settings: PaperSettings, seed: UInt64, now: Double
    ) throws(TradingRejection) {
        try self.init(account: AccountState(id: id), settings: settings, seed: seed)
        clock = now.isFinite ? now : 0
        try Self.check(capital: settings.initialCapital)
        emit(.accountOpened(capital: settings.initialCapital))
    }

    /// Makes a market known, so that orders for it are accepted. A tick does so as well.
    /// - Parameter currency: of its prices; ``QuoteCurrency/of(_:)`` where it is not given.
    /// - Returns: the market's index for ``ingest(market:_:now:)``.
    @discardableResult
    public mutating func register(_ symbol: String, currency: String? = nil) -> Int {
        if let index = bookIndex[symbol] { return index }
        let currency = currency ?? QuoteCurrency.of(symbol)
        bookIndex[symbol] = books.count
        books.append(MarketBook(symbol: symbol, currency: currency, purse: purse(of: currency)))
        staleBooks.append(books.count - 1)
        refresh()
        return books.count - 1
    }

    /// The entries since the last call, in order: to be written down before anything in them is told to anybody.
    public mutating func drainEvents() -> [LedgerEntry<Paper>] {
        defer { outbox.removeAll(keepingCapacity: true) }
        return outbox
    }

    /// The last price of a market.
    public func mark(_ symbol: String) -> ExactDecimal? { bookIndex[symbol].flatMap { books[$0].price } }

    /// The open positions at the last prices, in the order in which their markets were first traded.
    /// - Complexity: O(positions * markets).
    public func positions() -> [Position<Paper>] {
        account.openSymbols.compactMap { position($0) }
    }

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

    static func endOfDay(_ time: Double) -> Double { (time / 86_400).rounded(.down) * 86_400 + 86_400 }

    static func check(capital: [Money]) throws(TradingRejection) {
        for money in capital where money.amount.isNegative || money.amount > greatestAmount {
            throw TradingRejection(.invalid, field: "capital", "is between 0 and \(greatestAmount)")
        }
        if Set(capital.map(\.currency)).count != capital.count || capital.contains(where: { $0.currency.isEmpty }) {
            throw TradingRejection(.invalid, field: "currency", "has a name, and each currency comes once")
        }
    }

    /// Prices, quantities, what they cost, and capital: far from where arithmetic ends.
    static let greatestAmount: ExactDecimal = 1_000_000_000_000_000
}
