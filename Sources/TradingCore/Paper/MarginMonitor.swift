internal import MarketModel

/// What an account is worth in each currency, and when its margin has to be checked.
///
/// The exchange reports what has changed (``positionChanged(_:_:)``, ``ordersChanged(_:)``); only that is recomputed, so a
/// fill costs the same however many markets there are. The sums are exact decimals: replacing one summand gives what adding
/// them all again would.
///
/// Each market with a position has a band of prices around its mark, inside which the position can lose no more than its
/// share of what is left above the warning. From one edge to the other it can lose twice that; so the shares together are a
/// quarter of what is left, and they stay good until more than half of that is gone. Bands are computed in doubles, with a
/// thousandth to spare: outside its band a tick is checked exactly.
struct MarginMonitor: Sendable {
    struct Market: Sendable {
        /// The currency's index.
        let currency: Int
        /// What the market adds to the currency's sum, as it was when it was last computed.
        fileprivate(set) var worth = Valuation()
        /// Whether the waiting orders have changed since. Whether the mark has is in ``MarketBook/isPositionStale``.
        fileprivate(set) var areOrdersStale = false
        /// Whether ``worth`` is too large for the sum, and left out of it.
        fileprivate(set) var isUnsummable = false
        fileprivate(set) var band = (above: -Double.infinity, below: Double.infinity)
        fileprivate var isBandStale = false
        /// What the account may lose inside the band, counted from its middle.
        fileprivate var bandShare = 0.0
    }

    struct Currency: Sendable {
        let name: String
        fileprivate var cash = ExactDecimal.zero
        /// Over all markets but those whose value is too large to be summed; without the cash.
        fileprivate var sum = Valuation()
        /// Markets whose amounts are too large for the sum: while there are any, everything is added up again.
        fileprivate(set) var unsummable = 0
        /// Markets whose position or mark has changed since it was added, whose orders have, and whose band is out of date.
        fileprivate var stalePositions: [Int] = []
        fileprivate var staleOrders: [Int] = []
        fileprivate var staleBands: [Int] = []
        fileprivate var needsCheck = false

        /// What each band may lose, and all of them together.
        fileprivate var share = 0.0
        fileprivate var shared = 0.0
        /// What was left above the warning when ``share`` was found.
        fileprivate var slack = 0.0
        /// Whether each price of a market with a position has to be checked.
        fileprivate var isAlert = false
    }

    /// Counts of what was recomputed; tests hold it to what a fill may cost.
    struct Work: Equatable, Sendable {
        /// Positions valued, and sums of what is held for a market's orders.
        var positions = 0
        var holds = 0
        /// Margin bands found.
        var bands = 0
        /// Times that a currency's markets were all added up, because some are too large for sums.
        var wholes = 0
    }

    /// How a currency stands, and what follows from it.
    struct Status {
        enum Action { case none, warn, restore, liquidate }

        fileprivate var value: Valuation
        var call: MarginCall
        var action: Action
    }

    private let settings: PaperSettings
    private(set) var markets: [Market] = []
    private(set) var currencies: [Currency] = []
    private var indices: [String: Int] = [:]
    private var pendingChecks: [Int] = []
    /// Markets whose bands have moved since they were last drained.
    private var movedBands: [Int] = []
    var work = Work()

    /// More markets than this are added up again each time: their sums could leave the range.
    private static let maxSummedMarkets = 10_000
    /// A hundredth of what decimals can hold.
    private static let greatestValue: ExactDecimal = ExactDecimal("1e20")!

    init(settings: PaperSettings) { self.settings = settings }

    // MARK: What has changed

    mutating func addMarket(currency: String, _ account: AccountState<Paper>) {
        markets.append(Market(currency: index(of: currency, account)))
    }

    /// A currency's index, a new one where there is none.
    mutating func index(of currency: String, _ account: AccountState<Paper>) -> Int {
        if let index = indices[currency] { return index }
        indices[currency] = currencies.count
        currencies.append(Currency(name: currency, cash: account.balances[currency]?.cash ?? .zero))
        return currencies.count - 1
    }

    mutating func cashChanged(_ currency: Int, _ account: AccountState<Paper>) {
        currencies[currency].cash = account.balances[currencies[currency].name]?.cash ?? .zero
    }

    /// A market's position, its leverage or its price is another.
    mutating func positionChanged(_ market: Int, _ books: inout Markets) {
        if books[market].isPositionStale { return }
        books[market].isPositionStale = true
        currencies[markets[market].currency].stalePositions.append(market)
    }

    /// A market's waiting orders are others, or how much of them would only close.
    mutating func ordersChanged(_ market: Int) {
        if markets[market].areOrdersStale { return }
        markets[market].areOrdersStale = true
        currencies[markets[market].currency].staleOrders.append(market)
    }

