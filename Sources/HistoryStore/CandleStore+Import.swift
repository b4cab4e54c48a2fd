import GRDB
public import MarketModel

extension CandleStore {
    /// Writes many candles of one series at once, past the buffer: generated history, an imported file.
    ///
    /// Existing candles are replaced unless they have a higher revision. Large transactions make it fast, and a pause
    /// between them lets live batches in: rows become visible, and are kept, 50,000 at a time.
    /// - Returns: how many were written; malformed candles are left out.
    /// - Throws: `StoreError`; what earlier transactions wrote stays.
    @discardableResult public func importCandles(
        _ candles: [Candle], symbol: String, timeframe: Timeframe, revision: Int = 0,
        quality: CandleQuality = .complete
    ) async throws -> Int {
        let size = 50_000
        var written = 0
        for start in stride(from: 0, to: candles.count, by: size) {
            let chunk = candles[start..<min(start + size, candles.count)]
            written += try await write { db in
                var writer = try CandleWriter(db)
                let series = try writer.id(of: SeriesKey(symbol: symbol, timeframe: timeframe))
                var written = 0
                for candle in chunk where candle.isWellFormed {
                    try writer.write(candle, series: series, revision: revision, quality: quality)
                    written += 1
                }
                return written
            }
        }
        return written
    }

    /// Removes a series with all its candles, for example generated history that no longer fits its seed.
    public func remove(symbol: String, timeframe: Timeframe) async throws {
        try await write { db in
            try db.execute(
                sql: "DELETE FROM series WHERE symbol = ? AND timeframe = ?", arguments: [symbol, timeframe.rawValue])
        }
    }
}
