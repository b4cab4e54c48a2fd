/// The items that a stream of `ServiceUpdate` adds up to, newest first and no more than it may hold.
///
/// ```swift
/// var orders = ServiceList<Order<Paper>>()
/// for await update in services.trading.orderUpdates {
///     orders.apply(update)
///     show(orders.items)
/// }
/// ```
///
/// An item only goes forward: one that comes late, with a lower revision than what is known, changes nothing. So the
/// answer to a request and the stream may cross each other.
public struct ServiceList<Item: ServiceItem>: Sendable {
    /// Newest first, by the order in which they were first seen.
    public private(set) var items: [Item]
    /// Finished items that are kept; of more, the oldest go. Items that are not finished stay, however many.
    public let limit: Int

    public init(_ items: [Item] = [], limit: Int = 1000) {
        self.limit = max(1, limit)
        self.items = []
        replace(items)
    }

    public subscript(id: Item.ID) -> Item? { items.first { $0.id == id } }

    public mutating func apply(_ update: ServiceUpdate<Item>) {
        switch update {
        case .snapshot(let items, _): replace(items)
        case .changed(let item): place(item)
        }
    }

    /// Puts an item in its place.
    /// - Returns: whether it was new, or newer than what was there.
    /// - Complexity: O(*n*) in the items kept.
    @discardableResult
    public mutating func place(_ item: Item) -> Bool {
        if let index = items.firstIndex(where: { $0.id == item.id }) {
            guard item.revision > items[index].revision else { return false }
            items[index] = item
        } else {
            items.insert(item, at: 0)
        }
        trim()
        return true
    }

    /// Replaces the whole state. What is known to be newer than in it stays as it is.
    private mutating func replace(_ new: [Item]) {
        var known: [Item.ID: Item] = [:]
        for item in items { known[item.id] = item }
        items = new.map { item in
            if let old = known[item.id], old.revision > item.revision { old } else { item }
        }
        trim()
    }

    private mutating func trim() {
        var finished = items.count { $0.isFinished }
        while finished > limit, let oldest = items.lastIndex(where: \.isFinished) {
            items.remove(at: oldest)
            finished -= 1
        }
    }
}
