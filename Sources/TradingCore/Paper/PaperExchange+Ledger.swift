extension PaperExchange {
    /// The only way in which the account changes.
    /// - Returns: whether the event was possible; it is not where an amount would leave the range.
    @discardableResult
    mutating func emit(_ event: LedgerEvent<Paper>) -> Bool {
        let entry = LedgerEntry(account: account.id, sequence: account.sequence + 1, time: clock, event: event)
        do { try account.apply(entry) } catch { return false }
        outbox.append(entry)
        revision &+= 1
        if let order = event.order { follow(order) }
        return true
    }

    /// Keeps the exchange's own notes on an order in step with it.
    private mutating func follow(_ order: Order<Paper>) {
        let number = order.id.number
        if let book = bookIndex[order.symbol] { touch(book) }
        guard order.status.isDone else { return }
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
        guard let order = account.orders[number], order.status.isActive else { return }
        emit(.orderCancelled(next(order) { ($0.status, $0.reason) = (.cancelled, reason) }))
    }
}
