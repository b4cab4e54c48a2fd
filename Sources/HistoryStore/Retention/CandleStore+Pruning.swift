import GRDB
import MarketModel

/// Deletes candles that are older than they are kept, and gives their room back.
extension CandleStore {
    /// Candles that one transaction deletes: a few milliseconds, which those that write ticks wait at most.
    static let pruneBatch = 2_000
    /// Pages that one transaction gives back to the system.
    static let vacuumBatch = 256

    /// What `prune` would delete now. Reads only.
    /// - Complexity: O(n)
    public func pruneReport(_ retention: CandleRetention, now: Double) async throws -> PruneReport {
        let plan = try await prunePlan(retention, now: now)
        var report = plan.report
        let (total, size) = try await read { db in
            let total = try Int.fetchOne(db, sql: "SELECT count(*) FROM candles") ?? 0
            return (max(1, total), try DatabaseSize(db))
        }
        for (id, timeframe, limit) in plan.series {
            let count = try await read { db in
                try Int.fetchOne(
                    db, sql: "SELECT count(*) FROM candles WHERE series = ? AND timestamp < ?", arguments: [id, limit])
            }
            if let count, count > 0 { report.candles[timeframe, default: 0] += count }
        }
        let used = size.fileBytes - size.freeBytes
        let freed = Int(Double(used) * Double(report.count) / Double(total)) + size.freeBytes
        report.fileBytes = (size.fileBytes, size.fileBytes - freed)
        return report
    }

    /// Deletes what is older than it is kept, in small transactions with pauses, so that nobody waits long; then the file
    /// becomes smaller, where it can: files of before 0.2.0 reuse the room instead, until `vacuum`.
    /// - Parameters:
    ///   - now: seconds since 1970 UTC. See `CandleRetention` for what happens where it is wrong.
    ///   - pause: after each transaction.
    public func prune(
        _ retention: CandleRetention, now: Double, pause: Duration = .milliseconds(50)
    ) async throws -> PruneReport {
        let plan = try await prunePlan(retention, now: now)
        var report = plan.report
        report.fileBytes.before = try await read { try DatabaseSize($0).fileBytes }
        for (id, timeframe, limit) in plan.series {
            while true {
                try Task.checkCancellation()
                let deleted = try await deleteBatch(of: id, before: limit)
                if deleted > 0 { report.candles[timeframe, default: 0] += deleted }
                guard deleted >= Self.pruneBatch else { break }
                try await Task.sleep(for: pause)
            }
        }
        if report.count > 0 { try await giveBack(pause: pause) }
        let size = try await read { try DatabaseSize($0) }
        report.fileBytes.after = size.fileBytes
        report.reusableBytes = size.freeBytes
        return report
    }

    /// Writes the whole file anew, without free room. Others wait for it, so no server may run. It needs as much room again
    /// on the disk. Afterwards `prune` makes the file smaller by itself.
    public func vacuum() async throws {
        do {
            try await pool.writeWithoutTransaction { db in
                // Takes effect with the next VACUUM.
                try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
                try db.execute(sql: "VACUUM")
                _ = try db.checkpoint(.truncate)
            }
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Bytes of the database file, and of the free pages in it.
    public func size() async throws -> (file: Int, free: Int) {
        let size = try await read { try DatabaseSize($0) }
        return (size.fileBytes, size.freeBytes)
    }

    private struct Plan: Sendable {
        var series: [(id: Int64, timeframe: Timeframe, limit: Double)] = []
        var report = PruneReport()
    }

    private func prunePlan(_ retention: CandleRetention, now: Double) async throws -> Plan {
        try await read { db in
            var plan = Plan()
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT id, timeframe, (SELECT min(timestamp) FROM candles WHERE series = id),
                        (SELECT max(timestamp) FROM candles WHERE series = id)
                    FROM series
                    """)
            guard let newest = rows.compactMap({ $0[3] as Double? }).max() else { return plan }
            plan.report.newest = newest
            for row in rows {
                guard let timeframe = Timeframe(rawValue: row[1]), let first = row[2] as Double?,
                    let age = retention.ages[timeframe], first < now - age || first < newest - age
                else { continue }
                if let limit = retention.limit(timeframe, now: now, newest: newest) {
                    if first < limit { plan.series.append((row[0], timeframe, limit)) }
                } else if !plan.report.doubtful.contains(timeframe) {
                    plan.report.doubtful.append(timeframe)
                }
            }
            return plan
        }
    }

    private func deleteBatch(of series: Int64, before limit: Double) async throws -> Int {
        try await write { db in
            let last = try Double.fetchOne(
                db,
                sql: """
                    SELECT timestamp FROM candles WHERE series = ?1 AND timestamp < ?2
                    ORDER BY timestamp LIMIT 1 OFFSET ?3
                    """, arguments: [series, limit, Self.pruneBatch])
            let end = last ?? limit
            try db.execute(
                sql: "DELETE FROM candles WHERE series = ? AND timestamp < ?", arguments: [series, end])
            let deleted = db.changesCount
            // What is deleted can be fetched again.
            try db.execute(sql: "DELETE FROM coverage WHERE series = ? AND stop <= ?", arguments: [series, end])
            try db.execute(
                sql: "UPDATE OR REPLACE coverage SET start = ?2 WHERE series = ?1 AND start < ?2",
                arguments: [series, end])
            return deleted
        }
    }

    private func giveBack(pause: Duration) async throws {
        while true {
            try Task.checkCancellation()
            let remaining = try await write { db in
                guard try Int.fetchOne(db, sql: "PRAGMA auto_vacuum") == 2 else { return 0 }
                try db.execute(sql: "PRAGMA incremental_vacuum(\(Self.vacuumBatch))")
                return try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
            }
            guard remaining > 0 else { break }
            try await Task.sleep(for: pause)
        }
        // The file itself becomes smaller when the log is folded into it. Readers are not waited for: a later one does it.
        _ = try? await pool.writeWithoutTransaction { try $0.checkpoint(.passive) }
    }
}

/// A database's file in bytes.
struct DatabaseSize: Sendable {
    var fileBytes: Int
    var freeBytes: Int

    init(_ db: Database) throws {
        let pageBytes = try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 4096
        fileBytes = try (Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0) * pageBytes
        freeBytes = try (Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0) * pageBytes
    }
}