    /// A market's band has to be found again: its position changed, or its price left it.
    mutating func bandChanged(_ market: Int) {
        if markets[market].isBandStale { return }
        markets[market].isBandStale = true
        currencies[markets[market].currency].staleBands.append(market)
    }

    /// After a reset: the account holds nothing.
    mutating func removeHoldings(_ account: AccountState<Paper>) {
        for market in markets.indices { markets[market] = Market(currency: markets[market].currency) }
        for index in currencies.indices {
            let needsCheck = currencies[index].needsCheck
            currencies[index] = Currency(name: currencies[index].name)
            currencies[index].needsCheck = needsCheck
            cashChanged(index, account)
        }
    }

    // MARK: Worth

    /// Brings the sums up to the last prices and fills.
    mutating func updatePositions(_ currency: Int, _ account: AccountState<Paper>, _ books: inout Markets) {
        while let market = currencies[currency].stalePositions.popLast() {
            books[market].isPositionStale = false
            work.positions &+= 1
            revalue(market, position: true, held: false, account, books)
        }
        if !isSummed(currency) { work.wholes &+= 1 }
    }

    /// Brings the sums up to the last prices and fills, and what is held for waiting orders too.
    mutating func update(_ currency: Int, _ account: AccountState<Paper>, _ books: inout Markets) {
        updatePositions(currency, account, &books)
        while let market = currencies[currency].staleOrders.popLast() {
            markets[market].areOrdersStale = false
            work.holds &+= 1
            revalue(market, position: false, held: true, account, books)
        }
    }

    private mutating func revalue(
        _ market: Int, position: Bool, held: Bool, _ account: AccountState<Paper>, _ books: Markets
    ) {
        let (currency, wasUnsummable, old) = (
            markets[market].currency, markets[market].isUnsummable, markets[market].worth
        )
        // Of an amount that was too large nothing was kept, so both halves are computed then.
        let new = try? worth(market, position: position || wasUnsummable, held: held || wasUnsummable, account, books)
        let isUnsummable = new.map { !$0.isSummable } ?? true
        let summand = isUnsummable ? Valuation() : new ?? Valuation()
        currencies[currency].sum.replace(old, with: summand)
        currencies[currency].unsummable += (isUnsummable ? 1 : 0) - (wasUnsummable ? 1 : 0)
        markets[market].isUnsummable = isUnsummable
        markets[market].worth = summand
    }

    /// A market's worth with one half of it, or both, recomputed.
    private func worth(
        _ market: Int, position: Bool, held: Bool, _ account: AccountState<Paper>, _ books: Markets
    ) throws(DecimalError) -> Valuation {
        var worth = markets[market].worth
        guard let index = books[market].holding else { return Valuation() }
        if position {
            let price = books[market].price ?? account.holdings[index].lastPrice
            let held = worth.held
            worth = try Valuation(position: account.holdings[index], mark: price, settings: settings)
            worth.held = held
        }
        if held { worth.held = try account.holdings[index].held(fees: settings.feeModel) }
        return worth
    }

    /// The account's money in a currency, what is held for orders included.
    func value(_ currency: Int, _ account: AccountState<Paper>, _ books: Markets) throws(DecimalError) -> Valuation {
        guard currencies[currency].staleOrders.isEmpty else { return try wholeValue(currency, account, books) }
        return try positionValue(currency, account, books)
    }

    /// The same, but ``Valuation/held`` may be out of date: enough for equity and margin.
    func positionValue(
        _ currency: Int, _ account: AccountState<Paper>, _ books: Markets
    ) throws(DecimalError) -> Valuation {
        guard currencies[currency].stalePositions.isEmpty, isSummed(currency) else {
            return try wholeValue(currency, account, books)
        }
        var value = currencies[currency].sum
        value.cash = currencies[currency].cash
        return value
    }

    private func isSummed(_ currency: Int) -> Bool {
        currencies[currency].unsummable == 0 && markets.count <= Self.maxSummedMarkets
    }

    private func wholeValue(
        _ currency: Int, _ account: AccountState<Paper>, _ books: Markets
    ) throws(DecimalError) -> Valuation {
        try account.valuation(currency: currencies[currency].name, settings: settings) { books.price($0) }
    }

    /// What a market claims of the account's balance now.
    func claimed(_ market: Int, _ holding: Holding, _ books: Markets) throws(DecimalError) -> ExactDecimal {
        let state = markets[market]
        if state.areOrdersStale || books[market].isPositionStale || state.isUnsummable {
            return try holding.claimed(fees: settings.feeModel)
        }
        return try state.worth.usedMargin + state.worth.held
    }

