/// Notices markets that stopped trading while somebody reads them.
///
/// A value; asked once a second. A market is told stale when it has had no tick for `limit` seconds, and again each
/// `limit` seconds until the next one.
struct StaleWatch {
    /// Seconds without a tick.
    static let limit = 15.0

    private struct Market {
        var ticks = -1
        var since = 0.0
        var toldAt = -Double.infinity
    }

    private var markets: [Market]

    init(markets: Int) {
        self.markets = Array(repeating: Market(), count: markets)
    }

    /// - Parameters:
    ///   - ticks: how many ticks the market has had.
    ///   - isWatched: whether it should trade and has readers; the time without counts from when it began to be so.
    /// - Returns: seconds without a tick, where that is to be told now.
    mutating func review(_ index: Int, ticks: Int, isWatched: Bool, now: Double) -> Double? {
        guard isWatched, ticks == markets[index].ticks else {
            markets[index] = Market(ticks: ticks, since: now)
            return nil
        }
        let age = now - markets[index].since
        guard age >= Self.limit, now - markets[index].toldAt >= Self.limit else { return nil }
        markets[index].toldAt = now
        return age
    }
}
