import Foundation
import GRDB
import Testing

@testable import HistoryStore

@Suite("What shows that a ledger was changed", .timeLimit(.minutes(5)))
struct LedgerIntegrityTests {
    let directory: TemporaryDirectory
    init() throws { directory = try TemporaryDirectory() }

    private func path(_ name: String) -> String { "\(directory.path)/\(name)" }
    private var database: String { path(LedgerStore.fileName) }

    /// A ledger of two accounts that was closed.
    private func make() async throws {
        let store = try LedgerStore(directory: directory.path)
        try await store.append(records("paper-main", 1...5) + records("paper-b", 1...2))
        try store.close()
    }

    /// Changes the file as someone does who is not the server.
    private func change(_ sql: String) throws {
        let queue = try DatabaseQueue(path: database)
        try queue.write { db in
            for trigger in ["ledger_is_not_changed", "ledger_is_not_shortened"] {
                try db.execute(sql: "DROP TRIGGER IF EXISTS \(trigger)")
            }
            try db.execute(sql: sql)
        }
        try queue.close()
    }

    private func opening(_ change: (inout LedgerStore.Options) -> Void = { _ in }) throws -> LedgerStore {
        var options = LedgerStore.Options()
        change(&options)
        return try LedgerStore(directory: directory.path, options: options)
    }

    /// What is wrong with the ledger by a look that changes nothing.
    private func problems() throws -> [String] {
        try LedgerInspection.run(directory: directory.path) { inspection in
            var found = [try inspection.headProblem()].compactMap(\.self)
            for account in try inspection.accounts() {
                if let problem = try inspection.follow(account, { _ in nil }) { found.append(problem) }
            }
            return found
        }
    }

    @Test("a ledger that was left alone is right, open and closed")
    func untouched() async throws {
        let store = try LedgerStore(directory: directory.path)
        try await store.append(records("paper-main", 1...5))
        #expect(try problems() == [])
        try store.close()
        #expect(try problems() == [])
        try opening().close()
    }

    @Test(
        "a missing end of it is noticed at the start, and can be accepted once",
        arguments: [
            ("DELETE FROM ledger WHERE account = 'paper-main' AND sequence = 5", "account paper-main ends at entry 4"),
            ("DELETE FROM ledger WHERE account = 'paper-b'", "account paper-b ends at entry 0"),
            ("DELETE FROM ledger", "is missing: by its head"),
            (
                "UPDATE ledger SET hash = randomblob(32) WHERE account = 'paper-main' AND sequence = 5",
                "entry 5 of account paper-main is not the one"
            ),
            // A row of a forger who does not know of hashes.
            (
                "INSERT INTO ledger (account, sequence, time, kind, body, checksum) VALUES ('paper-main', 6, 1, 'x', '{}', 0)",
                "account paper-main ends at entry 0"
            ),
        ])
    func missing(change sql: String, says: String) async throws {
        try await make()
        try change(sql)
        let error = try #require(throws: StoreError.self) { try opening() }
        #expect(error.code == .lost)
        #expect(error.description.contains(says), "\(error)")
        #expect(error.description.contains("--accept-ledger-loss"))
        #expect(try problems().contains { $0.contains(says) })
        guard !sql.hasPrefix("INSERT"), !sql.hasPrefix("UPDATE") else { return }
        let store = try opening { $0.acceptsLoss = true }
        #expect(store.acceptedLoss?.contains(says) == true)
        try store.close()
        #expect(try problems() == [])
        try opening().close()
    }

