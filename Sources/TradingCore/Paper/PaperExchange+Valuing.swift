/// What the account is worth, kept up to date: only what has changed is computed anew.
extension PaperExchange {
    /// Counts of what is not done for nothing.
    struct Work: Equatable, Sendable {
        /// Positions valued, and sums of what is held for a market's orders.
        var positions = 0
        var holds = 0
        /// Margin bands found.
        var bands = 0
        /// Times that a currency's markets are all added up, because some are too large for sums.
        var wholes = 0
    }

    /// More markets than this are added up anew each time: so many sums could leave the range.
    static let mostSummed = 10_000

    /// The purse of a currency, a new one where there is none.
    mutating func purse(of currency: String) -> Int {
        if let index = purseIndex[currency] { return index }
        purseIndex[currency] = purses.count
        purses.append(Purse(currency: currency))
        noteCash(purses.count - 1)
        return purses.count - 1
    }

    mutating func noteCash(_ purse: Int) {
        purses[purse].cash = account.balances[purses[purse].currency]?.cash ?? .zero
    }

    /// A market's position, its leverage or its price is another.
    @inline(never)
    mutating func noteMove(_ book: Int) {
        if books[book].isMoved { return }
        books[book].isMoved = true
        purses[books[book].purse].moved.append(book)
    }

    /// A market's waiting orders are others, or how much of them would only close.
    mutating func noteOrders(_ book: Int) {
        if books[book].isAsked { return }
        books[book].isAsked = true
        purses[books[book].purse].asked.append(book)
    }

    /// Brings the sums up to the last prices and fills.
    mutating func updatePositions(_ purse: Int) {
        while let book = purses[purse].moved.popLast() {
            books[book].isMoved = false
            work.positions &+= 1
            revalue(book, position: true, held: false)
        }
        if !isSummed(purse) { work.wholes &+= 1 }
    }

    /// Brings what is held for waiting orders up to date.
    mutating func updateHolds(_ purse: Int) {
        while let book = purses[purse].asked.popLast() {
            books[book].isAsked = false
            work.holds &+= 1
            revalue(book, position: false, held: true)
        }
    }

    mutating func updateWorth(_ purse: Int) {
        updatePositions(purse)
        updateHolds(purse)
    }

    private mutating func revalue(_ book: Int, position: Bool, held: Bool) {
        let (purse, wasOutsized, old) = (books[book].purse, books[book].isOutsized, books[book].worth)
        // Of an amount that was too large nothing was kept, so both halves are computed then.
        let new = try? worth(book, position: position || wasOutsized, held: held || wasOutsized)
        let isOutsized = new.map { !$0.isSummable } ?? true
        let summand = isOutsized ? HoldingWorth() : new ?? HoldingWorth()
        purses[purse].sum.replace(old, with: summand)
        purses[purse].outsized += (isOutsized ? 1 : 0) - (wasOutsized ? 1 : 0)
        books[book].isOutsized = isOutsized
        books[book].worth = summand
    }

    /// A market's worth with one half of it, or both, computed anew.
    private func worth(_ book: Int, position: Bool, held: Bool) throws(DecimalError) -> HoldingWorth {
        var worth = books[book].worth
        guard let index = books[book].holding else { return HoldingWorth() }
        if position {
            let price = books[book].price ?? account.holdings[index].lastPrice
            let held = worth.held
            worth = try HoldingWorth(position: account.holdings[index], mark: price, settings: settings)
            worth.held = held
        }
        if held { worth.held = try account.holdings[index].heldForOrders(fees: settings.feeModel) }
        return worth
    }

    /// The account's money in a currency, what is held for orders included.
    func value(_ purse: Int) throws(DecimalError) -> Valuation {
        if purses[purse].asked.isEmpty { return try positionValue(purse) }
        return try wholeValue(purse)
    }

    /// The same, but ``Valuation/held`` may be out of date: enough for equity and margin.
    func positionValue(_ purse: Int) throws(DecimalError) -> Valuation {
        guard purses[purse].moved.isEmpty, isSummed(purse) else { return try wholeValue(purse) }
        var value = purses[purse].sum
        value.cash = purses[purse].cash
        return value
    }

    private func isSummed(_ purse: Int) -> Bool { purses[purse].outsized == 0 && books.count <= Self.mostSummed }

    private func wholeValue(_ purse: Int) throws(DecimalError) -> Valuation {
        try account.valuation(currency: purses[purse].currency, settings: settings) { mark($0) }
    }

    /// After an account was begun anew: nobody holds anything.
    mutating func forgetWorth() {
        bookOfHolding = []
        for book in books.indices {
            books[book].forgetHolding()
            touch(book)
        }
        for purse in purses.indices {
            let isUneasy = purses[purse].isUneasy
            purses[purse] = Purse(currency: purses[purse].currency)
            purses[purse].isUneasy = isUneasy
            noteCash(purse)
        }
    }
}
