import Foundation
import GRDB
import Testing

@testable import HistoryStore

/// Ends the process at a commit, before it or after it.
private final class Killer: TransactionObserver, Sendable {
    let isBefore: Bool
    nonisolated(unsafe) var left: Int

    init(at commit: Int, isBefore: Bool) { (left, self.isBefore) = (commit, isBefore) }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseWillCommit() throws { if isBefore { count() } }
    func databaseDidCommit(_ db: Database) { if !isBefore { count() } }
    func databaseDidRollback(_ db: Database) {}

    private func count() {
        left -= 1
        if left == 0 { kill(getpid(), SIGKILL) }
    }
}

@Suite("A ledger of an older version, deletions and snapshots, wherever the process is killed", .timeLimit(.minutes(5)))
struct LedgerUpgradeTests {
    /// As version 0.1 wrote it.
    static func makeOld(_ directory: String) throws {
        let queue = try DatabaseQueue(path: "\(directory)/\(LedgerStore.fileName)")
        // As version 0.1 opened it.
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
        try LedgerSchema.migrator.migrate(queue, upTo: "1 ledger")
        try queue.write { db in
            try insertOld(records("paper-a", 1...7) + records("paper-b", 1...3), db)
            try db.execute(sql: "INSERT INTO equity VALUES ('paper-a', 'USD', 1, '99')")
        }
        try queue.close()
    }

    fileprivate static func insertOld(_ records: [LedgerRecord], _ db: Database) throws {
        for record in records {
            try db.execute(
                sql: "INSERT INTO ledger (account, sequence, time, kind, body, checksum) VALUES (?, ?, ?, ?, ?, ?)",
                arguments: [
                    record.account, record.sequence, record.time, record.kind, record.body, record.checksum,
                ])
        }
    }

    private static func hashes(_ store: LedgerStore) throws -> [Data?] {
        try store.queue.pool.read { try Row.fetchAll($0, sql: "SELECT hash FROM ledger").map { $0[0] } }
    }

    private static func names(_ directory: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
    }

    private static let copyName = "\(LedgerStore.fileName).before-schema-2"

    @Test(
        "an old ledger opens, gets its hashes, and goes on; the old file is kept as it was", arguments: [true, false])
    func upgrade(hasLinks: Bool) async throws {
        let directory = try TemporaryDirectory()
        try Self.makeOld(directory.path)
        let path = "\(directory.path)/\(LedgerStore.fileName)"
        let old = try Data(contentsOf: URL(fileURLWithPath: path))
        var steps: [LedgerUpgrade.Step] = []
        var upgrade = LedgerUpgrade(path: path)
        upgrade.hasLinks = hasLinks
        upgrade.report = { steps.append($0) }
        try upgrade.run()
        #expect(steps == (1...10).map { .copied($0, of: 10) } + [.written, .kept, .replaced])
        #expect(try Self.names(directory.path) == [LedgerStore.fileName, Self.copyName])
        #expect(try Data(contentsOf: URL(fileURLWithPath: "\(directory.path)/\(Self.copyName)")) == old)
        let store = try LedgerStore(directory: directory.path)
        #expect(try store.all() == records("paper-a", 1...7) + records("paper-b", 1...3))
        #expect(try Self.hashes(store).allSatisfy { $0?.count == 32 })
        let points = try await store.equity(account: "paper-a", currency: "USD", limit: 9)
        #expect(points.map(\.equity) == ["99"])
        let (pageBytes, journal) = try await store.queue.pool.read { db in
            (try Int.fetchOne(db, sql: "PRAGMA page_size"), try String.fetchOne(db, sql: "PRAGMA journal_mode"))
        }
        #expect(pageBytes == 8192 && journal == "wal")
        try await store.append(records("paper-a", 8...8))
        try store.close()
        let again = try LedgerStore(directory: directory.path)
        #expect(try again.all().count == 11)
        try again.close()
        // The documented way back.
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.copyItem(atPath: "\(directory.path)/\(Self.copyName)", toPath: path)
        let back = try DatabaseQueue(path: path)
        #expect(try await back.read(LedgerSchema.migrator.appliedIdentifiers) == ["1 ledger"])
        #expect(try await back.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM ledger") } == 10)
        // What the older version writes then is kept too when it is upgraded again.
        try await back.write { try Self.insertOld(records("paper-b", 4...4), $0) }
        try back.close()
        let missed = try #require(throws: StoreError.self) { try LedgerStore(directory: directory.path) }
        #expect(missed.code == .lost)
        var options = LedgerStore.Options()
        options.acceptsLoss = true
        let second = try LedgerStore(directory: directory.path, options: options)
        #expect(second.acceptedLoss?.contains("account paper-a ends at entry 7") == true)
        #expect(try second.all() == records("paper-a", 1...7) + records("paper-b", 1...4))
        try second.close()
        #expect(try Data(contentsOf: URL(fileURLWithPath: "\(directory.path)/\(Self.copyName)")) == old)
        let kept = try DatabaseQueue(path: "\(directory.path)/\(Self.copyName).2")
        #expect(try await kept.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM ledger") } == 11)
        try kept.close()
    }

