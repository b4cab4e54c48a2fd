import MarketModel
import Testing

@testable import TradingCore

/// A random exchange with random requests and ticks, all from one seed, and checks after each step.
struct RandomTrading {
    var random: SeededGenerator
    let seed: UInt64
    var exchange: PaperExchange
    var log: [LedgerEntry<Paper>] = []
    var book = NaiveBook()
    var counts = Counts()
    private var time = 1_700_000_000.0
    private var names = 0
    private var prices: [Double] = [100, 100, 20]
    private let leverage: Int
    private var marks: [String: (currency: String, price: ExactDecimal)] = [:]
    /// What of each trade could be used, and what was used, by market and time.
    private var volumes: [String: (there: ExactDecimal, used: ExactDecimal, isCounted: Bool)] = [:]
    /// Markets whose trades have had a volume, as far as the exchange can know it.
    private var haveVolume: Set<String> = []
    /// Some sequences have no volume in any trade.
    private let hasNoVolumes: Bool
    /// Whether ticks meet the waiting orders even where their price is quiet.
    private let alwaysMatches: Bool

    static let symbols = ["BTC-USD", "ETH-USD", "BTC-EUR"]

    struct Counts {
        var (steps, orders, fills, partial, rejected, liquidations, quiet) = (0, 0, 0, 0, 0, 0, 0)
        var withoutVolume = 0

        static func += (left: inout Counts, right: Counts) {
            left.steps += right.steps
            left.orders += right.orders
            left.fills += right.fills
            left.partial += right.partial
            left.rejected += right.rejected
            left.liquidations += right.liquidations
            left.quiet += right.quiet
            left.withoutVolume += right.withoutVolume
        }
    }

    init(seed: UInt64, alwaysMatches: Bool = false) {
        self.seed = seed
        self.alwaysMatches = alwaysMatches
        var random = SeededGenerator(seed: seed)
        func pick<T>(_ values: [T]) -> T { values[Int(random.next() % UInt64(values.count))] }
        let settings = PaperSettings(
            fillModel: pick([
                .volume(participation: 1), .volume(participation: 1), .volume(participation: d("0.37")), .immediate,
                .through, .random(chance: 0.3, every: 10),
            ]),
            feeModel: pick([
                .none, .rates(maker: d("0.0002"), taker: d("0.0005")), .rates(maker: d("-0.0001"), taker: d("0.001")),
                .perFill(d("0.01")),
            ]),
            slippageModel: pick([.none, .none, .basisPoints(d("3.3")), .volumeImpact(basisPoints: 7)]),
            latency: pick([.none, .none, .fixed(0.7), .uniform(min: 0.1, max: 3)]),
            initialCapital: [Money(pick([100, 1000, 10_000]), "USD"), Money(1000, "EUR")],
            maintenanceRate: pick([0, d("0.005"), d("0.05")]), maxLeverage: 50, maxActiveOrders: 30)
        leverage = pick([1, 5, 20, 50])
        hasNoVolumes = pick([false, false, false, false, true])
        exchange = try! PaperExchange(opening: AccountID(name: "random"), settings: settings, seed: seed, now: time)
        for symbol in Self.symbols { exchange.register(symbol) }
        self.random = random
    }

    /// Plays `steps` steps; every check names the seed.
    mutating func run(steps: Int) {
        drain()
        for number in 1...steps {
            step()
            drain()
            if number % 5 == 0 { check() }
        }
        counts.steps += steps
    }

    /// The exchange continues from the account: of what was traded it knows what fills used.
    mutating func restart() throws {
        exchange = try PaperExchange(
            account: AccountState(id: exchange.account.id, replaying: log), settings: exchange.settings, seed: seed)
        for symbol in Self.symbols { exchange.register(symbol) }
        haveVolume = Set(exchange.account.recentFills.filter { $0.receipt.tradeUsed.isPositive }.map(\.symbol))
    }

    /// A step without the checks against the marks, which a new exchange does not know before their first trades.
    mutating func stepAfterRestart() {
        step()
        drain()
    }

