import Foundation
import GRDB
import MarketModel

@testable import HistoryStore

/// Candles by plain arithmetic from all trades that the server accepted, and what of them must be in its store.
struct ExpectedCandles {
    struct Key: Hashable {
        var market: Int
        var timeframe: Timeframe
        var start: Double
    }

    private struct Revision {
        var candle: Candle
        var number = 0
    }

    private struct Bucket {
        var row: Revision
        var openTime: Double
        var closeTime: Double
    }

    private static let timeframes: [Timeframe] = [.s5, .m1, .m15, .h1, .d1]
    /// What the server is told to keep.
    private static let ages: [Timeframe: Double] = [.s5: 86_400, .m1: 2 * 86_400]

    /// Of this run of the server.
    private var buckets: [Key: Bucket] = [:]
    private var newest: [Int: Double] = [:]
    /// Those whose bars are final and not written.
    private var waiting: Set<Key> = []
    /// What is on disk for good.
    private var durable: [Key: Revision] = [:]
    /// What was written since: a power cut may lose the last ones.
    private var batches: [[Key: Revision]] = []
    private var newestTrade = 0.0
    private(set) var compared = 0

    // MARK: Trades

    mutating func add(_ tick: Tick, market: Int) {
        let (price, time) = (tick.price, tick.timestamp)
        newestTrade = max(newestTrade, time)
        let newest = max(self.newest[market] ?? -.infinity, time)
        self.newest[market] = newest
        for timeframe in Self.timeframes {
            let key = Key(market: market, timeframe: timeframe, start: timeframe.bucketStart(of: time))
            waiting.insert(key)
            guard var bucket = buckets[key] else {
                let candle = Candle(
                    timestamp: key.start, open: price, high: price, low: price, close: price, volume: tick.volume)
                buckets[key] = Bucket(row: Revision(candle: candle), openTime: time, closeTime: time)
                continue
            }
            if time < bucket.openTime { (bucket.openTime, bucket.row.candle.open) = (time, price) }
            if time >= bucket.closeTime { (bucket.closeTime, bucket.row.candle.close) = (time, price) }
            bucket.row.candle.high = max(bucket.row.candle.high, price)
            bucket.row.candle.low = min(bucket.row.candle.low, price)
            bucket.row.candle.volume += tick.volume
            if key.start < timeframe.bucketStart(of: newest) { bucket.row.number += 1 }
            buckets[key] = bucket
        }
    }

    // MARK: The store

    /// All that is final is being written.
    mutating func beginWriting() {
        var batch: [Key: Revision] = [:]
        for key in waiting {
            guard let newest = newest[key.market], key.start < key.timeframe.bucketStart(of: newest) else { continue }
            batch[key] = buckets[key]?.row
        }
        waiting.subtract(batch.keys)
        batches.append(batch)
    }

    /// It was not written, and waits again.
    mutating func writingFailed() { if let batch = batches.popLast() { waiting.formUnion(batch.keys) } }

    /// What was written before the last time is on disk for good.
    mutating func synced() {
        for batch in batches.dropLast() { Self.apply(batch, to: &durable) }
        batches = batches.suffix(1)
        // Old ones are not looked for any more than the store keeps them.
        if durable.count > 40_000 { durable = durable.filter { !isOld($0.key) } }
        if buckets.count > 20_000 {
            let oldest = newestTrade - 3600
            buckets = buckets.filter { $0.key.timeframe.bucketEnd(ofBucketAt: $0.key.start) > oldest }
        }
    }

    /// The server runs again: bars that were open are forgotten.
    mutating func restarted() { (buckets, newest, waiting) = ([:], [:], []) }

    private static func apply(_ batch: [Key: Revision], to rows: inout [Key: Revision]) {
        for (key, row) in batch where row.number >= rows[key]?.number ?? 0 { rows[key] = row }
    }

    /// Whether the store may have deleted it.
    private func isOld(_ key: Key) -> Bool { Self.ages[key.timeframe].map { key.start < newestTrade - $0 } ?? false }

    /// Compares what was written since the last comparison; at the end everything.
    /// - Parameter mayLose: the power was off: the last writes may be gone, those from some moment on and no others.
    mutating func problem(in store: CandleStore, mayLose: Bool, everything: Bool = false) throws -> String? {
        var since: [Timeframe: Double] = [:]
        for key in batches.flatMap(\.keys) { since[key.timeframe] = min(since[key.timeframe] ?? .infinity, key.start) }
        if everything { for timeframe in Self.timeframes { since[timeframe] = 0 } }
        let found = try Self.read(store, since)
        var state = durable.filter { everything || $0.key.start >= since[$0.key.timeframe] ?? .infinity }
        func differs(_ key: Key, _ row: Revision?) -> Bool {
            guard let row else { return found[key] != nil }
            guard let candles = found[key] else { return !isOld(key) }
            return !candles.contains(row.candle)
        }
        let keys = Set(state.keys).union(found.keys).union(batches.flatMap(\.keys))
        compared += keys.count
        var wrong = keys.filter { differs($0, state[$0]) }
        var fitting = wrong.isEmpty ? 0 : nil as Int?
        for (index, batch) in batches.enumerated() {
            Self.apply(batch, to: &state)
            for key in batch.keys { if differs(key, state[key]) { wrong.insert(key) } else { wrong.remove(key) } }
            if wrong.isEmpty { fitting = index + 1 }
        }
        if mayLose, let fitting {
            for batch in batches.prefix(fitting) { Self.apply(batch, to: &durable) }
            batches = []
            return nil
        }
        if wrong.isEmpty { return nil }
        let key = wrong.min { ($0.start, $0.timeframe.index) < ($1.start, $1.timeframe.index) }!
        return "candle \(key): stored \(found[key] as Any), and the trades make \(state[key] as Any); "
            + "\(wrong.count) differ after \(batches.count) writes"
    }

    /// What is stored, in quarantine or not.
    private static func read(_ store: CandleStore, _ since: [Timeframe: Double]) throws -> [Key: [Candle]] {
        var found: [Key: [Candle]] = [:]
        try store.pool.read { db in
            for (market, symbol) in SimulationFeed.symbols.enumerated() {
                for (timeframe, start) in since {
                    let rows = try Row.fetchCursor(
                        db,
                        sql: """
                            SELECT timestamp, open, high, low, close, volume
                            FROM (SELECT * FROM candles UNION ALL SELECT * FROM quarantined_candles)
                            WHERE timestamp >= ?
                            AND series = (SELECT id FROM series WHERE symbol = ? AND timeframe = ?)
                            """, arguments: [start, symbol, timeframe.rawValue])
                    while let row = try rows.next() {
                        let candle = Candle(
                            timestamp: row[0], open: row[1], high: row[2], low: row[3], close: row[4], volume: row[5])
                        let key = Key(market: market, timeframe: timeframe, start: candle.timestamp)
                        found[key, default: []].append(candle)
                    }
                }
            }
        }
        return found
    }
}
