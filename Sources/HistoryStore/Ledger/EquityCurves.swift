import GRDB

/// Writes the points of equity curves, and keeps each curve bounded without counting its rows for every point. Confined to
/// the database's writer queue.
struct EquityCurves: Sendable {
    private struct Curve: Hashable {
        var account: String
        var currency: String
    }

    /// Seconds. Of points of one transaction that follow each other faster, only the last is kept: thousands of fills a second
    /// would push everything older out of the curve.
    private static let step = 0.01

    /// How many rows each curve has; never fewer than it has.
    private var counts: [Curve: Int] = [:]

    /// The transaction was undone, and with it what was counted.
    mutating func forget() { counts = [:] }

    mutating func insert(_ points: [EquityPoint], limit: Int, _ db: Database) throws {
        var newest: [Curve: EquityPoint] = [:]
        for point in points {
            let curve = Curve(account: point.account, currency: point.currency)
            guard let last = newest.updateValue(point, forKey: curve) else { continue }
            if !(0..<Self.step).contains(point.timestamp - last.timestamp) { try insert(last, curve, limit, db) }
        }
        for (curve, point) in newest { try insert(point, curve, limit, db) }
    }

    private mutating func insert(_ point: EquityPoint, _ curve: Curve, _ limit: Int, _ db: Database) throws {
        try db.execute(LedgerSchema.insertPoint, [point.account, point.currency, point.timestamp, point.equity])
        // A point that replaced one of the same time counts twice, until the rows are counted again.
        var count = try counts[curve].map { $0 + 1 } ?? Self.count(curve, db)
        if count > limit {
            if try Self.count(curve, db) > limit {
                try db.execute(LedgerSchema.thin, [curve.account, curve.currency, limit / 2])
            }
            count = try Self.count(curve, db)
        }
        counts[curve] = count
    }

    /// - Complexity: O(rows of the curve).
    private static func count(_ curve: Curve, _ db: Database) throws -> Int {
        try Int.fetchOne(
            db.cachedStatement(sql: "SELECT COUNT(*) FROM equity WHERE account = ? AND currency = ?"),
            arguments: [curve.account, curve.currency]) ?? 0
    }
}
