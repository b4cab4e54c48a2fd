/// The newest orders that a rule refused when they were placed: little margin, post-only that would trade, nothing to reduce.
///
/// They are no part of the account and not in its ledger, or anyone could make that grow. What is kept of them answers a
/// repeated request and shows in lists; beyond ``capacity`` the oldest are forgotten, and their client order ids are free.
struct RefusedOrders: Sendable {
    /// For each account.
    static let capacity = 1_000

    /// Oldest first, their numbers ascending.
    private var orders: [Order<Paper>] = []
    private var byClientOrderID: [String: Order<Paper>] = [:]
    /// Numbers of refused orders are not used again either.
    private(set) var nextNumber = 1
    private var undrained: [Order<Paper>] = []

    /// - Parameter orders: those of the past, ascending.
    init(_ orders: [Order<Paper>] = [], since time: Double = -.infinity) {
        nextNumber = (orders.last?.id.number ?? 0) + 1
        // A reset forgets them with all other orders.
        for order in orders where order.createdAt > time { insert(order) }
    }

    var newest: ArraySlice<Order<Paper>> { orders.suffix(Self.capacity) }

    subscript(clientOrderID: String) -> Order<Paper>? {
        byClientOrderID.isEmpty ? nil : byClientOrderID[clientOrderID]
    }

    subscript(number: Int) -> Order<Paper>? {
        guard number < nextNumber, let oldest = newest.first, number >= oldest.id.number else { return nil }
        return newest.last { $0.id.number == number }
    }

    mutating func add(_ order: Order<Paper>) {
        insert(order)
        nextNumber = order.id.number + 1
        undrained.append(order)
        if undrained.count >= 2 * Self.capacity { undrained.removeFirst(Self.capacity) }
    }

    private mutating func insert(_ order: Order<Paper>) {
        orders.append(order)
        byClientOrderID[order.clientOrderID] = order
        if orders.count > Self.capacity, let oldest = orders.dropLast(Self.capacity).last {
            byClientOrderID[oldest.clientOrderID] = nil
        }
        // In batches: each moves all others.
        if orders.count >= Self.capacity + Self.capacity / 4 { orders.removeFirst(orders.count - Self.capacity) }
    }

    mutating func removeAll() {
        orders = []
        byClientOrderID = [:]
    }

    mutating func drain() -> [Order<Paper>] {
        defer { undrained = [] }
        return undrained.count > Self.capacity ? Array(undrained.suffix(Self.capacity)) : undrained
    }
}

extension PaperExchange {
    /// The number that the next order gets, whether it is accepted or refused.
    var nextOrderNumber: Int { max(account.nextOrderNumber, refused.nextNumber) }

    /// The orders that a rule refused since the last call. They are in no entry: who wants to know them after a restart
    /// keeps the newest and hands them to ``init(account:settings:seed:latestTime:refused:)``.
    public mutating func drainRefused() -> [Order<Paper>] { refused.drain() }

    /// Refused orders with smaller numbers are forgotten.
    public var oldestRefusedNumber: Int { refused.newest.first?.id.number ?? refused.nextNumber }

    /// Any order that is still known, also one that was refused.
    public func order(_ id: OrderID<Paper>) -> Order<Paper>? {
        account.order(id) ?? (id.account == account.id ? refused[id.number] : nil)
    }

    public func order(clientOrderID: String) -> Order<Paper>? {
        account.order(clientOrderID: clientOrderID) ?? refused[clientOrderID]
    }

    /// Orders from the newest to the oldest, those that were refused among them.
    /// - Parameters:
    ///   - before: only those with a smaller number.
    ///   - limit: the maximum number.
    /// - Complexity: O(orders looked at).
    public func orders(
        before: Int? = nil, limit: Int, where isWanted: (Order<Paper>) -> Bool = { _ in true }
    ) -> [Order<Paper>] {
        let accepted = account.orders(before: before, limit: limit, where: isWanted)
        let others = refused.newest.filter { (before == nil || $0.id.number < before!) && isWanted($0) }
        guard !others.isEmpty else { return accepted }
        return Array((accepted + others).sorted { $0.id.number > $1.id.number }.prefix(max(0, limit)))
    }
}
