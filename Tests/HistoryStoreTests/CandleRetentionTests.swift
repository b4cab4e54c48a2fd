import Foundation
import GRDB
import MarketModel
import Testing

@testable import HistoryStore

@Suite("How long candles are kept")
struct CandleRetentionTests {
    static let day = 86_400.0
    /// The newest candle of the stores here.
    static let newest = 1_760_000_040.0

    @Test("is read from TIMEFRAME:AGE")
    func reading() throws {
        #expect(
            try CandleRetention("1s:7d,1m:12w,1h:2y").ages == [.s1: 7 * 86_400, .m1: 84 * 86_400, .h1: 730 * 86_400])
    }

    @Test(
        "is refused with what is allowed",
        arguments: [
            ("1s", "TIMEFRAME:AGE"), ("2s:7d", "1s, 5s"), ("1s:7", "such as 7d"), ("1s:0d", "1d or more"),
            ("1s:-3d", "1d or more"), ("1s:1.5d", "1d or more"), ("1s:99999999y", "1d or more"),
            ("1s:1d,1s:2d", "second age"), ("", "TIMEFRAME:AGE"), ("1s:7d,", "TIMEFRAME:AGE"),
        ])
    func refused(text: String, sentence: String) {
        let error = #expect(throws: StoreError.self) { try CandleRetention(text) }
        #expect(error?.description.contains(sentence) == true, "\(text): \(error?.description ?? "")")
    }

    @Test(
        "counts from the clock or the newest candle, whichever is earlier, and not at all where they disagree by more",
        arguments: [
            (now: 0.0, limit: -7.0), (3, -7), (7, -7), (7.1, nil), (400, nil), (-3, -10), (-7, -14), (-7.1, nil),
        ] as [(now: Double, limit: Double?)])
    func clocks(now: Double, limit: Double?) throws {
        let retention = try CandleRetention("1m:7d")
        #expect(
            retention.limit(.m1, now: Self.newest + now * Self.day, newest: Self.newest)
                == limit.map { Self.newest + $0 * Self.day })
        #expect(retention.limit(.s1, now: Self.newest, newest: Self.newest) == nil)
    }

    /// Minutes of 20 days of two markets, one of which ended ten days ago, and hours.
    private func filled(_ directory: TemporaryDirectory) async throws -> CandleStore {
        let store = try CandleStore(directory: directory.path)
        let minutes = candles(28_800, from: Self.newest - 20 * Self.day + 60)
        _ = try await store.importCandles(minutes, symbol: "A", timeframe: .m1)
        _ = try await store.importCandles(Array(minutes.prefix(14_400)), symbol: "ENDED", timeframe: .m1)
        _ = try await store.importCandles(
            candles(480, from: Self.newest - 20 * Self.day, every: 3600), symbol: "A", timeframe: .h1)
        return store
    }

    @Test("takes older candles in batches, of markets that ended too, says what it frees, and the file becomes smaller")
    func pruning() async throws {
        let directory = try TemporaryDirectory()
        let store = try await filled(directory)
        let retention = try CandleRetention("1m:7d")
        let now = Self.newest + 600
        let planned = try await store.pruneReport(retention, now: now)
        let before = try await store.count(symbol: "A", timeframe: .m1)
        let report = try await store.prune(retention, now: now, pause: .zero)
        #expect(planned.candles == report.candles && planned.newest == report.newest)
        #expect(report.candles == [.m1: 14_400 + before - (try await store.count(symbol: "A", timeframe: .m1))])
        #expect(try await store.firstTimestamp(symbol: "A", timeframe: .m1) == Self.newest - 7 * Self.day)
        #expect(try await store.count(symbol: "ENDED", timeframe: .m1) == 0)
        #expect(try await store.count(symbol: "A", timeframe: .h1) == 480)
        #expect(report.fileBytes.after < report.fileBytes.before / 2, "\(report)")
        let guess = planned.fileBytes.before - planned.fileBytes.after
        let freed = report.fileBytes.before - report.fileBytes.after
        #expect(Double(abs(guess - freed)) < 0.2 * Double(freed), "guessed \(guess), freed \(freed)")
        #expect(try await store.prune(retention, now: now, pause: .zero).count == 0)
        try await store.close()
    }

    @Test("does nothing under a clock that is wrong, and says so", arguments: [400.0, -400])
    func wrongClock(days: Double) async throws {
        let directory = try TemporaryDirectory()
        let store = try await filled(directory)
        let report = try await store.prune(
            try CandleRetention("1m:7d"), now: Self.newest + days * Self.day, pause: .zero)
        #expect(report.count == 0 && report.doubtful == [.m1] && report.newest == Self.newest)
        #expect(try await store.count(symbol: "A", timeframe: .m1) == 28_800)
        try await store.close()
    }

    @Test("a file of before gives its room back after a vacuum, and by itself from then on")
    func oldFile() async throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/\(CandleStore.fileName)"
        // A table of any kind fixes that the file gives nothing back.
        let queue = try DatabaseQueue(path: path)
        try await queue.write { try $0.execute(sql: "CREATE TABLE something (else_)") }
        try queue.close()
        let store = try await filled(directory)
        let first = try await store.prune(try CandleRetention("1m:9d"), now: Self.newest, pause: .zero)
        #expect(first.count > 0 && first.fileBytes.after == first.fileBytes.before && first.reusableBytes > 0)
        try await store.vacuum()
        let (file, free) = try await store.size()
        #expect(file < first.fileBytes.before && free == 0)
        let second = try await store.prune(try CandleRetention("1m:3d"), now: Self.newest, pause: .zero)
        #expect(second.fileBytes.after < second.fileBytes.before && second.reusableBytes == 0)
        try await store.close()
    }

    @Test("what is deleted counts as not fetched")
    func coverage() async throws {
        let directory = try TemporaryDirectory()
        let store = try CandleStore(directory: directory.path)
        let minutes = candles(14_400, from: Self.newest - 10 * Self.day + 60)
        _ = try await store.importCandles(minutes, symbol: "A", timeframe: .m1)
        let queue = try DatabaseQueue(path: store.path)
        try await queue.write { db in
            let series = try Int64.fetchOne(db, sql: "SELECT id FROM series") ?? 0
            for (start, stop) in [(-10.0, -8.0), (-7.5, -2.0)] {
                try db.execute(
                    sql: "INSERT INTO coverage VALUES (?, ?, ?)",
                    arguments: [series, Self.newest + start * Self.day, Self.newest + stop * Self.day])
            }
        }
        try queue.close()
        _ = try await store.prune(try CandleRetention("1m:7d"), now: Self.newest, pause: .zero)
        let limit = Self.newest - 7 * Self.day
        #expect(
            try await store.coverage(symbol: "A", timeframe: .m1) == [limit..<Self.newest - 2 * Self.day])
        try await store.close()
    }
}
