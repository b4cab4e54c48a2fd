/// What waits until a market's past is in memory again, in the order it came. Lives on the market loop.
///
/// A past that could not be read is requested again by its feed, and not by each trade.
struct RestoreQueue {
    private struct Item {
        var connection: ConnectionID?
        var body: (_ isWhole: Bool) -> Void
    }

    /// Of markets whose past is requested.
    private var waiting: [Int: [Item]] = [:]
    /// What goes on waiting where an attempt failed.
    private var untilRestored: [Int: [() -> Void]] = [:]
    /// Markets whose last attempt failed.
    private var failed: Set<Int> = []

    /// Whether the market's past is requested.
    func holds(_ market: Int) -> Bool { waiting[market] != nil }

    /// Whether a connection waits for it.
    func isAwaited(_ market: Int) -> Bool { waiting[market]?.contains { $0.connection != nil } ?? false }

    /// Whether it could not be had, and is not requested at present.
    func hasFailed(_ market: Int) -> Bool { failed.contains(market) && waiting[market] == nil }

    /// - Returns: whether the market's past is to be requested now.
    mutating func begin(_ market: Int) -> Bool {
        guard waiting[market] == nil, !failed.contains(market) else { return false }
        waiting[market] = []
        return true
    }

    /// - Returns: those of these markets whose past is to be requested again now.
    mutating func retryFailed(_ markets: Range<Int>) -> [Int] {
        let again = failed.filter { markets.contains($0) && waiting[$0] == nil }.sorted()
        for market in again { waiting[market] = [] }
        return again
    }

    mutating func add(_ market: Int, of connection: ConnectionID?, _ body: @escaping (_ isWhole: Bool) -> Void) {
        waiting[market, default: []].append(Item(connection: connection, body: body))
    }

    /// Waits for however many attempts it needs.
    mutating func addUntilRestored(_ market: Int, _ body: @escaping () -> Void) {
        untilRestored[market, default: []].append(body)
    }

    /// An attempt is over.
    /// - Returns: what waited for it, to be done now, and whether others did not wait because one before had failed.
    mutating func end(_ market: Int, isWhole: Bool) -> (bodies: [(_ isWhole: Bool) -> Void], hadFailed: Bool) {
        let bodies = (waiting.removeValue(forKey: market) ?? []).map(\.body)
        guard isWhole else {
            failed.insert(market)
            return (bodies, true)
        }
        let hadFailed = failed.remove(market) != nil
        let last = (untilRestored.removeValue(forKey: market) ?? []).map { body in { (_: Bool) in body() } }
        return (bodies + last, hadFailed)
    }

    /// The connection is gone: nothing is to be begun for it any more.
    mutating func forget(_ connection: ConnectionID) {
        for market in waiting.keys { waiting[market]?.removeAll { $0.connection == connection } }
    }
}

/// A market's past is not in memory, and the store cannot be read or written for the time being.
struct HistoryUnavailable: Error, CustomStringConvertible {
    var description: String { "its stored candles cannot be read or written" }
}