    @Test("what an old ledger still has in its write-ahead log is in the new one, and in the one that is kept")
    func oldLog() async throws {
        let directory = try TemporaryDirectory()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = directory.path as String] in
            let pool = try DatabasePool(path: "\(path)/\(LedgerStore.fileName)")
            try LedgerSchema.migrator.migrate(pool, upTo: "1 ledger")
            try await pool.write { try LedgerUpgradeTests.insertOld(records("paper-a", 1...200), $0) }
            kill(getpid(), SIGKILL)
        }
        #expect(try Self.names(directory.path).contains { $0.hasSuffix("-wal") })
        let store = try LedgerStore(directory: directory.path)
        #expect(try store.all() == records("paper-a", 1...200))
        try store.close()
        let kept = try DatabaseQueue(path: "\(directory.path)/\(Self.copyName)")
        #expect(try await kept.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM ledger") } == 200)
        try kept.close()
    }

    @Test("upgraded, a ledger is at most half as large again")
    func size() throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/\(LedgerStore.fileName)"
        let queue = try DatabaseQueue(path: path)
        try LedgerSchema.migrator.migrate(queue, upTo: "1 ledger")
        // As long as an order's and a fill's: with its hash, the one no longer fits a page of 4096 bytes.
        let bodies = [String(repeating: "x", count: 720), String(repeating: "y", count: 930)]
        try queue.write { db in
            try Self.insertOld(
                (1...4000).map { number in
                    var record = record("paper-a", number)
                    record.body = bodies[number % 2]
                    return record
                }, db)
        }
        try queue.close()
        func bytes(_ path: String) throws -> Int {
            try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
        }
        let before = try bytes(path)
        try LedgerStore(directory: directory.path).close()
        let after = try bytes(path)
        #expect(after < before * 3 / 2, "\(before) \(after)")
    }

    @Test("an old entry that was damaged or is missing is named, and nothing has changed")
    func damagedOld() throws {
        for (change, says) in [
            (
                "UPDATE ledger SET time = 5 WHERE account = 'paper-a' AND sequence = 4",
                "entry 4 of account paper-a is not what"
            ),
            ("DELETE FROM ledger WHERE account = 'paper-b' AND sequence = 2", "entry 2 of account paper-b is missing"),
        ] {
            let directory = try TemporaryDirectory()
            try Self.makeOld(directory.path)
            let path = "\(directory.path)/\(LedgerStore.fileName)"
            let queue = try DatabaseQueue(path: path)
            try queue.write { db in
                try db.execute(sql: "DROP TRIGGER ledger_is_not_changed; DROP TRIGGER ledger_is_not_shortened")
                try db.execute(sql: change)
            }
            try queue.close()
            let old = try Data(contentsOf: URL(fileURLWithPath: path))
            let error = try #require(throws: StoreError.self) { try LedgerStore(directory: directory.path) }
            #expect(error.code == .corrupt)
            #expect(error.description.contains(says), "\(error)")
            #expect(try Self.names(directory.path) == [LedgerStore.fileName])
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == old)
        }
    }

    @Test("without room for a second file, a sentence says how much is needed, and nothing has changed")
    func noRoom() throws {
        let directory = try TemporaryDirectory()
        try Self.makeOld(directory.path)
        var upgrade = LedgerUpgrade(path: "\(directory.path)/\(LedgerStore.fileName)")
        upgrade.freeBytes = { _ in 300_000 }
        let error = try #require(throws: StoreError.self) { try upgrade.run() }
        #expect(error.code == .full)
        #expect(error.description.contains("1.0 MB must be free on its disk, and 0.3 MB are; make room."), "\(error)")
        #expect(try Self.names(directory.path) == [LedgerStore.fileName])
    }

    @Test("while another process reads an old ledger, it is not replaced")
    func isRead() async throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/\(LedgerStore.fileName)"
        let pool = try DatabasePool(path: path)
        try LedgerSchema.migrator.migrate(pool, upTo: "1 ledger")
        try await pool.write { try Self.insertOld(records("paper-a", 1...3), $0) }
        let error = try #require(throws: StoreError.self) { try LedgerUpgrade(path: path).run() }
        #expect(error.code == .busy)
        #expect(error.description.contains("is being read by another process"), "\(error)")
        try pool.close()
        let store = try LedgerStore(directory: directory.path)
        #expect(try store.all().count == 3)
        try store.close()
    }

    @Test(
        "killed at any step, the next start finds the old ledger or the new one",
        arguments: ["copied(1, of: 10)", "copied(10, of: 10)", "written", "kept", "replaced"])
    func killedUpgrade(at step: String) async throws {
        let directory = try TemporaryDirectory()
        try Self.makeOld(directory.path)
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = directory.path as String, step] in
            var upgrade = LedgerUpgrade(path: "\(path)/\(LedgerStore.fileName)")
            upgrade.report = { if "\($0)" == step { kill(getpid(), SIGKILL) } }
            try upgrade.run()
        }
        let store = try LedgerStore(directory: directory.path)
        let hashes = try Self.hashes(store)
        #expect(try store.all().count == 10)
        try store.close()
        #expect(try !Self.names(directory.path).contains { $0.hasSuffix(".part") })
        #expect(try Self.names(directory.path).count { $0.contains("before-schema") } == 1)
        let kept = try DatabaseQueue(path: "\(directory.path)/\(Self.copyName)")
        #expect(try await kept.read(LedgerSchema.migrator.appliedIdentifiers) == ["1 ledger"])
        try kept.close()
        // The same hashes as without a crash.
        let other = try TemporaryDirectory()
        try Self.makeOld(other.path)
        let whole = try LedgerStore(directory: other.path)
        #expect(try Self.hashes(whole) == hashes)
        try whole.close()
    }

    @Test(
        "killed at any commit of a snapshot, a deletion and the removal after it, it opens, and is right",
        arguments: 1...9, [true, false])
    func killedDeletion(commit: Int, isBefore: Bool) async throws {
        let directory = try TemporaryDirectory()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = directory.path as String, commit, isBefore] in
            let store = try LedgerStore(directory: path)
            var many = records("paper-a", 1...9)
            for number in many.indices {
                many[number].index.order = .init(number: number + 1, symbol: "X", status: "filled")
            }
            try await store.append(many + records("paper-b", 1...2))
            let pool = store.queue.pool
            pool.add(transactionObserver: Killer(at: commit, isBefore: isBefore), extent: .databaseLifetime)
            await withCheckedContinuation { continuation in
                store.keep(
                    LedgerSnapshot(account: "paper-a", sequence: 9, openedAt: 1, state: [1, 2], events: [3])
                ) { _ in continuation.resume() }
            }
            try await pool.write { db in
                // What the store's writer does in one transaction, and its removal in short steps.
                let previous = try #require(try LedgerReading.heads(db)["paper-a"])
                let end = deletion("paper-a", 10)
                try db.execute(
                    LedgerSchema.insert,
                    [
                        end.account, end.sequence, end.time, end.kind, end.body, nil as String?,
                        Data(end.hash(after: previous.hash).bytes), Data(previous.hash.bytes),
                    ])
                try db.execute(sql: "INSERT INTO deletions (account, sequence) VALUES ('paper-a', 10)")
            }
            for _ in 0..<20 { _ = try await pool.write { try LedgerStore.sweep("paper-a", limit: 2, $0) } }
            kill(getpid(), SIGKILL)
        }
        let store = try LedgerStore(directory: directory.path)
        let rows = try store.all()
        #expect(rows.filter { $0.account == "paper-b" } == records("paper-b", 1...2))
        let rest = rows.filter { $0.account == "paper-a" }
        let isDeleted = rest == [deletion("paper-a", 10)]
        #expect(isDeleted || rest == records("paper-a", 1...9), "\(rest.map(\.sequence))")
        #expect(try store.snapshots(of: "paper-a").allSatisfy { _ in !isDeleted })
        let found = try LedgerInspection.run(directory: directory.path) { inspection in
            (try inspection.headProblem(), try inspection.follow("paper-a") { _ in nil })
        }
        #expect(found.0 == nil && found.1 == nil)
        // The next start goes on with the removal.
        try store.sweepDeleted()
        try await store.append(isDeleted ? records("paper-a", 11...11) : records("paper-a", 10...10))
        try await store.queue.pool.writeWithoutTransaction { _ in }
        let left = try await store.queue.pool.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM ledger") }
        #expect(left == (isDeleted ? 4 : 12))
        try store.close()
    }

    @Test("a deleted account leaves its last entry, and what is removed cannot be removed from others")
    func deleted() async throws {
        let directory = try TemporaryDirectory()
        let store = try LedgerStore(directory: directory.path)
        try await store.append(records("paper-a", 1...4) + records("paper-b", 1...2))
        await #expect(throws: DatabaseError.self) {
            try await store.queue.pool.write { db in
                try db.execute(sql: "INSERT INTO deletions (account, sequence) VALUES ('paper-b', 2)")
                try db.execute(sql: "DELETE FROM ledger WHERE account = 'paper-b'")
            }
        }
        try await store.append([deletion("paper-a", 5)])
        // Behind the removal on the writer's queue.
        try await store.append(records("paper-b", 3...3))
        try await store.queue.pool.writeWithoutTransaction { _ in }
        #expect(try store.all() == [deletion("paper-a", 5)] + records("paper-b", 1...3))
        // Its name goes on where it ended.
        try await store.append(records("paper-a", 6...7))
        try store.close()
        let again = try LedgerStore(directory: directory.path)
        #expect(try again.all() == [deletion("paper-a", 5)] + records("paper-a", 6...7) + records("paper-b", 1...3))
        try again.close()
    }

    @Test("of snapshots the newest two are kept, and one that the key did not sign is not used")
    func snapshots() async throws {
        let directory = try TemporaryDirectory()
        let store = try LedgerStore(directory: directory.path)
        try await store.append(records("paper-a", 1...9))
        func keep(_ sequence: Int) async {
            await withCheckedContinuation { continuation in
                store.keep(
                    LedgerSnapshot(
                        account: "paper-a", sequence: sequence, openedAt: 5, state: [UInt8(sequence)], events: [7])
                ) { _ in continuation.resume() }
            }
        }
        for sequence in [3, 6, 8, 20] { await keep(sequence) }
        #expect(try store.snapshots(of: "paper-a").map(\.sequence) == [8, 6])
        var after: [Int] = []
        try store.load("paper-a", after: store.snapshots(of: "paper-a")[0]) { after.append($0.sequence) }
        #expect(after == [9])
        try await store.queue.pool.write {
            try $0.execute(sql: "UPDATE snapshots SET state = x'09' WHERE sequence = 8")
        }
        #expect(try store.snapshots(of: "paper-a").map(\.sequence) == [6])
        try store.close()
    }

    /// Four hundred entries, each of which ended an order, and snapshots at two of them.
    private static func makeLong(_ directory: String) async throws -> LedgerStore {
        let store = try LedgerStore(directory: directory)
        var all = records("paper-a", 1...400)
        for number in all.indices {
            all[number].index.order = .init(number: number + 1, symbol: "X", status: "filled")
            if number % 3 == 0 { all[number].principal = "someone" }
        }
        try await store.append(all + records("paper-b", 1...2))
        for sequence in [390, 395] {
            await withCheckedContinuation { continuation in
                store.keep(
                    LedgerSnapshot(account: "paper-a", sequence: sequence, openedAt: 5, state: [1], events: [7])
                ) { _ in continuation.resume() }
            }
        }
        return store
    }

    private static func checkLong(_ store: LedgerStore, blocks: ClosedRange<Int>) async throws {
        let rows = try store.all().filter { $0.account == "paper-a" }
        #expect(rows.map(\.body) == records("paper-a", 1...400).map(\.body))
        #expect(rows.count { $0.principal == "someone" } == 134)
        #expect(try store.snapshots(of: "paper-a").map(\.sequence) == [395, 390])
        var after: [Int] = []
        try store.load("paper-a", after: store.snapshots(of: "paper-a")[1]) { after.append($0.sequence) }
        #expect(after == Array(391...400))
        let page = try await store.orders(.init(account: "paper-a", first: 1, before: 261, limit: 200))
        #expect(page.map(\.sequence) == (61...260).reversed())
        #expect(page[0].body == record("paper-a", 260).body && page[199].body == record("paper-a", 61).body)
        let count = try await store.queue.pool.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM blocks") }
        #expect(blocks.contains(count ?? -1))
    }

    @Test("the past is compressed and stays what it is; a changed block is noticed, and none can be removed")
    func compact() async throws {
        let directory = try TemporaryDirectory()
        let store = try await Self.makeLong(directory.path)
        let (before, after) = try store.compact()
        #expect(after < before * 3 / 4, "\(before) \(after)")
        try await Self.checkLong(store, blocks: 3...3)
        _ = try store.compact()
        try await Self.checkLong(store, blocks: 3...3)
        for change in ["DELETE FROM blocks", "UPDATE blocks SET last = last"] {
            await #expect(throws: DatabaseError.self) {
                try await store.queue.pool.write { db in try db.execute(sql: change) }
            }
        }
        try store.close()
        func problem() throws -> String? {
            try LedgerInspection.run(directory: directory.path) { try $0.follow("paper-a") { _ in nil } }
        }
        #expect(try problem() == nil)
        let file = try DatabaseQueue(path: "\(directory.path)/\(LedgerStore.fileName)")
        try await file.write { db in
            try db.execute(sql: "DROP TRIGGER blocks_are_not_changed")
            try db.execute(
                sql: "UPDATE blocks SET content = (SELECT content FROM blocks WHERE first = 129) WHERE first = 1")
        }
        try file.close()
        #expect(try problem()?.hasPrefix("one of the entries 1 to 128 of account paper-a is not") == true)
    }

    @Test("a head that names an entry in a block is right, and a deletion removes blocks")
    func headInBlock() async throws {
        let directory = try TemporaryDirectory()
        let store = try await Self.makeLong(directory.path)
        _ = try store.compact()
        try await store.queue.pool.read { db in
            for sequence in [1, 128, 129, 200, 384, 400] {
                var hash = LedgerHash.first
                for var record in records("paper-a", 1...sequence) {
                    if (record.sequence - 1) % 3 == 0 { record.principal = "someone" }
                    hash = record.hash(after: hash)
                }
                let isRight = try LedgerReading.follows(LedgerPosition(sequence: sequence, hash: hash), "paper-a", db)
                let isWrong = try LedgerReading.follows(
                    LedgerPosition(sequence: sequence, hash: .first), "paper-a", db)
                #expect(isRight && !isWrong)
            }
        }
        try await store.append([deletion("paper-a", 401)])
        try await store.append(records("paper-b", 3...3))
        try await store.queue.pool.writeWithoutTransaction { _ in }
        #expect(try store.all() == [deletion("paper-a", 401)] + records("paper-b", 1...3))
        let left = try await store.queue.pool.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM blocks") }
        #expect(left == 0)
        try store.close()
    }

    @Test("killed at any commit of a compaction, it opens, and is what it was", arguments: 1...4, [true, false])
    func killedCompaction(commit: Int, isBefore: Bool) async throws {
        let directory = try TemporaryDirectory()
        try await Self.makeLong(directory.path).close()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = directory.path as String, commit, isBefore] in
            let store = try LedgerStore(directory: path)
            store.queue.pool.add(transactionObserver: Killer(at: commit, isBefore: isBefore), extent: .databaseLifetime)
            for _ in 0..<5 { _ = try await store.queue.pool.write { try LedgerBlock.pack("paper-a", $0) } }
            kill(getpid(), SIGKILL)
        }
        let store = try LedgerStore(directory: directory.path)
        try await Self.checkLong(store, blocks: 0...3)
        let problem = try LedgerInspection.run(directory: directory.path) { inspection in
            try inspection.follow("paper-a") { _ in nil }
        }
        #expect(problem == nil)
        _ = try store.compact()
        try await Self.checkLong(store, blocks: 3...3)
        try store.close()
    }

    @Test("the past is read by pages, and what was refused is bounded")
    func past() async throws {
        let directory = try TemporaryDirectory()
        let store = try LedgerStore(directory: directory.path)
        var all = records("paper-a", 1...20)
        for (place, number) in (1...20).enumerated() {
            all[place].index.order = .init(
                number: number, symbol: number % 2 == 0 ? "X" : "Y", status: number % 5 == 0 ? "filled" : "cancelled")
            all[place].index.fill = .init(number: number, symbol: "X", order: (number + 1) / 2)
        }
        try await store.append(all)
        func orders(_ page: LedgerStore.Page) async throws -> [Int] { try await store.orders(page).map(\.sequence) }
        #expect(try await orders(.init(account: "paper-a", first: 1, before: 21, limit: 3)) == [20, 19, 18])
        #expect(try await orders(.init(account: "paper-a", first: 4, before: 6, limit: 9)) == [5, 4])
        #expect(try await orders(.init(account: "paper-a", first: 1, before: 9, symbol: "Y", limit: 2)) == [7, 5])
        #expect(
            try await orders(.init(account: "paper-a", first: 1, before: 19, statuses: ["filled"], limit: 9))
                == [15, 10, 5])
        #expect(try await orders(.init(account: "paper-b", first: 1, before: 19, limit: 9)) == [])
        let fills = try await store.fills(.init(account: "paper-a", first: 1, before: 21, order: 4, limit: 9))
        #expect(fills == [record("paper-a", 8), record("paper-a", 7)])
        for number in 1...30 {
            store.append(
                [],
                refused: [
                    RefusedRecord(account: "paper-a", number: number, body: "\(number)", oldestKept: number - 9)
                ]
            ) { _ in }
        }
        try await store.append(records("paper-a", 21...21))
        #expect(try store.refused(of: "paper-a").map(\.number) == Array(21...30))
        try store.close()
    }
}
