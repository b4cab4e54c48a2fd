extension PaperExchange {
    /// The only way in which the account changes.
    /// - Parameter number: of the order that the event is about, where the caller has it at hand.
    /// - Returns: whether the event was possible; it is not where an amount would leave the range.
    @discardableResult
    mutating func emit(_ event: LedgerEvent<Paper>, of number: Int? = nil) -> Bool {
        let entry = LedgerEntry(account: account.id, sequence: account.sequence + 1, time: clock, event: event)
        do { try account.apply(entry) } catch { return false }
        outbox.append(entry)
        revision &+= 1
        if let number {
            follow(number)
            return true
        }
        switch event {
        case .leverageChanged(let symbol, _):
            if let book = bookIndex[symbol] {
                noteMove(book)
                noteOrders(book)
            }
        case .accountReset: forgetWorth()
        case .accountOpened, .deposited, .liquidated: for purse in purses.indices { noteCash(purse) }
        default:
            if let order = event.order { follow(order.id.number) }
        }
        return true
    }

    /// Keeps the exchange's own notes on an order in step with it.
    private mutating func follow(_ number: Int) {
        guard let record = account.orders[number] else { return }
        if record.holding == bookOfHolding.count {
            let book = register(record.order.symbol, currency: record.order.currency)
            bookOfHolding.append(book)
            books[book].holding = record.holding
        }
        noteOrders(bookOfHolding[record.holding])
        touch(bookOfHolding[record.holding])
        guard record.order.status.isDone else { return }
        tickets[number] = nil
        trailBest[number] = nil
        latencies[number] = nil
    }

    /// Marks a market's quiet range as out of date.
    mutating func touch(_ book: Int) {
        if books[book].isStale { return }
        books[book].isStale = true
        staleBooks.append(book)
    }

    mutating func findNextDue() { nextDue = min(inFlight.nextDue, dayEnds.nextDue, lotteryDue) }

    /// The order with its next version.
    func next(_ order: Order<Paper>, _ change: (inout Order<Paper>) -> Void) -> Order<Paper> {
        var next = order
        next.version += 1
        next.updatedAt = clock
        change(&next)
        return next
    }

    mutating func cancel(_ number: Int, reason: String) {
        guard let record = account.orders[number], record.order.status.isActive else { return }
        emit(.orderCancelled(next(record.order) { ($0.status, $0.reason) = (.cancelled, reason) }), of: number)
    }
}
