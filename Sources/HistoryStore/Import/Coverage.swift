import GRDB
public import MarketModel

/// Stretches of time of which a series is known to be whole.
///
/// A venue sends no candle for a minute without trades, so a missing candle alone does not show whether it was ever
/// requested.
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
        try await read { db in
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
    }
}

extension CandleStore {
    /// The stretches of `from..<to` of which it is not known what happened: neither were they fetched whole (see
    /// `coverage`), nor is there a candle that saw all of its trades.
    /// - Parameters:
    ///   - from: a bucket's start.
    ///   - to: a bucket's start, itself not included.
    /// - Returns: ascending, whole buckets, apart from each other.
    /// - Complexity: O(n) for the candles in it, in constant memory but for the result.
    public func missingStretches(
        symbol: String, timeframe: Timeframe, from: Double, to: Double
    ) async throws -> [Range<Double>] {
        guard from < to else { return [] }
        var missing: [Range<Double>] = []
        var at = from
        for known in try await coverage(symbol: symbol, timeframe: timeframe) where known.upperBound > from {
            guard known.lowerBound < to else { break }
            if known.lowerBound > at {
                missing += try await holes(symbol, timeframe, from: at, to: known.lowerBound)
            }
            at = max(at, known.upperBound)
        }
        if at < to { missing += try await holes(symbol, timeframe, from: at, to: to) }
        return missing
    }

    private func holes(
        _ symbol: String, _ timeframe: Timeframe, from: Double, to: Double
    ) async throws -> [Range<Double>] {
        var holes: [Range<Double>] = []
        var at = from
        var next: Double? = from
        while let start = next {
            let page = try await storedCandles(symbol: symbol, timeframe: timeframe, from: start, limit: 10_000)
            next = page.last.map { $0.candle.timestamp + 0.5 }
            for stored in page {
                guard stored.candle.timestamp < to else {
                    next = nil
                    break
                }
                guard stored.quality != .partial, stored.quality != .gap else { continue }
                if stored.candle.timestamp > at { holes.append(at..<stored.candle.timestamp) }
                at = timeframe.bucketEnd(ofBucketAt: stored.candle.timestamp)
            }
        }
        if at < to { holes.append(at..<to) }
        return holes
    }
}
