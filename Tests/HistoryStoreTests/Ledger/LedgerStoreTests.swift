import Foundation
import GRDB
import Synchronization
import Testing

@testable import HistoryStore

@Suite("The ledger on disk", .timeLimit(.minutes(15)))
struct LedgerStoreTests {
    let directory: TemporaryDirectory
    init() throws { directory = try TemporaryDirectory() }

    private var file: String { "\(directory.path)/\(LedgerStore.fileName)" }

    @Test("gives back what was written, account by account, in order, after it was opened again")
    func roundTrip() async throws {
        let store = try LedgerStore(directory: directory.path)
        try await store.append(records("paper-main", 1...3) + records("paper-b", 1...2))
        try await store.append(records("paper-main", 4...4))
        #expect(try store.all() == records("paper-b", 1...2) + records("paper-main", 1...4))
        try store.close()
        let again = try LedgerStore(directory: directory.path)
        #expect(try again.all() == records("paper-b", 1...2) + records("paper-main", 1...4))
        try await again.append(records("paper-b", 3...3))
        #expect(try again.all().count == 7)
        try again.close()
    }

    @Test("syncs each commit")
    func isSynced() throws {
        let store = try LedgerStore(directory: directory.path)
        let (synchronous, journal) = try store.queue.pool.writeWithoutTransaction { db in
            (try Int.fetchOne(db, sql: "PRAGMA synchronous"), try String.fetchOne(db, sql: "PRAGMA journal_mode"))
        }
        #expect(synchronous == 2)
        #expect(journal == "wal")
        try store.close()
    }

    @Test("grows by little more than what is written")
    func fileSize() async throws {
        let store = try LedgerStore(directory: directory.path)
        // As long as an order's.
        let body = String(repeating: "x", count: 1100)
        for start in stride(from: 1, to: 4000, by: 100) {
            try await store.append(
                (start..<start + 100).map { sequence in
                    LedgerRecord(
                        account: "paper-main", sequence: sequence, time: Double(sequence), kind: "order_accepted",
                        body: body)
                })
        }
        try store.close()
        let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int ?? 0
        #expect(size < 4000 * 1100 * 3 / 2, "\(size) bytes")
    }