    @Test("missing or changed files are noticed, and named")
    func files() async throws {
        try await make()
        let all = [LedgerStore.fileName, LedgerStore.headFileName, LedgerStore.keyFileName]
        let kept = try all.map { try Data(contentsOf: URL(fileURLWithPath: path($0))) }
        func restore() throws {
            for (name, data) in zip(all, kept) {
                try data.write(to: URL(fileURLWithPath: path(name)))
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path(name))
            }
        }
        func sentence() throws -> String {
            let error = try #require(throws: StoreError.self) { try opening() }
            #expect(error.code == .lost, "\(error)")
            return error.description
        }
        for (name, says) in zip(all, ["The ledger", "The head", "The key of the ledger's head"]) {
            try FileManager.default.removeItem(atPath: path(name))
            #expect(try sentence().hasPrefix(says))
            #expect(!FileManager.default.fileExists(atPath: path(name)), "nothing is made in its place")
            try restore()
        }
        let head = try String(contentsOfFile: path(LedgerStore.headFileName), encoding: .utf8)
        try head.replacingOccurrences(of: "\"sequence\" : 5", with: "\"sequence\" : 4")
            .write(toFile: path(LedgerStore.headFileName), atomically: true, encoding: .utf8)
        #expect(try sentence().contains("was changed, or was signed with another key"))
        try restore()
        try (String(repeating: "ab", count: 32) + "\n")
            .write(toFile: path(LedgerStore.keyFileName), atomically: false, encoding: .utf8)
        #expect(try sentence().contains("was changed, or was signed with another key"))
        try restore()
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path(LedgerStore.keyFileName))
        let readable = try #require(throws: StoreError.self) { try opening() }
        #expect(readable.description.contains("Others than its owner may read"))
        try restore()
        try opening().close()
    }

    @Test("a change of any field of any entry breaks the chain there")
    func chain() async throws {
        try await make()
        for (sql, sequence) in [
            ("UPDATE ledger SET body = replace(body, '0.1', '0.7') WHERE account = 'paper-main' AND sequence = 1", 1),
            ("UPDATE ledger SET time = time + 1 WHERE account = 'paper-main' AND sequence = 2", 2),
            ("UPDATE ledger SET kind = 'x' WHERE account = 'paper-main' AND sequence = 3", 3),
            ("UPDATE ledger SET principal = 'mallory' WHERE account = 'paper-main' AND sequence = 4", 4),
        ] {
            let copy = try Data(contentsOf: URL(fileURLWithPath: database))
            try change(sql)
            #expect(try problems() == ["entry \(sequence) of account paper-main is not what was written"])
            try copy.write(to: URL(fileURLWithPath: database))
        }
        #expect(try problems() == [])
    }

    @Test("a key elsewhere is used, and a head that it did not sign is refused")
    func keyElsewhere() async throws {
        let elsewhere = try TemporaryDirectory()
        let key = "\(elsewhere.path)/key"
        try opening { $0.keyFile = key }.close()
        #expect(!FileManager.default.fileExists(atPath: path(LedgerStore.keyFileName)))
        let error = try #require(throws: StoreError.self) { try opening() }
        #expect(error.code == .lost)
        try opening { $0.keyFile = key }.close()
    }

    @Test("an old copy is right with its own head, and is noticed without it")
    func oldCopy() async throws {
        try await make()
        let copy = try TemporaryDirectory()
        let store = try opening()
        // The head first: it then names nothing that the copy lacks.
        for name in [LedgerStore.headFileName, LedgerStore.keyFileName] {
            try FileManager.default.copyItem(atPath: path(name), toPath: "\(copy.path)/\(name)")
        }
        try await store.append(records("paper-main", 6...7))
        let target = try DatabaseQueue(path: "\(copy.path)/\(LedgerStore.fileName)")
        try store.queue.pool.backup(to: target)
        try target.close()
        try await store.append(records("paper-main", 8...9))
        try store.close()
        let restored = try LedgerStore(directory: copy.path)
        #expect(restored.entriesBeyondHead == 2)
        #expect(try restored.all().filter { $0.account == "paper-main" } == records("paper-main", 1...7))
        try restored.close()
        // The newer head with the older database.
        let head = "\(copy.path)/\(LedgerStore.headFileName)"
        try FileManager.default.removeItem(atPath: head)
        try FileManager.default.copyItem(atPath: path(LedgerStore.headFileName), toPath: head)
        let error = try #require(throws: StoreError.self) { try LedgerStore(directory: copy.path) }
        #expect(error.description.contains("account paper-main ends at entry 7, and by its head"), "\(error)")
    }

    @Test("what a crash left of a head that was being written is no harm")
    func unfinishedHead() async throws {
        try await make()
        try "{".write(toFile: path(LedgerStore.headFileName) + ".part", atomically: false, encoding: .utf8)
        let store = try opening()
        try await store.append(records("paper-main", 6...6))
        try store.close()
        #expect(try problems() == [])
    }

    /// Written into the folder by somebody who cannot read the key.
    enum Replacement: CaseIterable {
        case nothing, shorterLedger, oldLedger
    }

    @Test(
        "deleted together with its head, a ledger is missed by a key elsewhere, whatever takes its place",
        arguments: Replacement.allCases)
    func deletedWithHead(_ replacement: Replacement) async throws {
        let elsewhere = try TemporaryDirectory()
        let key = "\(elsewhere.path)/key"
        let store = try opening { $0.keyFile = key }
        try await store.append(records("paper-a", 1...12))
        try store.close()
        try FileManager.default.removeItem(atPath: path(LedgerStore.headFileName))
        switch replacement {
        case .nothing: try FileManager.default.removeItem(atPath: database)
        case .shorterLedger: try change("DELETE FROM ledger_head; DELETE FROM ledger WHERE sequence > 3")
        case .oldLedger:
            try FileManager.default.removeItem(atPath: database)
            try LedgerUpgradeTests.makeOld(directory.path)
        }
        func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() }
        let before = try names()
        let error = try #require(throws: StoreError.self) { try opening { $0.keyFile = key } }
        #expect(error.code == .lost)
        #expect(error.description.contains("missing") && error.description.contains("--accept-ledger-loss"), "\(error)")
        #expect(try names() == before, "nothing is made or converted")
        let seen = try #require(throws: StoreError.self) {
            try LedgerInspection.run(directory: directory.path, keyFile: key) { _ in }
        }
        #expect(seen.code == .lost)
        let accepted = try opening { ($0.keyFile, $0.acceptsLoss) = (key, true) }
        #expect(accepted.acceptedLoss?.contains("missing") == true)
        try accepted.close()
        try opening { $0.keyFile = key }.close()
    }

    @Test("a key is no alarm where it names no head of the folder: made by hand, another ledger's, left by a crash")
    func newKey() async throws {
        let elsewhere = try TemporaryDirectory()
        let (key, digits) = ("\(elsewhere.path)/key", String(repeating: "ab", count: 32))
        try digits.write(toFile: key, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
        let other = try TemporaryDirectory()
        let detour = "\(directory.path)/../\(URL(fileURLWithPath: other.path).lastPathComponent)"
        for folder in [other.path, directory.path, "\(other.path)/./", detour, other.path] {
            var options = LedgerStore.Options()
            options.keyFile = key
            let store = try LedgerStore(directory: folder, options: options)
            #expect(store.keyProblem == nil)
            try store.close()
        }
        let text = try String(contentsOfFile: key, encoding: .utf8)
        #expect(text == "\(digits)\nhead \(other.path)\nhead \(directory.path)\n")
        #expect(try FileManager.default.attributesOfItem(atPath: key)[.posixPermissions] as? Int == 0o600)
        // A ledger that is begun anew on purpose.
        var store = try opening { $0.keyFile = key }
        try await store.append(records("paper-a", 1...3))
        try store.close()
        store = try opening { ($0.keyFile, $0.startsEmpty) = (key, true) }
        #expect(try store.all() == [] && store.acceptedLoss == nil)
        try store.close()
        try opening { $0.keyFile = key }.close()
    }

    @Test("a key's file that cannot be written is a sentence that says what will not be noticed")
    func unwritableKey() throws {
        let error = try #require(throws: StoreError.self) { try LedgerKey.addHead(in: "/data", to: path("none")) }
        #expect(error.description.contains("so it does not name /data"), "\(error)")
        #expect(!FileManager.default.fileExists(atPath: path("none")))
    }
}
