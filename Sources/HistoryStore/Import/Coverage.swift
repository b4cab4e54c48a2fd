import GRDB
public import MarketModel

/// Stretches of time of which a series is known to be whole.
///
/// A venue tells no candle of a minute without trades, so a missing candle alone does not say whether it was ever
/// asked for.
enum Coverage {
    /// Adds a stretch; those that touch become one.
    static func add(_ stretch: Range<Double>, series: Int64, _ db: Database) throws {
        guard !stretch.isEmpty else { return }
        let touching = try Row.fetchOne(
            db, sql: "SELECT min(start), max(stop) FROM coverage WHERE series = ? AND start <= ? AND stop >= ?",
            arguments: [series, stretch.upperBound, stretch.lowerBound])
        let start = min(stretch.lowerBound, touching?[0] ?? stretch.lowerBound)
        let stop = max(stretch.upperBound, touching?[1] ?? stretch.upperBound)
        try db.execute(
            sql: "DELETE FROM coverage WHERE series = ? AND start <= ? AND stop >= ?", arguments: [series, stop, start])
        try db.execute(sql: "INSERT INTO coverage VALUES (?, ?, ?)", arguments: [series, start, stop])
    }
}

extension CandleStore {
    /// The stretches of time of which a series was fetched whole, ascending and apart from each other: where no candle
    /// is there, nothing was traded.
    public func coverage(symbol: String, timeframe: Timeframe) async throws -> [Range<Double>] {
        do {
            return try await pool.read { db in
                try Row.fetchAll(
                    db,
                    sql: """
                        SELECT start, stop FROM coverage
                        WHERE series = (SELECT id FROM series WHERE symbol = ? AND timeframe = ?) ORDER BY start
                        """, arguments: [symbol, timeframe.rawValue]
                ).compactMap { row in
                    let start: Double = row[0]
                    let stop: Double = row[1]
                    return start < stop ? start..<stop : nil
                }
            }
        } catch {
            throw StoreError(error, path: path)
        }
    }
}
