import GRDB
public import MarketModel

extension CandleStore {
    /// A page of candles, ascending by timestamp.
    ///
    /// Without bounds it is the newest `limit` candles. `to` and `before` move its end; `from` cuts it off in
    /// front.
    /// With `from` alone the page starts there and holds the **oldest** `limit` candles, so that one can walk forwards
    /// (`from: last.timestamp + 1`) as well as backwards (`before: first.timestamp`).
    /// - Parameters:
    ///   - from: the earliest bucket start, inclusive, seconds since 1970 UTC.
    ///   - to: the latest bucket start, inclusive.
    ///   - before: only bucket starts earlier than this.
    ///   - limit: the most candles; zero or less gives none.
    /// - Returns: an empty array for an unknown series.
    /// - Complexity: O(log n + limit): one range of the primary key.
    public func candles(
        symbol: String, timeframe: Timeframe, from: Double? = nil, to: Double? = nil, before: Double? = nil,
        limit: Int = 1000
    ) async throws -> [Candle] {
        let page = Page(symbol: symbol, timeframe: timeframe, from: from, to: to, before: before, limit: limit)
        return try await read(page.candles)
    }

    /// The same page with each candle's revision and quality.
    public func storedCandles(
        symbol: String, timeframe: Timeframe, from: Double? = nil, to: Double? = nil, before: Double? = nil,
        limit: Int = 1000
    ) async throws -> [StoredCandle] {
        let page = Page(symbol: symbol, timeframe: timeframe, from: from, to: to, before: before, limit: limit)
        return try await read(page.storedCandles)
    }

    /// Goes through the candles that start in `from..<end`, ascending and a page at a time, so that a series of any length needs
    /// constant memory. Each page is read by itself: candles may be added and corrected between two of them.
    /// - Parameters:
    ///   - start: seconds since 1970 UTC, as `end`.
    ///   - rows: the most candles of a page.
    ///   - body: is not called with an empty page.
    /// - Throws: `StoreError`, and what `body` throws.
    package func forEachPage(
        symbol: String, timeframe: Timeframe, from start: Double, before end: Double, rows: Int = 10_000,
        _ body: (_ page: ArraySlice<Candle>) async throws -> Void
    ) async throws {
        var next = start
        while next < end {
            let page = try await candles(symbol: symbol, timeframe: timeframe, from: next, limit: rows)
            let inside = page.prefix { $0.timestamp < end }
            if !inside.isEmpty { try await body(inside) }
            guard page.count == rows, let last = page.last else { return }
            next = last.timestamp.nextUp
        }
    }

    /// The newest candle's bucket start; `nil` for an unknown or empty series.
    public func lastTimestamp(symbol: String, timeframe: Timeframe) async throws -> Double? {
        try await figure("max(timestamp)", of: SeriesKey(symbol: symbol, timeframe: timeframe))
    }

    /// The earliest candle's bucket start; `nil` for an unknown or empty series.
    public func firstTimestamp(symbol: String, timeframe: Timeframe) async throws -> Double? {
        try await figure("min(timestamp)", of: SeriesKey(symbol: symbol, timeframe: timeframe))
    }

    /// All symbols that have candles, in alphabetical order.
    public func symbols() async throws -> [String] {
        try await read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT DISTINCT symbol FROM series
                    WHERE EXISTS (SELECT 1 FROM candles WHERE series = series.id) ORDER BY symbol
                    """)
        }
    }

    /// The timeframes a symbol has candles of, finest first.
    public func timeframes(of symbol: String) async throws -> [Timeframe] {
        let names = try await read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT timeframe FROM series
                    WHERE symbol = ? AND EXISTS (SELECT 1 FROM candles WHERE series = series.id)
                    """,
                arguments: [symbol])
        }
        return names.compactMap(Timeframe.init(rawValue:)).sorted { $0.index < $1.index }
    }

    /// Whether candles of a series that start before `end` (seconds since 1970 UTC) were enqueued and are not written yet:
    /// a query does not find them, unless `flush` comes before it.
    /// - Complexity: O(rows that wait); usually those of a quarter of a second.
    public func hasUnwritten(symbol: String, timeframe: Timeframe, before end: Double) -> Bool {
        writer.buffer.holds(SeriesKey(symbol: symbol, timeframe: timeframe), before: end)
    }

    /// How many candles a series holds.
    /// - Complexity: O(n)
    public func count(symbol: String, timeframe: Timeframe) async throws -> Int {
        try await figure("count(*)", of: SeriesKey(symbol: symbol, timeframe: timeframe)) ?? 0
    }

    private func figure<Value: DatabaseValueConvertible & Sendable>(
        _ expression: String, of key: SeriesKey
    ) async throws -> Value? {
        try await read { db in
            try Value.fetchOne(
                db,
                sql: """
                    SELECT \(expression) FROM candles
                    WHERE series = (SELECT id FROM series WHERE symbol = ? AND timeframe = ?)
                    """,
                arguments: [key.symbol, key.timeframe.rawValue])
        }
    }

    func read<Value: Sendable>(_ query: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        do { return try await pool.read(query) } catch { throw StoreError(error, path: path) }
    }

    /// Runs a change in one transaction.
    func write<Value: Sendable>(_ change: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        do { return try await pool.write(change) } catch { throw StoreError(error, path: path) }
    }
}
