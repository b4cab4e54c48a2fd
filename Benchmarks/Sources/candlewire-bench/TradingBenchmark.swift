import MarketModel
import TradingCore

/// The paper exchange: ticks a second with thousands of waiting orders, and fills, orders and ledger replays a second.
///
/// Requests are made beforehand; what the exchange writes into the ledger is taken out of it and dropped.
enum TradingBenchmark {
    static let ticks = 1_000_000
    static let markets = 12

    static func run() {
        for orders in [0, 10_000] {
            let exchange = waiting(orders)
            Report.rate(
                "paper exchange, \(orders) waiting orders, ticks", ticks,
                Stopwatch.time(runs: 7) { walk(exchange, apart: true) }, unit: "ticks")
        }
        let exchange = waiting(10_000)
        let fills = walk(exchange, apart: false)
        Report.rate(
            "paper exchange, 10000 waiting orders, ticks that fill \(fills) of them", ticks,
            Stopwatch.time(runs: 7) { walk(exchange, apart: false) }, unit: "ticks")
        let count = 50_000
        let (marketOrders, limitOrders) = (marketOrders(count), limitOrders(count))
        Report.rate(
            "paper exchange, fills with receipts, events and follow-ups", count,
            Stopwatch.time(runs: 5) { trade(marketOrders) }, unit: "fills")
        Report.rate(
            "paper exchange, limit orders placed and cancelled", count,
            Stopwatch.time(runs: 5) { placeAndCancel(limitOrders) }, unit: "orders")
        var log: [LedgerEntry<Paper>] = []
        trade(marketOrders) { log += $0 }
        Report.rate(
            "ledger entries replayed into an account", log.count,
            Stopwatch.time(runs: 5) { keep(try! AccountState(id: log[0].account, replaying: log)) }, unit: "entries")
    }

    static func symbol(_ index: Int) -> String { "MARKET\(index)-USD" }

    static func decimal(_ value: Int) -> ExactDecimal { ExactDecimal(value) }

    static func newExchange() -> PaperExchange {
        let settings = PaperSettings(
            initialCapital: [Money(decimal(1_000_000_000_000), "USD")], maxActiveOrders: 100_000)
        var exchange = try! PaperExchange(
            opening: try! AccountID(name: "bench"), settings: settings, seed: 1, now: 1)
        for index in 0..<markets {
            exchange.register(symbol(index))
            exchange.ingest(market: index, Tick(timestamp: 1, price: 1000, volume: 10), now: 1)
        }
        return exchange
    }

    /// Positions in every market, and limit and stop orders from 2 % to 40 % around the price.
    static func waiting(_ count: Int) -> PaperExchange {
        var exchange = newExchange()
        var random = SeededGenerator(seed: 3)
        for index in 0..<markets {
            _ = exchange.place(
                OrderRequest(
                    clientOrderID: "position\(index)", symbol: symbol(index), side: .buy, type: .market, quantity: 1),
                now: 1)
        }
        for number in 0..<count {
            let isAbove = number % 2 == 0
            let isStop = number % 4 < 2
            let distance = 20 + Int.random(in: 0...380, using: &random)
            let price = decimal(isAbove ? 1000 + distance : 1000 - distance)
            _ = exchange.place(
                OrderRequest(
                    clientOrderID: "w\(number)", symbol: symbol(number % markets),
                    side: isAbove == isStop ? .buy : .sell,
                    type: isStop ? .stop : .limit, quantity: 1, limitPrice: isStop ? nil : price,
                    stopPrice: isStop ? price : nil), now: 1)
        }
        return exchange
    }

    /// A million ticks over all markets; `apart` from the waiting orders, or through some of them.
    @discardableResult
    static func walk(_ start: PaperExchange, apart: Bool) -> Int {
        var exchange = start
        _ = exchange.drainEvents()
        var random = SeededGenerator(seed: 4)
        var prices = [Int](repeating: 100_000, count: markets)
        let bound = apart ? 1_900 : 6_000
        var time = 2.0
        for _ in 0..<ticks {
            let bits = random.next()
            let market = Int(bits % UInt64(markets))
            prices[market] = min(100_000 + bound, max(100_000 - bound, prices[market] + Int(bits >> 32 & 127) - 63))
            time += 0.001
            exchange.ingest(
                market: market,
                Tick(timestamp: time, price: Double(prices[market]) / 100, volume: Double(bits >> 48) / 1e4),
                now: time)
        }
        let entries = exchange.drainEvents()
        keep(exchange.revision)
        return entries.count { $0.event.fill != nil }
    }

    static func marketOrders(_ count: Int) -> [OrderRequest] {
        (0..<count).map { number in
            OrderRequest(
                clientOrderID: "o\(number)", symbol: symbol(number % markets),
                side: number / markets % 3 == 0 ? .sell : .buy, type: .market, quantity: decimal(1 + number % 3))
        }
    }

    static func limitOrders(_ count: Int) -> [OrderRequest] {
        (0..<count).map { number in
            OrderRequest(
                clientOrderID: "o\(number)", symbol: symbol(number % markets), side: .buy, type: .limit, quantity: 1,
                limitPrice: decimal(900 + number % 50))
        }
    }

    /// Market orders, in and out of positions in all markets, each after a trade and filled at once.
    static func trade(_ orders: [OrderRequest], _ write: ([LedgerEntry<Paper>]) -> Void = { keep($0.count) }) {
        var exchange = newExchange()
        for (number, order) in orders.enumerated() {
            let time = 2 + Double(number) * 0.01
            exchange.ingest(
                market: number % markets, Tick(timestamp: time, price: 1000 + Double(number % 7), volume: 5), now: time)
            _ = exchange.place(order, now: time)
            if number % 1000 == 999 { write(exchange.drainEvents()) }
        }
        write(exchange.drainEvents())
    }

    /// Limit orders that wait; every other one is cancelled at once.
    static func placeAndCancel(_ orders: [OrderRequest]) {
        var exchange = newExchange()
        for (number, request) in orders.enumerated() {
            let result = exchange.place(request, now: 2)
            if number % 2 == 1, let order = result.order { _ = try? exchange.cancel(order.id, now: 2) }
            if number % 1000 == 999 { keep(exchange.drainEvents().count) }
        }
    }
}
