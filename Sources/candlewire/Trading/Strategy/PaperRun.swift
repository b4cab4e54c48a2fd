import Foundation
import MarketModel
import TradingCore

/// A paper exchange with a strategy in each of its markets, on the clock of the trades that it is given: the same trades
/// and settings give the same run, whatever machine it is and however fast.
struct PaperRun {
    /// A request that a strategy made, and what became of it.
    struct Request: Encodable {
        /// How many trades, of all markets, came before it.
        var after: Int
        /// Seconds since 1970 UTC.
        var time: Double
        var action: String
        var order: OrderRequest?
        var id: OrderID<Paper>?
        var limitPrice: ExactDecimal?
        /// Why it was refused.
        var refusal: String?

        enum CodingKeys: String, CodingKey {
            case after, time, action, order, id, refusal
            case limitPrice = "limit_price"
        }
    }

    /// What the account was worth at a moment.
    struct Snapshot: Encodable {
        var after: Int
        var portfolios: [Portfolio]
        var positions: [Position<Paper>]
    }

    private struct Seat {
        var aggregator: TickAggregator
        var strategy: CrossingStrategy
    }

    /// Trades between two snapshots.
    private static let snapshotEvery = 1000

    let markets: [Market]
    private(set) var exchange: PaperExchange
    private(set) var ledger: [LedgerEntry<Paper>] = []
    private(set) var requests: [Request] = []
    private(set) var snapshots: [Snapshot] = []
    /// Trades so far, without those that are implausible or too late.
    private(set) var trades = 0
    private var seats: [Seat]
    private var validator = TickValidator()
    private var ended: [Candle] = []

    /// - Parameters:
    ///   - capital: of each quote currency among the markets.
    ///   - start: when the account is opened, seconds since 1970 UTC.
    init(
        _ markets: [Market], timeframe: Timeframe, strategy: CrossingStrategy.Settings, settings: PaperSettings,
        capital: ExactDecimal, seed: UInt64, start: Double
    ) throws {
        self.markets = markets
        var settings = settings
        settings.initialCapital = Set(markets.map { QuoteCurrency.of($0.symbol) }).sorted().map { Money(capital, $0) }
        exchange = try PaperExchange(opening: AccountID(name: "run"), settings: settings, seed: seed, now: start)
        seats = markets.map { market in
            Seat(
                aggregator: TickAggregator(timeframes: [timeframe]),
                strategy: CrossingStrategy(symbol: market.symbol, precision: market.precision, settings: strategy))
        }
        for market in markets { exchange.register(market.symbol) }
    }

    /// Processes a trade as the server does: one that would not go into a candle is left out.
    /// - Parameters:
    ///   - market: index into `markets`.
    ///   - now: when it was received, seconds since 1970 UTC.
    mutating func ingest(_ tick: Tick, market: Int, now: Double) throws {
        guard validator.check(tick, now: now) == nil else { return }
        ended.removeAll(keepingCapacity: true)
        let outcome = seats[market].aggregator.ingest(tick) { bar in
            // A late trade changes a bar that the strategy has seen; what it did then stays done.
            if bar.revision == 0 { ended.append(bar.candle) }
        }
        if case .rejected = outcome { return }
        trades += 1
        exchange.ingest(market: market, tick, now: now)
        for candle in ended { try decide(market, candle, now) }
        ledger += exchange.drainEvents()
        if trades % Self.snapshotEvery == 0 { addSnapshot() }
    }

    mutating func addSnapshot() {
        snapshots.append(Snapshot(after: trades, portfolios: exchange.portfolios(), positions: exchange.positions()))
    }

    private mutating func decide(_ market: Int, _ candle: Candle, _ now: Double) throws {
        let symbol = markets[market].symbol
        guard let close = ExactDecimal(candle.close) else { return }
        let position = exchange.position(symbol)
        let view = CrossingStrategy.View(
            close: close, size: position.map { $0.side == .long ? $0.size : -$0.size } ?? .zero,
            orders: exchange.account.activeOrders(symbol: symbol))
        for action in try seats[market].strategy.ended(candle, view) { perform(action, market, now) }
    }

    private mutating func perform(_ action: CrossingStrategy.Action, _ market: Int, _ now: Double) {
        var request: Request
        switch action {
        case .place(let order):
            request = Request(after: trades, time: now, action: "place", order: order)
            switch exchange.place(order, now: now) {
            case .accepted(let order), .duplicate(let order):
                request.id = order.id
                seats[market].strategy.accepted(order)
            case .rejected(let rejection, let order):
                (request.id, request.refusal) = (order?.id, rejection.description)
            }
        case .amend(let id, let limit):
            request = Request(after: trades, time: now, action: "amend", id: id, limitPrice: limit)
            do throws(TradingRejection) {
                _ = try exchange.amend(id, OrderChange(limitPrice: limit), now: now)
            } catch {
                request.refusal = error.description
            }
        case .cancel(let id):
            request = Request(after: trades, time: now, action: "cancel", id: id)
            do throws(TradingRejection) { _ = try exchange.cancel(id, now: now) } catch {
                request.refusal = error.description
            }
        }
        requests.append(request)
    }
}

/// A paper run as a document: the requests, what the exchange did, and what the account was worth. With the trades
/// it is enough to compute every fill again.
struct PaperReport: Encodable {
    /// The rules by which orders were filled.
    struct Rules: Encodable {
        var fillModel: String
        var participation: ExactDecimal?
        var makerFee: ExactDecimal
        var takerFee: ExactDecimal
        var slippageBasisPoints: ExactDecimal
        var latency: Double
        var maintenanceRate: ExactDecimal
    }

    var format = "candlewire-paper-run"
    var version = 1
    var mode = Paper.name
    var account: AccountID<Paper>
    var recording: String
    var trades: Int
    var capital: [Money]
    var rules: Rules
    var requests: [PaperRun.Request]
    var orders: [Order<Paper>]
    var fills: [Fill<Paper>]
    var snapshots: [PaperRun.Snapshot]
    var portfolios: [Portfolio]
    var positions: [Position<Paper>]
    var ledger: [LedgerEntry<Paper>]

    init(_ run: PaperRun, recording: String, rules: Rules) {
        let exchange = run.exchange
        account = exchange.account.id
        self.recording = recording
        self.rules = rules
        trades = run.trades
        capital = exchange.settings.initialCapital
        requests = run.requests
        orders = exchange.orders(limit: .max).reversed()
        fills = run.ledger.compactMap(\.event.fill)
        snapshots = run.snapshots
        portfolios = exchange.portfolios()
        positions = exchange.positions()
        ledger = run.ledger
    }

    /// One line of JSON, its keys sorted: the same run is the same bytes.
    func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return try encoder.encode(self) + Data("\n".utf8)
    }
}
