internal import MarketModel

extension PaperExchange {
    /// An order reaches the market, new or triggered.
    mutating func arrive(_ number: Int) {
        guard let record = account.orders[number], record.order.status.isActive else { return }
        let order = record.order
        let book = bookOfHolding[record.holding]
        if order.reduceOnly, !reducible(record).isPositive {
            cancel(number, reason: "There is nothing left to reduce.")
            return
        }
        touch(book)
        if order.type.hasTrigger, !order.isTriggered {
            wait(order, book)
        } else if let limit = workingLimit(order) {
            arrive(record, limit: limit, book)
        } else if order.timeInForce == .fok, !canFillWhole(record, book) {
            cancel(number, reason: "Not all of it could be filled at once.")
        } else {
            if books[book].hasTrade { take(number) }
            keepTaking(number, book)
        }
    }

    private mutating func arrive(_ record: OrderRecord<Paper>, limit: ExactDecimal, _ book: Int) {
        let order = record.order
        let number = order.id.number
        let isOneShot = order.timeInForce == .ioc || order.timeInForce == .fok
        if case .random = settings.fillModel, !isOneShot {
            books[book].lottery.append(number)
            if lotteryDue == .infinity { planDraw() }
            return
        }
        let crosses = books[book].price.map { Self.isWithin(limit, $0, order.side) } ?? false
        if crosses, order.postOnly, order.status == .new {
            emit(
                .orderRejected(
                    next(order) { ($0.status, $0.reason) = (.rejected, "Post-only, and it would have traded at once.") }
                ))
        } else if crosses, order.timeInForce != .fok || canFillWhole(record, book) {
            take(number)
            keepTaking(number, book)
        } else if isOneShot {
            cancel(
                number,
                reason: order.timeInForce == .fok
                    ? "Not all of it could be filled at once." : "The market is not at its limit.")
        } else {
            rest(order, limit, book)
        }
    }

    /// What an order that has taken does with its rest.
    private mutating func keepTaking(_ number: Int, _ book: Int) {
        guard let order = account.orders[number]?.order, order.status.isActive else { return }
        switch order.timeInForce {
        case .ioc: cancel(number, reason: "Nothing more of the latest trade was left for it.")
        case .fok: cancel(number, reason: "Not all of it could be filled at once.")
        case .gtc, .day, .unknown: books[book].takers.append(number)
        }
    }

    /// A stop waits for its price. One that the price has passed already is triggered at once.
    private mutating func wait(_ order: Order<Paper>, _ book: Int) {
        let number = order.id.number
        if order.type == .trailingStop {
            books[book].trails.append(number)
            if let price = books[book].price { follow(order, price, books[book].tick.price) }
            return
        }
        guard let stop = order.stopPrice else { return }
        if let price = books[book].price, Self.isTouched(stop, price, order.side) {
            trigger(order)
            return
        }
        let level = level(number, stop)
        if order.side == .buy { books[book].buyStops.push(level) } else { books[book].sellStops.push(level) }
    }

    mutating func trigger(_ order: Order<Paper>) {
        tickets[order.id.number] = nil
        let number = order.id.number
        if emit(.orderTriggered(next(order) { $0.isTriggered = true }), of: number) { arrivals.append(number) }
    }

    /// A limit order waits at its limit, behind those that came before.
    mutating func rest(_ order: Order<Paper>, _ limit: ExactDecimal, _ book: Int) {
        let level = level(order.id.number, limit)
        if order.side == .buy { books[book].buyLimits.push(level) } else { books[book].sellLimits.push(level) }
        touch(book)
    }

    private mutating func level(_ number: Int, _ price: ExactDecimal) -> PriceQueue.Level {
        nextTicket += 1
        tickets[number] = nextTicket
        return PriceQueue.Level(price: price, double: price.doubleValue, ticket: nextTicket, number: number)
    }

    /// The limit that an order trades by; `nil` for one that takes any price.
    func workingLimit(_ order: Order<Paper>) -> ExactDecimal? { order.type.hasLimit ? order.limitPrice : nil }

    // MARK: The random model

    mutating func planDraw() {
        guard case .random(_, let every) = settings.fillModel else { return }
        lotteryDue = max(((clock / every).rounded(.down) + 1) * every, clock.nextUp)
        findNextDue()
    }

    /// HEAN-26: each waiting limit order is filled whole with the model's chance, whatever the price is.
    mutating func draw() {
        guard case .random(let chance, _) = settings.fillModel else { return }
        var isWaited = false
        for book in books.indices where !books[book].lottery.isEmpty {
            let numbers = books[book].lottery
            books[book].lottery = []
            for number in numbers {
                guard let record = account.orders[number], record.order.status.isActive,
                    let limit = workingLimit(record.order)
                else { continue }
                if generator.unit() < chance {
                    fill(
                        number, reducible(record), at: limit, slippage: .zero, .maker,
                        rule: "Chosen by chance: filled at its limit, whatever the market's price was.")
                }
                if isActive(number) { books[book].lottery.append(number) }
            }
            isWaited = isWaited || !books[book].lottery.isEmpty
        }
        lotteryDue = .infinity
        if isWaited { planDraw() }
    }
}
