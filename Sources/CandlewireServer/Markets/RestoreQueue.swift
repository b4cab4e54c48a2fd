/// What waits until a market's past is in memory again, in the order it came. Lives on the market loop.
struct RestoreQueue {
    private struct Item {
        var connection: ConnectionID?
        var body: () -> Void
    }

    private var waiting: [Int: [Item]] = [:]

    /// Whether the market's past is asked for.
    func holds(_ market: Int) -> Bool { waiting[market] != nil }

    /// - Returns: whether the market's past was not asked for before.
    mutating func begin(_ market: Int) -> Bool {
        guard waiting[market] == nil else { return false }
        waiting[market] = []
        return true
    }

    mutating func add(_ market: Int, of connection: ConnectionID?, _ body: @escaping () -> Void) {
        waiting[market, default: []].append(Item(connection: connection, body: body))
    }

    /// What waited for it, to be done now.
    mutating func end(_ market: Int) -> [() -> Void] {
        (waiting.removeValue(forKey: market) ?? []).map(\.body)
    }

    /// The connection is gone: nothing is to be begun for it any more.
    mutating func forget(_ connection: ConnectionID) {
        for market in waiting.keys { waiting[market]?.removeAll { $0.connection == connection } }
    }
}
