import MarketModel
import TradingCore

/// A strategy to try a paper exchange with: it buys when a fast average of a market's closes crosses above a slow one, and
/// sells when it crosses below. It is not advice.
///
/// An entry that is not filled after some bars is moved to the last close, and cancelled when as many have passed again. A
/// position is closed by its bracket, by a trailing stop, or at the market when the averages cross back.
struct CrossingStrategy {
    /// How a position is entered. Several are used in turn.
    enum Entry: String, CaseIterable {
        case market, limit, stop, ioc, fok
        case postOnly = "post-only"
        case stopLimit = "stop-limit"
    }

    /// How a position is left.
    enum Exit: String, CaseIterable { case bracket, trailing }

    struct Settings {
        /// Lengths of the exponential averages, in bars.
        var fast = 5
        var slow = 20
        var entries: [Entry] = [.limit]
        var exits: [Exit] = [.bracket]
        /// What an entry costs, in the quote currency.
        var notional: ExactDecimal = 1000
        /// Orders that an entry is split into.
        var split = 1
        var leverage = 1
        /// Hundredths of a percent of the close: how far limits and stops of entries are from it, and the two ends of a
        /// bracket and the distance of a trailing stop from the entry.
        var offset: ExactDecimal = 2
        var takeProfit: ExactDecimal = 20
        var stopLoss: ExactDecimal = 10
        /// Bars before an entry is moved, and once more before it is cancelled.
        var entryTimeout = 5
    }

    /// What the strategy requests of the exchange.
    enum Action {
        case place(OrderRequest)
        case amend(OrderID<Paper>, limit: ExactDecimal)
        case cancel(OrderID<Paper>)
    }

    /// What the strategy sees when a bar ends.
    struct View {
        var close: ExactDecimal
        /// Above 0 long, below 0 short.
        var size: ExactDecimal
        /// Of this market, those that can still trade.
        var orders: [Order<Paper>]
    }

    let symbol: String
    let precision: Int
    let settings: Settings
    private var fast: Double?
    private var slow: Double?
    private var bars = 0
    private var wasAbove: Bool?
    private var entries = 0
    /// The bar at which each waiting entry was placed or moved.
    private var waiting: [OrderID<Paper>: (since: Int, wasMoved: Bool)] = [:]
    private var placed = 0

    /// - Parameter precision: decimals of the market's prices.
    init(symbol: String, precision: Int, settings: Settings) {
        self.symbol = symbol
        self.precision = precision
        self.settings = settings
    }

    /// Handles a finished bar.
    mutating func ended(_ candle: Candle, _ view: View) throws(DecimalError) -> [Action] {
        bars += 1
        fast = Self.average(fast, candle.close, settings.fast)
        slow = Self.average(slow, candle.close, settings.slow)
        guard let fast, let slow, bars >= settings.slow else { return [] }
        var actions = try manage(view)
        let isAbove = fast > slow
        defer { wasAbove = isAbove }
        guard let wasAbove, isAbove != wasAbove else { return actions }
        for order in view.orders where order.parent == nil && !order.reduceOnly {
            waiting[order.id] = nil
            actions.append(.cancel(order.id))
        }
        if !view.size.isZero, view.size.isPositive != isAbove {
            actions.append(.place(request(.market, isAbove ? .buy : .sell, view.size.magnitude, reduceOnly: true)))
        }
        if view.size.isZero || view.size.isPositive != isAbove { actions += try enter(isAbove ? .buy : .sell, view) }
        return actions
    }

    /// Remembers the order that an action became.
    mutating func accepted(_ order: Order<Paper>) { if !order.reduceOnly { waiting[order.id] = (bars, false) } }

    private static func average(_ old: Double?, _ value: Double, _ length: Int) -> Double {
        guard let old else { return value }
        return old + (value - old) * 2 / Double(length + 1)
    }

    // MARK: Waiting entries, and the stop that trails a position

    private mutating func manage(_ view: View) throws(DecimalError) -> [Action] {
        var actions: [Action] = []
        for order in view.orders {
            guard let (since, wasMoved) = waiting[order.id], bars - since >= settings.entryTimeout else { continue }
            if !wasMoved, order.type == .limit, order.limitPrice != view.close {
                waiting[order.id] = (bars, true)
                actions.append(.amend(order.id, limit: view.close))
            } else {
                waiting[order.id] = nil
                actions.append(.cancel(order.id))
            }
        }
        let isProtected = view.orders.contains { $0.reduceOnly }
        if !view.size.isZero, !isProtected, settings.exits.contains(.trailing) {
            let percent = try settings.stopLoss.divided(by: 100)
            var trailing = request(
                .trailingStop, view.size.isPositive ? .sell : .buy, view.size.magnitude, reduceOnly: true)
            trailing.trail = .percent(percent)
            actions.append(.place(trailing))
        }
        return actions
    }

    // MARK: Entries

    private mutating func enter(_ side: Side, _ view: View) throws(DecimalError) -> [Action] {
        let entry = settings.entries[entries % settings.entries.count]
        let exit = settings.exits[entries % settings.exits.count]
        entries += 1
        var actions: [Action] = []
        for _ in 0..<settings.split { actions.append(.place(try order(entry, exit, side, view.close))) }
        return actions
    }

    private mutating func order(
        _ entry: Entry, _ exit: Exit, _ side: Side, _ close: ExactDecimal
    ) throws(DecimalError) -> OrderRequest {
        let quantity = try settings.notional.divided(by: ExactDecimal(settings.split))
            .divided(by: close, decimals: 5, rounding: .up)
        // Below the close for what buys cheaper, above it for what waits for the price to rise; mirrored for sales.
        let cheaper = try shifted(close, settings.offset, up: side == .sell)
        let dearer = try shifted(close, settings.offset, up: side == .buy)
        var order: OrderRequest
        switch entry {
        case .market: order = request(.market, side, quantity)
        case .limit, .postOnly:
            order = request(.limit, side, quantity)
            order.limitPrice = cheaper
            order.postOnly = entry == .postOnly
        case .ioc, .fok:
            order = request(.limit, side, quantity)
            order.limitPrice = dearer
            order.timeInForce = entry == .ioc ? .ioc : .fok
        case .stop:
            order = request(.stop, side, quantity)
            order.stopPrice = dearer
        case .stopLimit:
            order = request(.stopLimit, side, quantity)
            order.stopPrice = dearer
            order.limitPrice = try shifted(dearer, settings.offset, up: side == .buy)
        }
        if exit == .bracket {
            order.takeProfit = try shifted(close, settings.takeProfit, up: side == .buy)
            order.stopLoss = try shifted(close, settings.stopLoss, up: side == .sell)
        }
        return order
    }

    private mutating func request(
        _ type: OrderType, _ side: Side, _ quantity: ExactDecimal, reduceOnly: Bool = false
    ) -> OrderRequest {
        placed += 1
        return OrderRequest(
            clientOrderID: "\(symbol)-\(placed)", symbol: symbol, side: side, type: type, quantity: quantity,
            reduceOnly: reduceOnly, leverage: settings.leverage)
    }

    /// A price moved by hundredths of a percent, to the market's decimals.
    private func shifted(_ price: ExactDecimal, _ points: ExactDecimal, up: Bool) throws(DecimalError) -> ExactDecimal {
        let distance = try price.multiplied(by: points, over: 10_000)
        return try (up ? try price + distance : try price - distance).rounded(decimals: precision)
    }
}