    private mutating func unit() -> Double { random.unit() }
    private mutating func index(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
    /// A decimal of at most four places between 0.0001 and `greatest`.
    private mutating func quantity(_ greatest: Int) -> ExactDecimal {
        let places = index(5)
        let scale = [1, 10, 100, 1000, 10_000][places]
        return try! ExactDecimal(1 + index(greatest * scale)).divided(by: ExactDecimal(scale))
    }
    private mutating func near(_ price: Double) -> ExactDecimal {
        ExactDecimal((price * (0.96 + 0.08 * unit()) * 100).rounded() / 100)!
    }

    private mutating func step() {
        time += unit() < 0.02 ? 40_000 * unit() : (unit() * 4000).rounded() / 1000
        switch unit() {
        case ..<0.62: tick()
        case ..<0.86: place()
        case ..<0.90:
            if let order = anyOrder() { _ = try? exchange.cancel(order.id, now: time) }
        case ..<0.94: amend()
        case ..<0.95: _ = try? exchange.closePosition(Self.symbols[index(3)], now: time)
        case ..<0.96: _ = try? exchange.reversePosition(Self.symbols[index(3)], now: time)
        case ..<0.97:
            let market = index(3)
            _ = try? exchange.setBracket(
                Self.symbols[market], takeProfit: unit() < 0.7 ? near(prices[market]) : nil,
                stopLoss: unit() < 0.7 ? near(prices[market]) : nil, now: time)
        case ..<0.98: try? exchange.setLeverage(Self.symbols[index(3)], 1 + index(50), now: time)
        case ..<0.985: exchange.cancelAll(symbol: unit() < 0.5 ? Self.symbols[index(3)] : nil, now: time)
        case ..<0.99: try? exchange.deposit(Money(quantity(500), unit() < 0.5 ? "USD" : "EUR"), now: time)
        case ..<0.992: try? exchange.reset(now: time)
        default: exchange.advance(to: time)
        }
    }

    private mutating func tick() {
        let market = index(3)
        let isJump = unit() < 0.08
        let move = (unit() - 0.5) * (isJump ? 0.5 : 0.02)
        prices[market] = max(0.5, (prices[market] * (1 + move) * 100).rounded() / 100)
        let volume = hasNoVolumes || unit() < 0.1 ? 0 : (unit() * unit() * 30 * 10_000).rounded() / 10_000
        let tick = Tick(timestamp: time, price: prices[market], volume: volume)
        let symbol = Self.symbols[market]
        if case .volume(let share) = exchange.settings.fillModel {
            let there = try! ExactDecimal(volume)!.multiplied(by: share)
            if volume > 0 { haveVolume.insert(symbol) }
            volumes["\(symbol) \(time)"] = (there, .zero, haveVolume.contains(symbol))
        }
        marks[symbol] = (symbol.hasSuffix("EUR") ? "EUR" : "USD", ExactDecimal(prices[market])!)
        let index = exchange.register(symbol)
        if exchange.markets[index].isQuiet(tick), time < exchange.schedule.nextDue { counts.quiet += 1 }
        if alwaysMatches {
            exchange.match(index, tick, now: time)
        } else {
            exchange.ingest(market: index, tick, now: time)
        }
    }

    private mutating func place() {
        let market = index(3)
        let price = prices[market]
        let type: OrderType = [.market, .limit, .limit, .limit, .stop, .stopLimit, .trailingStop][index(7)]
        names += 1
        // Now and then a name that was used before, with another content or the same.
        let name = unit() < 0.03 ? "n\(max(1, names - 1))" : "n\(names)"
        let side: Side = unit() < 0.5 ? .buy : .sell
        let isReducing = unit() < 0.12
        let hasBracket = !isReducing && unit() < 0.15
        let result = exchange.place(
            OrderRequest(
                clientOrderID: name, symbol: Self.symbols[market], side: side, type: type,
                timeInForce: [.gtc, .gtc, .gtc, .ioc, .fok, .day][index(6)],
                quantity: quantity(unit() < 0.25 ? 500 : 15),
                limitPrice: type.hasLimit ? near(price) : nil,
                stopPrice: type == .stop || type == .stopLimit ? near(price) : nil,
                trail: type == .trailingStop ? (unit() < 0.5 ? .amount(quantity(3)) : .percent(quantity(4))) : nil,
                postOnly: type == .limit && unit() < 0.15, reduceOnly: isReducing,
                leverage: unit() < 0.9 ? self.leverage : 1 + index(50),
                takeProfit: hasBracket
                    ? ExactDecimal((price * (side == .buy ? 1.05 : 0.95) * 100).rounded() / 100) : nil,
                stopLoss: hasBracket && unit() < 0.8
                    ? ExactDecimal((price * (side == .buy ? 0.95 : 1.05) * 100).rounded() / 100) : nil,
                ocoGroup: unit() < 0.08 ? "g\(index(2))" : nil), now: time)
        if case .rejected = result { counts.rejected += 1 }
        counts.orders += 1
    }

    private mutating func amend() {
        guard let order = anyOrder() else { return }
        let price = prices[Self.symbols.firstIndex(of: order.symbol) ?? 0]
        _ = try? exchange.amend(
            order.id,
            OrderChange(
                quantity: unit() < 0.5 ? quantity(15) : nil,
                limitPrice: order.type.hasLimit && unit() < 0.6 ? near(price) : nil,
                stopPrice: order.type.hasTrigger && unit() < 0.3 ? near(price) : nil), now: time)
    }

    private mutating func anyOrder() -> Order<Paper>? {
        let orders = exchange.account.activeOrders()
        return orders.isEmpty ? nil : orders[index(orders.count)]
    }

    private mutating func drain() {
        for entry in exchange.drainEvents() {
            log.append(entry)
            if let fill = entry.event.fill, let order = entry.event.order { check(fill, order) }
            book.read(entry)
            if case .liquidated = entry.event { counts.liquidations += 1 }
            if let fill = entry.event.fill {
                // Where a market has not traded since it was known, the fill's price is the mark.
                if exchange.mark(fill.symbol) == nil { marks[fill.symbol] = (fill.fee.currency, fill.price) }
            }
        }
    }

    /// No fill outside its limit, none beyond what was traded, none beyond its order.
    private mutating func check(_ fill: Fill<Paper>, _ order: Order<Paper>) {
        counts.fills += 1
        if order.status == .partiallyFilled { counts.partial += 1 }
        if let limit = order.limitPrice {
            #expect(order.side == .buy ? fill.price <= limit : fill.price >= limit, "\(fill.id), seed \(seed)")
        }
        #expect(fill.quantity > 0 && fill.price > 0, "seed \(seed)")
        #expect(order.filledQuantity <= order.quantity, "\(order.id), seed \(seed)")
        let receipt = fill.receipt
        let expected =
            fill.liquidity == .taker
            ? try! receipt.tradePrice + (fill.side == .buy ? receipt.slippage : -receipt.slippage) : order.limitPrice
        #expect(fill.price == expected, "\(fill.id) is what its receipt says, seed \(seed)")
        guard receipt.model == "volume" else { return }
        let key = "\(fill.symbol) \(receipt.tradeTime)"
        guard let volume = volumes[key] else {
            Issue.record("\(key) was never traded, seed \(seed)")
            return
        }
        guard volume.isCounted else {
            // Whole, but for what only reduces.
            #expect(order.status == .filled || order.reduceOnly, "\(fill.id), seed \(seed)")
            #expect(receipt.tradeUsed.isZero && receipt.rule.contains("have no volume"), "seed \(seed)")
            counts.withoutVolume += 1
            return
        }
        let used = try! volume.used + receipt.tradeUsed
        #expect(receipt.tradeUsed == fill.quantity, "seed \(seed)")
        #expect(used <= volume.there, "\(key): \(used) of \(volume.there), seed \(seed)")
        volumes[key]?.used = used
    }

    /// Every amount, to the last digit, against the naive book.
    private func check() {
        for portfolio in exchange.portfolios() {
            let currency = portfolio.currency
            func sum(_ parts: [ExactDecimal]) -> ExactDecimal { parts.reduce(.zero) { try! $0 + $1 } }
            #expect(
                NaiveBook.units(portfolio.equity, 16) == book.equity(currency, marks: marks),
                "equity in \(currency), seed \(seed)")
            #expect(NaiveBook.units(portfolio.fees, 16) == book.fees[currency] ?? 0, "fees, seed \(seed)")
            #expect(NaiveBook.units(portfolio.initialCapital, 16) == book.capital[currency] ?? 0, "seed \(seed)")
            #expect(
                portfolio.equity
                    == sum([
                        portfolio.initialCapital, portfolio.realizedPnL, -portfolio.fees, portfolio.writtenOff,
                        portfolio.unrealizedPnL,
                    ]), "seed \(seed)")
            #expect(
                portfolio.availableBalance == sum([portfolio.equity, -portfolio.usedMargin, -portfolio.heldMargin]),
                "seed \(seed)")
            let positions = exchange.positions().filter { $0.currency == currency }
            #expect(sum(positions.map(\.margin)) == portfolio.usedMargin, "seed \(seed)")
            #expect(sum(positions.map(\.unrealizedPnL)) == portfolio.unrealizedPnL, "seed \(seed)")
            if positions.isEmpty {
                // Nothing is left in a cost basis: all of it is cash again.
                #expect(portfolio.equity == exchange.account.balances[currency]!.cash, "seed \(seed)")
            }
        }
        for symbol in Self.symbols {
            let position = exchange.position(symbol)
            let signed = position.map { NaiveBook.units($0.size, 8) * ($0.side == .long ? 1 : -1) } ?? 0
            #expect(signed == book.size[symbol] ?? 0, "\(symbol), seed \(seed)")
        }
        // What is kept up to date is what adding everything up gives.
        var kept = exchange
        for (index, currency) in kept.margin.currencies.map(\.name).enumerated() {
            kept.margin.update(index, kept.account, &kept.markets)
            let whole = try? kept.account.valuation(currency: currency, settings: kept.settings) { kept.mark($0) }
            let value = try! kept.margin.value(index, kept.account, kept.markets)
            #expect(value == whole, "\(currency), seed \(seed)")
        }
        #expect(exchange.account.activeCount == exchange.account.activeOrders().count, "seed \(seed)")
        // What is held is what the waiting orders are, counted anew.
        for (index, holding) in exchange.account.holdings.enumerated() {
            var (buys, sells) = (Exposure(), Exposure())
            for number in exchange.account.active[index] {
                let order = exchange.account.orders[number]!.order
                #expect(order.status.isActive, "seed \(seed)")
                if order.side == .buy { try! buys.add(order.exposure()) } else { try! sells.add(order.exposure()) }
            }
            #expect(holding.buys == buys && holding.sells == sells, "\(holding.symbol), seed \(seed)")
        }
    }
}
