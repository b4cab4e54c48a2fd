public import MarketModel

extension PaperExchange {
    /// A trade of a market, as it comes. A market that is not known yet becomes known.
    public mutating func ingest(_ symbol: String, _ tick: Tick, now: Double) {
        ingest(market: bookIndex[symbol] ?? register(symbol), tick, now: now)
    }

    /// The same by the index that ``register(_:currency:)`` gave; an index that it never gave is ignored.
    /// - Complexity: O(1) where the price concerns no order and no margin, else O(log orders) for each that it does.
    @inline(__always)
    public mutating func ingest(market: Int, _ tick: Tick, now: Double) {
        guard books.indices.contains(market) else { return }
        if books[market].isQuiet(tick), now < nextDue, now >= clock {
            clock = now
            books[market].record(tick)
            if books[market].isHeld {
                revision &+= 1
                if !books[market].isMoved { noteMove(market) }
            }
            return
        }
        ingestLoud(market, tick, now: now)
    }

    /// A market's trades are not seen for the time being: until the next one it has no price, and nothing fills at the one
    /// before. A market with a position or an order keeps its price.
    public mutating func forgetPrice(market: Int) {
        guard books.indices.contains(market), !books[market].isHeld,
            account.activeOrders(symbol: books[market].symbol).isEmpty
        else { return }
        books[market].forgetTrade()
    }

    /// A tick that concerns somebody, or a time at which something is due.
    @inline(never)
    mutating func ingestLoud(_ market: Int, _ tick: Tick, now: Double) {
        advance(to: now)
        let (earlier, earlierUsed) = (books[market].tick, books[market].used)
        guard MarketBook.isSound(tick), let price = ExactDecimal(nearest: tick.price), price.isPositive else {
            refusedTicks += 1
            return
        }
        books[market].record(tick)
        books[market].recallUse()
        if books[market].isHeld {
            noteMove(market)
            guard isWorthBearable(books[market].purse) else {
                books[market].restore(earlier, used: earlierUsed)
                noteMove(market)
                refusedTicks += 1
                return
            }
            revision &+= 1
            noteBand(market)
            alarm(books[market].purse)
        }
        touch(market)
        serveTakers(market, price)
        serveLimits(market, price)
        serveTrails(market, price, tick.price)
        serveStops(market, price)
        settle()
    }

    /// Whether the amounts of a currency leave room for what is computed from them.
    private mutating func isWorthBearable(_ purse: Int) -> Bool {
        updatePositions(purse)
        guard let value = try? positionValue(purse), let equity = try? value.equity() else { return false }
        return equity.magnitude < Self.greatestValue && value.maintenance < Self.greatestValue
    }

    /// A hundredth of what decimals can hold.
    private static let greatestValue: ExactDecimal = ExactDecimal("1e20")!

    /// Moves the time: orders on their way arrive, day orders end, and the random model draws, each at its own moment and in
    /// the order of these. Ticks and requests do this by themselves; a market without trades needs a call now and then.
    public mutating func advance(to now: Double) {
        guard now.isFinite else { return }
        var draws = 0
        while nextDue <= now {
            clock = max(clock, nextDue)
            if inFlight.nextDue == nextDue {
                if let number = inFlight.pop() { arrivals.append(number) }
            } else if dayEnds.nextDue == nextDue {
                if let number = dayEnds.pop() { expire(number) }
            } else {
                draw()
                draws += 1
                // After a long pause: so many misses in a row say that the chance is next to nothing.
                if draws > 10_000 { lotteryDue = .infinity }
            }
            findNextDue()
            settle()
        }
        clock = max(clock, now)
        if draws > 10_000 { planDraw() }
    }

    /// Everything that follows from what has happened, until nothing does.
    mutating func settle() {
        var served = 0
        repeat {
            while served < arrivals.count {
                served += 1
                arrive(arrivals[served - 1])
            }
            arrivals.removeAll(keepingCapacity: true)
            served = 0
            checkMargins()
        } while !arrivals.isEmpty
        refresh()
    }

    /// Finds the quiet ranges anew where something changed.
    mutating func refresh() {
        while let index = staleBooks.popLast() {
            Self.dropInvalid(&books[index].buyLimits, tickets)
            Self.dropInvalid(&books[index].sellLimits, tickets)
            Self.dropInvalid(&books[index].buyStops, tickets)
            Self.dropInvalid(&books[index].sellStops, tickets)
            if !books[index].takers.isEmpty { books[index].takers = books[index].takers.filter { isActive($0) } }
            if !books[index].trails.isEmpty { books[index].trails = books[index].trails.filter { isWaiting($0) } }
            books[index].findQuietRange(trailing: quietOfTrails(index))
        }
    }

    private static func dropInvalid(_ queue: inout PriceQueue, _ tickets: NumberedTable<Int>) {
        while let level = queue.first, tickets[level.number] != level.ticket { queue.removeFirst() }
        // Cancelled orders deep in the heap: at most as many as there are others.
        if queue.count > 64, queue.count > 2 * tickets.count { queue.keep { tickets[$0.number] == $0.ticket } }
    }

    func isActive(_ number: Int) -> Bool { account.orders[number]?.order.status.isActive == true }

    /// Whether a trailing stop still waits to be triggered.
    private func isWaiting(_ number: Int) -> Bool {
        guard let order = account.orders[number]?.order else { return false }
        return order.status.isActive && !order.isTriggered
    }

    private mutating func expire(_ number: Int) {
        guard let order = account.orders[number]?.order, order.status.isActive else { return }
        emit(.orderExpired(next(order) { ($0.status, $0.reason) = (.expired, "The day is over.") }))
    }
}