    @Test("writes what many callers want at the same time in few transactions, and answers each after its commit")
    func groupCommit() async throws {
        let store = try LedgerStore(directory: directory.path)
        let path = file
        // The first of them meets the store's own first writes.
        var patient = Configuration()
        patient.busyMode = .timeout(60)
        try await withThrowingTaskGroup(of: Void.self) { [patient] group in
            for account in 0..<40 {
                group.addTask {
                    for number in 1...25 {
                        try await store.append([record("paper-\(account)", number)])
                        // Another connection sees only what is committed.
                        guard number == 25 else { continue }
                        let seen = try await DatabaseQueue(path: path, configuration: patient).read {
                            try Int.fetchOne(
                                $0, sql: "SELECT MAX(sequence) FROM ledger WHERE account = ?",
                                arguments: ["paper-\(account)"])
                        }
                        #expect(seen == 25)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(store.statistics.writtenEntries == 1000)
        #expect(store.statistics.groups < 1000, "\(store.statistics)")
        #expect(try store.all().count == 1000)
        try store.close()
    }

    @Test("answers in the order of the calls")
    func order() async throws {
        let store = try LedgerStore(directory: directory.path)
        let answered = Mutex<[Int]>([])
        await withCheckedContinuation { continuation in
            for number in 1...500 {
                store.append([record("paper-main", number)]) { result in
                    if case .success = result { answered.withLock { $0.append(number) } }
                    if number == 500 { continuation.resume() }
                }
            }
        }
        #expect(answered.withLock { $0 } == Array(1...500))
        try store.close()
    }

    @Test("refuses an entry that would leave a hole or come twice, and writes the others of its group")
    func conflicts() async throws {
        let store = try LedgerStore(directory: directory.path)
        try await store.append(records("paper-main", 1...2))
        for numbers in [2...2, 4...4, 1...3] {
            let error = try await #require(throws: StoreError.self) {
                try await store.append(records("paper-main", numbers))
            }
            #expect(error.code == .outOfOrder)
            #expect(error.description.contains("paper-main"))
        }
        let timeless = LedgerRecord(account: "paper-main", sequence: 3, time: .nan, kind: "deposited", body: "{}")
        await #expect(throws: StoreError.self) { try await store.append([timeless]) }
        try await store.append(records("paper-main", 3...3))
        #expect(try store.all() == records("paper-main", 1...3))
        try store.close()
    }

    @Test("reports a failed write, keeps nothing of it, and refuses what follows until it fits again")
    func failure() async throws {
        var options = LedgerStore.Options()
        options.busyTimeout = .zero
        let store = try LedgerStore(directory: directory.path, options: options)
        try await store.append(records("paper-main", 1...1))
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: file, configuration: configuration)
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        let error = try await #require(throws: StoreError.self) { try await store.append(records("paper-main", 2...3)) }
        #expect(error.code == .busy)
        #expect(store.statistics.isFailing)
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        // The disk works again, but entry 3 has no predecessor.
        await #expect(throws: StoreError.self) { try await store.append(records("paper-main", 4...4)) }
        #expect(try store.all() == records("paper-main", 1...1))
        try await store.append(records("paper-main", 2...2))
        #expect(!store.statistics.isFailing)
        #expect(try store.all() == records("paper-main", 1...2))
        try store.close()
    }

    @Test("refuses at once what goes beyond its bound, and everything once it is closed")
    func bounds() async throws {
        var options = LedgerStore.Options()
        options.waitingLimit = 3
        let store = try LedgerStore(directory: directory.path, options: options)
        let error = try await #require(throws: StoreError.self) { try await store.append(records("paper-main", 1...4)) }
        #expect(error.code == .busy)
        try await store.append(records("paper-main", 1...3))
        try store.close()
        try store.close()
        let closed = try await #require(throws: StoreError.self) {
            try await store.append(records("paper-main", 4...4))
        }
        #expect(closed.code == .closed)
        #expect(FileManager.default.contents(atPath: file)?.isEmpty == false)
    }

    @Test("cannot be changed or shortened by anyone who opens the file")
    func appendOnly() async throws {
        let store = try LedgerStore(directory: directory.path)
        try await store.append(records("paper-main", 1...3))
        for change in ["UPDATE ledger SET body = '{}'", "DELETE FROM ledger WHERE sequence = 3"] {
            await #expect(throws: DatabaseError.self) {
                try await store.queue.pool.write { db in try db.execute(sql: change) }
            }
        }
        try store.close()
    }

    @Test(
        "names the account and the entry that is damaged or missing",
        arguments: [
            (
                "UPDATE ledger SET body = replace(body, '0.2', '0.9') WHERE sequence = 2",
                "entry 2 of account paper-main is not"
            ),
            ("UPDATE ledger SET time = time + 1 WHERE sequence = 3", "entry 3 of account paper-main is not"),
            ("DELETE FROM ledger WHERE sequence = 2", "entry 2 of account paper-main is missing"),
            ("DELETE FROM ledger WHERE sequence = 1", "entry 1 of account paper-main is missing"),
        ])
    func damage(change: String, says: String) async throws {
        let store = try LedgerStore(directory: directory.path)
        try await store.append(records("paper-main", 1...4))
        try await store.queue.pool.write { db in
            try db.execute(sql: "DROP TRIGGER ledger_is_not_changed; DROP TRIGGER ledger_is_not_shortened")
            try db.execute(sql: change)
        }
        let error = try #require(throws: StoreError.self) { _ = try store.all() }
        #expect(error.code == .corrupt)
        #expect(error.description.contains(says), "\(error)")
        try store.close()
    }

