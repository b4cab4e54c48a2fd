/// An account as its ledger makes it. ``apply(_:)`` is the only way to change it, so the live state is the replayed log.
///
/// Marks and what follows from them (equity, unrealized profit) are not in it: they come from the market.
public struct AccountState<Mode: TradingMode>: Equatable, Sendable {
    public let id: AccountID<Mode>
    /// The last entry's number, 0 before the account is opened.
    public internal(set) var sequence = 0
    /// The last entry's time, seconds since 1970 UTC.
    public internal(set) var updatedAt = 0.0
    /// By currency.
    public internal(set) var balances: [String: Balance] = [:]
    /// The last fills, oldest first: 10,000 at least where there were as many.
    public internal(set) var recentFills: [Fill<Mode>] = []
    /// The number that the next order gets.
    public internal(set) var nextOrderNumber = 1
    public internal(set) var nextFillNumber = 1
    /// When the account was opened, or last reset. Orders and fills before that are no longer the account's.
    public internal(set) var beganAt = 0.0
    /// The first orders and fills since then have these numbers, or higher ones.
    public internal(set) var firstOrderNumber = 1
    public internal(set) var firstFillNumber = 1
    /// Nothing but opening it again can follow.
    public internal(set) var isDeleted = false

    /// In the order of their first orders, so that going through them is the same on every machine.
    var holdings: [Holding] = []
    var holdingIndex: [String: Int] = [:]
    /// For each holding, the numbers of its orders that can still trade, ascending.
    var active: [[Int]] = []
    var orders = NumberedTable<OrderRecord<Mode>>()
    /// The requests of orders that have changed since, so that the same request is recognised when it is repeated.
    var requests: [Int: OrderRequest] = [:]
    var clientOrders: [String: Int] = [:]
    /// Numbers of the orders that can still trade, by OCO group, ascending.
    var groups: [String: [Int]] = [:]
    /// Numbers of orders at their end, in the order they came there.
    var done: [Int] = []

    /// Orders at their end, and with them their client order ids, are forgotten when there are a quarter more than this.
    static var keptDoneOrders: Int { 100_000 }
    static var keptFills: Int { 10_000 }

    public init(id: AccountID<Mode>) { self.id = id }

    /// The account that the entries make, in order. Throws at the first that does not fit.
    @inlinable public init(id: AccountID<Mode>, replaying entries: some Sequence<LedgerEntry<Mode>>) throws(LedgerError)
    {
        self.init(id: id)
        for entry in entries { try apply(entry) }
    }
}

extension AccountState {
    /// Applies the next entry. Throws where it does not follow from the state, and changes nothing then.
    @specialized(where Mode == Paper)
    public mutating func apply(_ entry: LedgerEntry<Mode>) throws(LedgerError) {
        guard entry.account == id else { throw .otherAccount(entry.account.description) }
        if sequence == 0, case .accountDeleted(let end) = entry.event {
            // What was before is no longer kept.
            (nextOrderNumber, nextFillNumber) = (max(1, end.nextOrder), max(1, end.nextFill))
        } else {
            guard entry.sequence == sequence + 1 else {
                throw .sequence(expected: sequence + 1, found: entry.sequence)
            }
            if case .accountOpened = entry.event {
                guard sequence == 0 || isDeleted else { throw .opening }
            } else if sequence == 0 || isDeleted {
                throw .opening
            }
        }
        switch entry.event {
        case .accountOpened(let capital): try open(capital, entry)
        case .deposited(let money): try deposit(money, entry)
        case .orderAccepted(let order): try create(order, .accept, entry)
        case .orderRejected(let order):
            if orders[order.id.number] == nil {
                try create(order, .reject, entry)
            } else {
                try change(order, .reject, entry)
            }
        case .orderAmended(let order): try change(order, .amend, entry)
        case .orderTriggered(let order): try change(order, .trigger, entry)
        case .trailMoved(let order): try change(order, .trail, entry)
        case .orderFilled(let fill, let order): try self.fill(fill, order, entry)
        case .orderCancelled(let order): try change(order, .cancel, entry)
        case .orderExpired(let order): try change(order, .expire, entry)
        case .leverageChanged(let symbol, let leverage): try setLeverage(symbol, leverage, entry)
        case .liquidationWarned(let call): try setWarned(true, call, entry)
        case .marginRestored(let call): try setWarned(false, call, entry)
        case .liquidated(let call): try liquidate(call, entry)
        case .accountReset(let capital): try reset(capital, entry)
        case .accountDeleted(let end): try delete(end, entry)
        }
        sequence = entry.sequence
        updatedAt = entry.time
    }

    /// Runs a calculation whose amounts may leave the range.
    func ranged<T>(_ entry: LedgerEntry<Mode>, _ body: () throws(DecimalError) -> T) throws(LedgerError) -> T {
        do throws(DecimalError) { return try body() } catch { throw .outOfRange(sequence: entry.sequence) }
    }

    func require(
        _ condition: Bool, _ entry: LedgerEntry<Mode>, _ message: @autoclosure () -> String
    ) throws(LedgerError) {
        if !condition { throw .inconsistent(sequence: entry.sequence, message()) }
    }
}

/// An account's money in one currency as the ledger has it, without what open positions would bring.
///
/// `cash = capital + realized - fees + writtenOff`, to the last digit.
public struct Balance: Hashable, Sendable {
    /// What the account was opened with, and all deposits.
    public internal(set) var capital: ExactDecimal
    public internal(set) var cash: ExactDecimal
    public internal(set) var realized = ExactDecimal.zero
    public internal(set) var fees = ExactDecimal.zero
    public internal(set) var writtenOff = ExactDecimal.zero
    /// Whether the account was warned that its positions are about to be closed.
    public internal(set) var isWarned = false

    init(capital: ExactDecimal) {
        self.capital = capital
        cash = capital
    }
}

/// An order as the account keeps it.
struct OrderRecord<Mode: TradingMode>: Equatable, Sendable {
    let order: Order<Mode>
    /// The index of its market's holding.
    let holding: Int
}
