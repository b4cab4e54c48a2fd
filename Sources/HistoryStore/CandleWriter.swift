import GRDB
import MarketModel

/// Writes rows through one prepared statement and remembers the numbers of the series.
///
/// It lives inside one transaction's closure: a number that was handed out in a transaction that rolled back must not
/// be used again.
struct CandleWriter {
    private let db: Database
    private let statement: Statement
    private var ids: [SeriesKey: Int64] = [:]

    init(_ db: Database) throws {
        self.db = db
        statement = try db.cachedStatement(sql: Schema.upsert)
    }

    mutating func id(of key: SeriesKey) throws -> Int64 {
        if let id = ids[key] { return id }
        let arguments: StatementArguments = [key.symbol, key.timeframe.rawValue]
        try db.execute(
            sql: "INSERT INTO series (symbol, timeframe) VALUES (?, ?) ON CONFLICT DO NOTHING", arguments: arguments)
        let found = try Int64.fetchOne(
            db, sql: "SELECT id FROM series WHERE symbol = ? AND timeframe = ?", arguments: arguments)
        guard let found else { throw DatabaseError(resultCode: .SQLITE_NOTFOUND, message: "a series was not kept") }
        ids[key] = found
        return found
    }

    func write(_ candle: Candle, series: Int64, revision: Int, quality: CandleQuality) throws {
        statement.setUncheckedArguments([
            series, candle.timestamp, candle.open, candle.high, candle.low, candle.close, candle.volume, revision,
            Int64(quality.rawValue),
        ])
        try statement.execute()
    }
}
