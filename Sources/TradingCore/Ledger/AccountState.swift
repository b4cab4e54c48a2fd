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

    /// In the order of their first orders, so that going through them is the same on every machine.
    var holdings: [Holding] = []
    var holdingIndex: [String: Int] = [:]
    /// For each holding, the numbers of its orders that can still trade, ascending.
    var active: [[Int]] = []
    var orders = NumberedTable<OrderRecord<Mode>>()
    /// What was asked for, of orders that have changed in that since: asking again must be recognised.
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
    public init(id: AccountID<Mode>, replaying entries: some Sequence<LedgerEntry<Mode>>) throws(LedgerError) {
        self.init(id: id)
        for entry in entries { try apply(entry) }
    }
}
