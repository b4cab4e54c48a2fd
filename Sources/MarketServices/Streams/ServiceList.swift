public import TradingCore

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
    @discardableResult public mutating func place(_ item: Item) -> Bool {
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

/// An element of a stream whose every change counts: orders, fills, events.
public enum ServiceUpdate<Item: ServiceItem>: Sendable {
    /// Everything as it is now, newest first: it replaces what the listener had. The first element of every stream;
    /// later ones come after a lost connection, or where the listener was too slow for the changes.
    ///
    /// `missed`: how many changes are in it that the listener did not get one by one, as far as this side knows.
    case snapshot([Item], missed: Int)
    /// One item is new, or newer than it was.
    case changed(Item)
}

extension ServiceUpdate: Equatable where Item: Equatable {}

/// What a `ServiceUpdate` is about.
public protocol ServiceItem: Identifiable, Sendable where ID: Sendable {
    /// Counts up with each change of the item.
    var revision: Int { get }
    /// Whether it may be dropped when there are too many: an order that still waits may not.
    var isFinished: Bool { get }
}

extension ServiceItem {
    public var revision: Int { 0 }
    public var isFinished: Bool { true }
}

extension ServiceChannel {
    /// A channel whose listeners want every change.
    /// - Parameters:
    ///   - items: what there is now, newest first; nil: not known yet, and listeners wait for it.
    ///   - limit: changes that may wait for a listener, at least 1.
    public static func changes<Item>(_ items: [Item]? = nil, limit: Int = 1024) -> ServiceChannel
    where Element == ServiceUpdate<Item> {
        ServiceChannel(current: items.map { .snapshot($0, missed: 0) }, limit: max(1, limit)) { current, missed in
            guard case .snapshot(let items, _) = current else { return current }
            return .snapshot(items, missed: missed)
        }
    }

    /// Sends one change.
    /// - Parameter all: everything as it is with it, newest first.
    public func send<Item>(_ item: Item, all: [Item]) where Element == ServiceUpdate<Item> {
        send(.changed(item), current: .snapshot(all, missed: 0))
    }

    /// Replaces everything, as after a lost connection.
    public func send<Item>(all: [Item]) where Element == ServiceUpdate<Item> {
        send(.snapshot(all, missed: 0), current: .snapshot(all, missed: 0))
    }
}

extension Order: ServiceItem {
    public var revision: Int { version }
    public var isFinished: Bool { status.isDone }
}

extension Fill: ServiceItem {}

extension ServiceEvent: ServiceItem {}
