import GRDB
import MarketModel

/// One page of a series as SQL.
struct Page: Sendable {
    var symbol: String
    var timeframe: Timeframe
    var from: Double?
    var to: Double?
    var before: Double?
    var limit: Int

    /// Whether the page grows from its start: only where nothing bounds its end.
    private var isForward: Bool { from != nil && to == nil && before == nil }

    func candles(_ db: Database) throws -> [Candle] { try rows(db) { row in Page.candle(row) } }

    func storedCandles(_ db: Database) throws -> [StoredCandle] {
        try rows(db) { row in
            StoredCandle(
                symbol: symbol, timeframe: timeframe, candle: Page.candle(row), revision: row[6],
                quality: Page.quality(row[7]))
        }
    }

    private func rows<Value>(_ db: Database, _ transform: (Row) -> Value) throws -> [Value] {
        guard limit > 0 else { return [] }
        var conditions = ["series = (SELECT id FROM series WHERE symbol = ? AND timeframe = ?)"]
        var arguments: StatementArguments = [symbol, timeframe.rawValue]
        func bound(_ condition: String, _ value: Double?) {
            guard let value else { return }
            conditions.append(condition)
            arguments += [value]
        }
        bound("timestamp >= ?", from)
        bound("timestamp <= ?", to)
        bound("timestamp < ?", before)
        arguments += [limit]
        let sql = """
            SELECT timestamp, open, high, low, close, volume, revision, quality FROM candles
            WHERE \(conditions.joined(separator: " AND "))
            ORDER BY timestamp \(isForward ? "ASC" : "DESC") LIMIT ?
            """
        var result: [Value] = []
        result.reserveCapacity(min(limit, 10_000))
        // At most sixteen shapes of this statement exist, so the connection's cache keeps them all prepared.
        let cursor = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: arguments)
        while let row = try cursor.next() { result.append(transform(row)) }
        if !isForward { result.reverse() }
        return result
    }

    /// A number this version does not know comes from a damaged row or a later version: then the bar is not to be
    /// trusted as a whole one.
    private static func quality(_ number: Int64) -> CandleQuality {
        UInt8(exactly: number).flatMap(CandleQuality.init(rawValue:)) ?? .partial
    }

    private static func candle(_ row: Row) -> Candle {
        Candle(timestamp: row[0], open: row[1], high: row[2], low: row[3], close: row[4], volume: row[5])
    }
}
