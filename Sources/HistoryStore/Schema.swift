import GRDB
import MarketModel

/// The tables, as a list of migrations that is only ever added to.
///
/// Series are interned: a row of `candles` starts with a small integer where the symbol and timeframe would be
/// repeated on each of millions of rows. 800,000 candles measured: 53 MB and 2.3 s to insert, against 61 MB and 2.6 s
/// with text in the key, and 79 MB and 3.3 s with a rowid table beside it. `WITHOUT ROWID` makes the primary key the
/// table itself, so that a page of history is one range of neighbouring rows and there is no second index to keep.
enum Schema {
    static var migrator: DatabaseMigrator {
        DatabaseMigrator([
            "1 candles": """
            CREATE TABLE series (
                id INTEGER PRIMARY KEY,
                symbol TEXT NOT NULL,
                timeframe TEXT NOT NULL,
                UNIQUE (symbol, timeframe)
            );
            -- The timestamp has INTEGER affinity and is bound as a double: whole seconds (all of today's
            -- timeframes) take 4 bytes, and a fraction would still be kept exactly.
            CREATE TABLE candles (
                series INTEGER NOT NULL REFERENCES series (id) ON DELETE CASCADE,
                timestamp INTEGER NOT NULL,
                open REAL NOT NULL,
                high REAL NOT NULL,
                low REAL NOT NULL,
                close REAL NOT NULL,
                volume REAL NOT NULL,
                revision INTEGER NOT NULL,
                quality INTEGER NOT NULL,
                PRIMARY KEY (series, timestamp)
            ) WITHOUT ROWID;
            """,
            "2 coverage": """
            -- Stretches of time of which a venue's own candles were fetched.
            CREATE TABLE coverage (
                series INTEGER NOT NULL REFERENCES series (id) ON DELETE CASCADE,
                start REAL NOT NULL,
                stop REAL NOT NULL,
                PRIMARY KEY (series, start)
            ) WITHOUT ROWID;
            """,
            "3 quarantine": """
            -- Candles that were dated in the future when the store was opened: a clock was wrong when they were written.
            CREATE TABLE quarantined_candles (
                series INTEGER NOT NULL REFERENCES series (id) ON DELETE CASCADE,
                timestamp INTEGER NOT NULL,
                open REAL NOT NULL,
                high REAL NOT NULL,
                low REAL NOT NULL,
                close REAL NOT NULL,
                volume REAL NOT NULL,
                revision INTEGER NOT NULL,
                quality INTEGER NOT NULL,
                PRIMARY KEY (series, timestamp)
            ) WITHOUT ROWID;
            """,
        ])
    }

    /// A later write of the same candle replaces it, unless it knows less: a revision never goes down.
    static let upsert = """
        INSERT INTO candles (series, timestamp, open, high, low, close, volume, revision, quality)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (series, timestamp) DO UPDATE SET
            open = excluded.open, high = excluded.high, low = excluded.low, close = excluded.close,
            volume = excluded.volume, revision = excluded.revision, quality = excluded.quality
        WHERE excluded.revision >= revision
        """
}

/// Writes rows through one prepared statement and remembers the numbers of the series.
///
/// It lives inside one transaction's closure: a number that was handed out in a transaction that rolled back must not
/// be used again.
struct CandleWriter {
    private let db: Database
    private let row: RowStatement
    private var ids: [SeriesKey: Int64] = [:]

    init(_ db: Database) throws {
        self.db = db
        row = try RowStatement(Schema.upsert, db)
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
        row.bind(1, Int(series))
        row.bind(2, candle.timestamp)
        row.bind(3, candle.open)
        row.bind(4, candle.high)
        row.bind(5, candle.low)
        row.bind(6, candle.close)
        row.bind(7, candle.volume)
        row.bind(8, revision)
        row.bind(9, Int(quality.rawValue))
        try row.run()
    }
}
