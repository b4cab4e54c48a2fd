import GRDB
package import MarketModel

/// An import of one series that is collected beside the store, and enters it as a whole or not at all.
///
/// ```swift
/// let staged = try await StagedImport(store, symbol: "BTC-USD", timeframe: .m1)
/// try await staged.add(candles)                        // any number of times, in any order
/// let result = try await staged.finish()
/// ```
///
/// The rows wait in a temporary table on disk, so that a file of any size needs constant memory. Of several rows with
/// one timestamp the last counts. A store has one such import at a time.
package final class StagedImport: Sendable {
    /// What came of an import.
    package struct Result: Sendable, Equatable {
        /// Candles that the store did not have.
        package var added = 0
        /// Candles that the store had with other values.
        package var replaced = 0
        /// Candles that the store had just so.
        package var unchanged = 0
        /// Candles that stayed as they were, because a late trade had corrected them after they were final.
        package var kept = 0
        /// Candles that stayed as they were, because those that came are pieces (`partial`, `gap`) that hold less.
        package var whole = 0
        /// Rows that were followed by another one of the same timestamp.
        package var repeated = 0
        /// Bucket starts of the earliest and the latest candle, seconds since 1970 UTC; `nil` where there was none.
        package var first: Double?
        package var last: Double?
        /// How many candles of coarser timeframes were made or completed.
        package var coarser: [Timeframe: Int] = [:]

        package init() {}

        package var changesNothing: Bool { added == 0 && replaced == 0 && coarser.values.allSatisfy { $0 == 0 } }
    }

    private let store: CandleStore
    private let symbol: String
    private let timeframe: Timeframe

    package init(_ store: CandleStore, symbol: String, timeframe: Timeframe) async throws {
        self.store = store
        self.symbol = symbol
        self.timeframe = timeframe
        try await store.write { db in
            try db.execute(
                sql: """
                    DROP TABLE IF EXISTS temp.staged;
                    CREATE TEMP TABLE staged (
                        timestamp INTEGER NOT NULL PRIMARY KEY, open REAL NOT NULL, high REAL NOT NULL,
                        low REAL NOT NULL, close REAL NOT NULL, volume REAL NOT NULL, quality INTEGER NOT NULL
                    ) WITHOUT ROWID;
                    CREATE TEMP TABLE IF NOT EXISTS stagings (rows INTEGER NOT NULL);
                    DELETE FROM temp.stagings;
                    INSERT INTO temp.stagings VALUES (0);
                    """)
        }
    }

    /// Adds candles; those that are not well formed are left out.
    /// - Throws: `StoreError`; then nothing of this call is added.
    package func add(_ candles: [Candle], quality: CandleQuality = .complete) async throws {
        try await add(candles.map { ($0, quality) })
    }

    /// Adds candles, each with its quality.
    package func add(_ candles: [(candle: Candle, quality: CandleQuality)]) async throws {
        try await store.write { db in
            let statement = try db.cachedStatement(
                sql: "INSERT OR REPLACE INTO temp.staged VALUES (?, ?, ?, ?, ?, ?, ?)")
            var count = 0
            for (candle, quality) in candles where candle.isWellFormed {
                statement.setUncheckedArguments([
                    candle.timestamp, candle.open, candle.high, candle.low, candle.close, candle.volume,
                    Int64(quality.rawValue),
                ])
                try statement.execute()
                count += 1
            }
            try db.execute(sql: "UPDATE temp.stagings SET rows = rows + ?", arguments: [count])
        }
    }

    /// Moves what was collected into the store, in one transaction, then makes coarser candles of it.
    /// - Parameters:
    ///   - coarser: which of those timeframes that are made of this one are written.
    ///   - fetched: stretches of time of which these candles are all there are: see `CandleStore.coverage`.
    ///   - quiet: such stretches for these coarser candles alone; the store does not keep them.
    package func finish(
        coarser: CoarserCandles = .missing, fetched: [Range<Double>] = [], quiet: [Range<Double>] = []
    ) async throws -> Result {
        let key = SeriesKey(symbol: symbol, timeframe: timeframe)
        var result = try await store.write { db in
            var writer = try CandleWriter(db)
            let series = try writer.id(of: key)
            let result = try Self.merge(db, series: series)
            for stretch in fetched { try Coverage.add(stretch, series: series, db) }
            try db.execute(sql: "DROP TABLE temp.staged")
            return result
        }
        if coarser != .none, let first = result.first, let last = result.last {
            result.coarser = try await store.fillCoarser(
                symbol: symbol, timeframe: timeframe, from: first, through: last, all: coarser == .all, quiet: quiet)
        }
        return result
    }

    /// Gives up what was collected.
    package func cancel() async {
        _ = try? await store.write { try $0.execute(sql: "DROP TABLE IF EXISTS temp.staged") }
    }

    private static func merge(_ db: Database, series: Int64) throws -> Result {
        let same = """
            c.open = s.open AND c.high = s.high AND c.low = s.low AND c.close = s.close AND c.volume = s.volume
            """
        let pieces = "(\(CandleQuality.partial.rawValue), \(CandleQuality.gap.rawValue))"
        // What a late trade corrected knows better; but a raised revision does not make a piece whole.
        let corrected = "c.revision > 0 AND c.quality NOT IN \(pieces)"
        let holdsLess = """
            s.quality IN \(pieces) AND (c.quality NOT IN \(pieces)
                OR NOT (s.volume >= c.volume AND s.high >= c.high AND s.low <= c.low))
            """
        var result = Result()
        let counts = try Row.fetchOne(
            db,
            sql: """
                SELECT count(*), min(s.timestamp), max(s.timestamp), count(c.timestamp),
                    sum(\(same) AND (\(corrected) OR \(holdsLess) OR c.quality = s.quality)),
                    sum(\(corrected) AND NOT (\(same))),
                    sum(\(holdsLess) AND NOT (\(corrected)) AND NOT (\(same)))
                FROM temp.staged s LEFT JOIN candles c ON c.series = ? AND c.timestamp = s.timestamp
                """, arguments: [series])
        guard let counts else { return result }
        let distinct: Int = counts[0]
        let known: Int = counts[3]
        result.first = counts[1]
        result.last = counts[2]
        result.unchanged = counts[4] ?? 0
        result.kept = counts[5] ?? 0
        result.whole = counts[6] ?? 0
        result.added = distinct - known
        result.replaced = known - result.unchanged - result.kept - result.whole
        let added = try Int.fetchOne(db, sql: "SELECT rows FROM temp.stagings") ?? distinct
        result.repeated = added - distinct
        try db.execute(
            sql: """
                INSERT INTO candles AS c (series, timestamp, open, high, low, close, volume, revision, quality)
                SELECT ?, timestamp, open, high, low, close, volume, 0, quality FROM temp.staged WHERE true
                ON CONFLICT (series, timestamp) DO UPDATE SET
                    open = excluded.open, high = excluded.high, low = excluded.low, close = excluded.close,
                    volume = excluded.volume, quality = excluded.quality
                WHERE NOT (\(corrected)) AND NOT (\(holdsLess.replacing("s.", with: "excluded.")))
                    AND NOT (\(same.replacing("s.", with: "excluded.")) AND c.quality = excluded.quality)
                """, arguments: [series])
        return result
    }
}