    /// Whether the amounts of a currency leave room for what is computed from them.
    mutating func isWithinRange(_ currency: Int, _ account: AccountState<Paper>, _ books: inout Markets) -> Bool {
        updatePositions(currency, account, &books)
        guard let value = try? positionValue(currency, account, books), let equity = try? value.equity() else {
            return false
        }
        return equity.magnitude < Self.greatestValue && value.maintenance < Self.greatestValue
    }

    // MARK: Checks

    /// The margin of a currency has to be checked.
    mutating func requestCheck(_ currency: Int) {
        if currencies[currency].needsCheck { return }
        currencies[currency].needsCheck = true
        pendingChecks.append(currency)
    }

    mutating func cancelCheck(_ currency: Int) {
        currencies[currency].needsCheck = false
        pendingChecks.removeAll { $0 == currency }
    }

    /// Orders the checks by name, so that they do not depend on what was traded first.
    mutating func sortChecks() {
        if pendingChecks.count < 2 { return }
        let currencies = currencies
        pendingChecks.sort { currencies[$0].name > currencies[$1].name }
    }

    /// Removes and returns the next currency to check.
    mutating func popCheck() -> Int? {
        guard let currency = pendingChecks.popLast() else { return nil }
        currencies[currency].needsCheck = false
        return currency
    }

    /// - Returns: `nil` for a currency without a balance, and where an amount leaves the range.
    mutating func status(_ currency: Int, _ account: AccountState<Paper>, _ books: inout Markets) -> Status? {
        let name = currencies[currency].name
        updatePositions(currency, account, &books)
        guard let balance = account.balances[name], let value = try? positionValue(currency, account, books),
            let equity = try? value.equity(),
            let warning = try? value.maintenance.multiplied(by: settings.warningFactor, rounding: .up)
        else { return nil }
        var action = Status.Action.none
        if value.positions > 0, equity <= value.maintenance {
            action = .liquidate
        } else if value.positions > 0, equity <= warning {
            if !balance.isWarned { action = .warn }
        } else if balance.isWarned {
            // Twice as far from the end as the warning: an equity that trembles there does not warn with every trade.
            let distance = (try? warning - value.maintenance) ?? .zero
            if value.positions == 0 || equity > ((try? warning + distance) ?? .greatest) { action = .restore }
        }
        return Status(
            value: value, call: MarginCall(currency: name, equity: equity, maintenanceMargin: value.maintenance),
            action: action)
    }

    // MARK: Bands

    /// Finds the bands that are out of date, or all of a currency's where what is left above the warning has changed much.
    /// - Parameter isWarned: whether the account has a warning in the currency, after what followed from `status`.
    mutating func updateBands(
        _ currency: Int, _ status: Status, isWarned: Bool, _ account: AccountState<Paper>, _ books: Markets
    ) {
        let factor = settings.warningFactor.approximateDouble
        let slack = status.call.equity.approximateDouble - status.value.maintenance.approximateDouble * factor
        let positions = status.value.positions
        let isAlert = isWarned || slack <= 0
        if isAlert == currencies[currency].isAlert, slack <= 4 * currencies[currency].slack || isAlert || positions == 0
        {
            moveBands(currency, account, books)
            if isAlert || 2 * currencies[currency].shared <= 0.999 * slack { return }
        }
        currencies[currency].isAlert = isAlert
        currencies[currency].slack = slack
        currencies[currency].share = 0.999 * max(0, slack) / Double(4 * max(1, positions))
        currencies[currency].shared = 0
        for market in markets.indices where markets[market].currency == currency {
            markets[market].bandShare = 0
            bandChanged(market)
        }
        moveBands(currency, account, books)
    }

    /// Puts the bands that are out of date around the markets' prices.
    private mutating func moveBands(_ currency: Int, _ account: AccountState<Paper>, _ books: Markets) {
        let slope = 1 + settings.warningFactor.approximateDouble * settings.maintenanceRate.approximateDouble
        while let market = currencies[currency].staleBands.popLast() {
            markets[market].isBandStale = false
            work.bands &+= 1
            currencies[currency].shared -= markets[market].bandShare
            markets[market].bandShare = 0
            movedBands.append(market)
            guard let index = books[market].holding, account.holdings[index].hasPosition else {
                markets[market].band = (-.infinity, .infinity)
                continue
            }
            if currencies[currency].isAlert {
                markets[market].band = (.infinity, -.infinity)
                continue
            }
            let share = currencies[currency].share
            markets[market].bandShare = share
            currencies[currency].shared += share
            let book = books[market].hasTrade ? books[market].tick.price : nil
            let mark = book ?? account.holdings[index].lastPrice.approximateDouble
            let move = share / (account.holdings[index].size.magnitude.approximateDouble * slope)
            markets[market].band = (mark - move, mark + move)
        }
    }

    /// Removes and returns a market whose band has moved.
    mutating func popMovedBand() -> Int? { movedBands.popLast() }
}