    @Test("is distinguished from a file that is no ledger")
    func notALedger() throws {
        try Data(repeating: 7, count: 5000).write(to: URL(fileURLWithPath: file))
        let error = try #require(throws: StoreError.self) { try LedgerStore(directory: directory.path) }
        #expect(error.code == .corrupt)
        #expect(error.description.contains("ledger"))
        var options = LedgerStore.Options()
        options.startsEmpty = true
        try LedgerStore(directory: directory.path, options: options).close()
    }

    @Test("keeps a bounded equity curve that reaches back to its first point")
    func equity() async throws {
        var options = LedgerStore.Options()
        options.equityLimit = 100
        let store = try LedgerStore(directory: directory.path, options: options)
        for number in 0..<1000 {
            store.append(
                [],
                equity: [
                    EquityPoint(
                        account: "paper-main", currency: "USD", timestamp: Double(number), equity: "100000.\(number)")
                ]
            ) { _ in }
        }
        try await store.append(records("paper-main", 1...1))
        let points = try await store.equity(account: "paper-main", currency: "USD", limit: 1000)
        #expect((50...100).contains(points.count))
        #expect(points.first?.timestamp == 0)
        #expect(
            points.last == EquityPoint(account: "paper-main", currency: "USD", timestamp: 999, equity: "100000.999"))
        let times = points.map(\.timestamp)
        #expect(times == times.sorted())
        let newest = try await store.equity(account: "paper-main", currency: "USD", limit: 2)
        #expect(newest.map(\.timestamp) == [998, 999])
        let others = try await store.equity(account: "paper-main", currency: "EUR", limit: 2)
        #expect(others.isEmpty)
        try store.close()
    }

    private func point(_ time: Double, _ equity: String) -> EquityPoint {
        EquityPoint(account: "paper-main", currency: "USD", timestamp: time, equity: equity)
    }

    @Test("of equity points that follow each other within a hundredth of a second, a transaction keeps the last")
    func closePoints() async throws {
        let held = Mutex<[@Sendable () -> Void]>([])
        var options = LedgerStore.Options()
        options.runner = { work in held.withLock { $0.append(work) } }
        let store = try LedgerStore(directory: directory.path, options: options)
        for (time, equity) in [(1, "1"), (1.004, "2"), (1.009, "3"), (1.5, "4"), (1.505, "5"), (1.2, "6"), (2, "7")] {
            store.append([], equity: [point(time, equity)]) { _ in }
        }
        for work in held.withLock({ $0 }) { work() }
        let kept = try await store.equity(account: "paper-main", currency: "USD", limit: 10)
        #expect(kept == [point(1.009, "3"), point(1.2, "6"), point(1.505, "5"), point(2, "7")])
        try store.close()
    }

    @Test("a curve stays bounded after a transaction that thinned it was undone")
    func undoneThinning() async throws {
        var options = LedgerStore.Options()
        options.equityLimit = 100
        let store = try LedgerStore(directory: directory.path, options: options)
        try await store.queue.pool.write { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER refusal BEFORE INSERT ON equity WHEN NEW.equity = 'refused'
                    BEGIN SELECT RAISE(ABORT, 'refused'); END
                    """)
        }
        func append(_ points: [EquityPoint]) async -> Result<Void, StoreError> {
            await withCheckedContinuation { answer in
                store.append([], equity: points) { answer.resume(returning: $0) }
            }
        }
        for number in 0..<100 { try await append([point(Double(number), "\(number)")]).get() }
        let undone = await append([point(100, "100"), point(101, "refused")])
        #expect(throws: StoreError.self) { try undone.get() }
        for number in 100..<160 {
            try await append([point(Double(number), "\(number)")]).get()
            let count = try await store.equity(account: "paper-main", currency: "USD", limit: 1000).count
            #expect(count <= 100)
        }
        try store.close()
    }
}
