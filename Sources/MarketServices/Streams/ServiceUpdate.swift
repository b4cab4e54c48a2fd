public import TradingCore

/// An element of a stream whose every change counts: orders, fills, events.
public enum ServiceUpdate<Item: ServiceItem>: Sendable {
    /// Everything as it is now, newest first: it replaces what the listener had. The first element of every stream;
    /// later ones come after a lost connection, or where the listener was too slow for the changes.
    ///
    /// `missed`: so many changes are in it that the listener did not get one by one, as far as this side knows.
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
