import MarketModel
import TradingCore

/// An exchange with one market and short ways of saying things, for tests.
struct Desk {
    static let market = "BTC-USD"
    var exchange: PaperExchange
    var time = 1_700_000_000.0
    /// Everything that was drained so far.
    var log: [LedgerEntry<Paper>] = []
    private var nextID = 1

    static let plain = PaperSettings(feeModel: .none, maintenanceRate: 0)

    init(_ settings: PaperSettings = plain, seed: UInt64 = 1) {
        exchange = try! PaperExchange(opening: AccountID(name: "main"), settings: settings, seed: seed, now: time)
        exchange.register(Self.market)
        drain()
    }

    @discardableResult
    mutating func drain() -> [LedgerEntry<Paper>] {
        let entries = exchange.drainEvents()
        log += entries
        return entries
    }

    /// A trade, a second after the last.
    mutating func trade(_ price: Double, _ volume: Double = 0, _ symbol: String = market) {
        time += 1
        exchange.ingest(symbol, Tick(timestamp: time, price: price, volume: volume), now: time)
        drain()
    }

    @discardableResult
    mutating func place(
        _ side: Side, _ quantity: String, _ type: OrderType = .market, limit: String? = nil, stop: String? = nil,
        trail: Trail? = nil, tif: TimeInForce = .gtc, postOnly: Bool = false, reduceOnly: Bool = false,
        leverage: Int? = nil,
        takeProfit: String? = nil, stopLoss: String? = nil, group: String? = nil, id: String? = nil,
        symbol: String = market
    ) -> OrderPlacement {
        defer { drain() }
        nextID += 1
        return exchange.place(
            OrderRequest(
                clientOrderID: id ?? "c\(nextID)", symbol: symbol, side: side, type: type, timeInForce: tif,
                quantity: d(quantity), limitPrice: limit.map(d), stopPrice: stop.map(d), trail: trail,
                postOnly: postOnly,
                reduceOnly: reduceOnly, leverage: leverage, takeProfit: takeProfit.map(d), stopLoss: stopLoss.map(d),
                ocoGroup: group), now: time)
    }

    /// The order's number of a result that has to have one.
    @discardableResult
    mutating func order(
        _ side: Side, _ quantity: String, _ type: OrderType = .market, limit: String? = nil, stop: String? = nil,
        trail: Trail? = nil, tif: TimeInForce = .gtc, postOnly: Bool = false, reduceOnly: Bool = false,
        leverage: Int? = nil,
        takeProfit: String? = nil, stopLoss: String? = nil, group: String? = nil, symbol: String = market
    ) -> OrderID<Paper> {
        let result = place(
            side, quantity, type, limit: limit, stop: stop, trail: trail, tif: tif, postOnly: postOnly,
            reduceOnly: reduceOnly, leverage: leverage, takeProfit: takeProfit, stopLoss: stopLoss, group: group,
            symbol: symbol)
        guard let order = result.order else { fatalError("a test's order was refused: \(result)") }
        return order.id
    }

    func state(_ id: OrderID<Paper>) -> Order<Paper> { exchange.account.order(id)! }
    func status(_ id: OrderID<Paper>) -> OrderStatus { state(id).status }
    var position: Position<Paper>? { exchange.position(Self.market) }
    var portfolio: Portfolio { exchange.portfolios().first { $0.currency == "USD" }! }
    /// Price and quantity of each fill.
    var fills: [String] { log.compactMap(\.event.fill).map { "\($0.price) x \($0.quantity)" } }
    var kinds: [LedgerEvent<Paper>.Kind] { log.map(\.event.kind) }

    /// The state that the log alone makes.
    func replayed() throws -> AccountState<Paper> { try AccountState(id: exchange.account.id, replaying: log) }
}
