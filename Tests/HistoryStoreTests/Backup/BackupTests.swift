import Foundation
import GRDB
import MarketModel
import Testing

@testable import HistoryStore

@Suite("A backup of a data directory")
struct BackupTests {
    let root: TemporaryDirectory
    let data: String
    let backups: BackupFolder

    init() throws {
        root = try TemporaryDirectory()
        data = root.path + "/data"
        backups = BackupFolder(root.path + "/backups")
    }

    private func options(keep: Int? = nil) -> Backup.Options {
        var options = Backup.Options()
        options.maxBytesPerSecond = nil
        options.keep = keep
        // A page, so that small databases have many chunks.
        options.chunkBytes = 4096
        return options
    }

    private func backUp(keep: Int? = nil, whileFrozen: @escaping () throws -> Void = {}) throws -> Backup.Outcome {
        var backup = Backup(of: data, in: backups, options: options(keep: keep))
        backup.whileFrozen = whileFrozen
        return try backup.run()
    }

    private func restore(_ id: String? = nil, to name: String) throws -> String {
        let place = "\(root.path)/\(name)"
        _ = try Restore(id, from: backups, to: place).run()
        return place
    }

    /// A ledger with these entries, closed.
    private func fillLedger(_ numbers: ClosedRange<Int>, in directory: String? = nil) async throws {
        let ledger = try LedgerStore(directory: directory ?? data)
        try await ledger.append(records("paper", numbers))
        try ledger.close()
    }

    private func entries(in directory: String) throws -> [LedgerRecord] {
        let ledger = try LedgerStore(directory: directory)
        defer { try? ledger.close() }
        return try ledger.all()
    }

    private func entryCount(_ manifest: BackupManifest) -> Int? {
        manifest.files.first { $0.path == "ledger.sqlite" }?.rows["ledger"]
    }

    @Test("has every row of all stores, of both folders, and the added markets")
    func whole() async throws {
        try await fillLedger(1...500)
        try await fillLedger(1...20, in: data + "/live")
        let store = try CandleStore(directory: data)
        _ = try await store.importCandles(candles(3_000), symbol: "BTC-USD", timeframe: .m1)
        try await store.close()
        try ConversationStore(directory: data).close()
        try Data(#"{"markets":[]}"#.utf8).write(to: URL(fileURLWithPath: data + "/live/markets.json"))
        let manifest = try backUp().manifest
        // The head before the ledger, whose entries it names; conversations before the ledger, whose orders they name.
        #expect(
            manifest.files.map(\.path) == [
                "ledger.key", "live/ledger.key", "ledger.head", "live/ledger.head", "conversations.sqlite",
                "candlewire.sqlite", "ledger.sqlite", "live/ledger.sqlite", "live/markets.json",
            ])
        let ledger = try #require(manifest.files.first { $0.path == "ledger.sqlite" })
        #expect(ledger.rows["ledger"] == 500 && ledger.schema == LedgerSchema.migrator.migrations)
        #expect(manifest.version == CandlewireRelease.version)
        let place = try restore(to: "restored")
        #expect(try entries(in: place) == records("paper", 1...500))
        #expect(try entries(in: place + "/live") == records("paper", 1...20))
        let restored = try CandleStore(directory: place, mustExist: true)
        #expect(try await restored.candles(symbol: "BTC-USD", timeframe: .m1, limit: 5_000) == candles(3_000))
        try await restored.close()
        #expect(FileManager.default.contents(atPath: place + "/live/markets.json") == Data(#"{"markets":[]}"#.utf8))
    }

    @Test("has all stores as they were at one moment, whatever is written while it copies")
    func frozen() async throws {
        let ledger = try LedgerStore(directory: data)
        let store = try CandleStore(directory: data)
        try await ledger.append(records("paper", 1...100))
        _ = try await store.importCandles(candles(100), symbol: "A", timeframe: .m1)
        let written = DispatchSemaphore(value: 0)
        let copied = try backUp {
            ledger.append(records("paper", 101...400)) { _ in written.signal() }
            written.wait()
        }
        #expect(entryCount(copied.manifest) == 100)
        // The next one has the rest.
        #expect(entryCount(try backUp().manifest) == 400)
        try ledger.close()
        try await store.close()
        #expect(try entries(in: try restore(copied.manifest.id, to: "early")) == records("paper", 1...100))
        #expect(try entries(in: try restore(to: "late")) == records("paper", 1...400))
    }

    @Test("adds only what changed since the last one")
    func incremental() async throws {
        try await fillLedger(1...5_000)
        let first = try backUp()
        #expect(first.addedBytes > first.manifest.bytes / 2)
        let second = try backUp()
        // SQLite counts the copies in the first page.
        #expect(second.addedBytes <= 4096)
        try await fillLedger(5_001...5_020)
        let third = try backUp()
        #expect(third.addedBytes > 0 && third.addedBytes < first.addedBytes / 10, "\(third.addedBytes)")
        #expect(try entries(in: try restore(to: "all")).count == 5_020)
        #expect(try entries(in: try restore(first.manifest.id, to: "old")).count == 5_000)
    }

    @Test("that is interrupted leaves the last one, and its rest is removed by the next")
    func interrupted() async throws {
        struct Stopped: Error {}
        try await fillLedger(1...2_000)
        let good = try backUp().manifest
        try await fillLedger(2_001...4_000)
        #expect(throws: (any Error).self) { try backUp { throw Stopped() } }
        // What a process leaves that is killed while it writes.
        for name in ["2099-01-01T000000Z.pack.part", "2099-01-01T000000Z.pack", "2099-01-01T000000Z.json.part"] {
            try Data(repeating: 1, count: 10_000).write(to: URL(fileURLWithPath: backups.path(of: name)))
        }
        #expect(try backups.manifest(nil) == good)
        #expect(try entries(in: try restore(to: "good")).count == 2_000)
        #expect(entryCount(try backUp().manifest) == 4_000)
        let names = try FileManager.default.contentsOfDirectory(atPath: backups.path)
        #expect(!names.contains { $0.hasPrefix("2099") || $0 == BackupFolder.workName }, "\(names)")
    }

    @Test("goes with --keep, and what later ones need stays")
    func keep() async throws {
        for number in 0..<6 {
            try await fillLedger(number * 300 + 1...number * 300 + 300)
            _ = try backUp(keep: 2)
        }
        let manifests = try backups.manifests()
        #expect(manifests.map(entryCount) == [1_500, 1_800])
        let packs = try FileManager.default.contentsOfDirectory(atPath: backups.path).filter { $0.hasSuffix(".pack") }
        #expect(Set(packs) == Set(manifests.flatMap { $0.packs.map(\.name) }))
        for manifest in manifests {
            let place = try restore(manifest.id, to: manifest.id)
            #expect(try entries(in: place).count == entryCount(manifest))
        }
    }

    @Test("is written anew where most of an old pack is not needed any more")
    func renewal() async throws {
        try await fillLedger(1...4_000)
        let first = try backUp().manifest
        for name in ["sqlite", "sqlite-wal", "sqlite-shm", "head", "key"] {
            try? FileManager.default.removeItem(atPath: "\(data)/ledger.\(name)")
        }
        try await fillLedger(1...200)
        _ = try backUp()
        let third = try backUp(keep: 1).manifest
        #expect(!third.packs.contains(first.packs[0]))
        #expect(try entries(in: try restore(to: "renewed")).count == 200)
    }

    @Test("that is damaged in any byte is refused, and the directory stays as it was", arguments: [0, 5_000, -1])
    func damaged(position: Int) async throws {
        try await fillLedger(1...1_000)
        let pack = backups.path(of: try backUp().manifest.packs[0].name)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: pack))
        bytes[position < 0 ? bytes.count - 1 : position] ^= 1
        try bytes.write(to: URL(fileURLWithPath: pack))
        let restore = try Restore(nil, from: backups, to: data)
        for use in [{ _ = try restore.verify() }, { _ = try restore.run() }] {
            let error = try #require(throws: StoreError.self) { try use() }
            #expect(error.code == .corrupt && error.description.contains("is not what was written"), "\(error)")
        }
        #expect(try entries(in: data).count == 1_000)
        #expect(try FileManager.default.contentsOfDirectory(atPath: root.path).sorted() == ["backups", "data"])
    }

    @Test("of a database that is damaged is not made")
    func damagedSource() async throws {
        try await fillLedger(1...3_000)
        _ = try backUp()
        let path = data + "/ledger.sqlite"
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        bytes.replaceSubrange(8_192..<12_288, with: repeatElement(0xA5, count: 4_096))
        try bytes.write(to: URL(fileURLWithPath: path))
        let error = try #require(throws: StoreError.self) { try backUp() }
        #expect(error.code == .corrupt && error.description.contains("no backup of it was made"), "\(error)")
        #expect(try backups.manifests().count == 1)
    }

    @Test("is not put over a directory in use; the replaced one stays beside, with the user's own files in both")
    func replacing() async throws {
        try await fillLedger(1...10)
        try Data("token\n".utf8).write(to: URL(fileURLWithPath: data + "/tokens"))
        try Data("1\n".utf8).write(to: URL(fileURLWithPath: data + "/audit.jsonl"))
        _ = try backUp()
        try Data("1\n2\n".utf8).write(to: URL(fileURLWithPath: data + "/audit.jsonl"))
        try await fillLedger(11...30)
        let lock = try DirectoryLock(data)
        let error = try #require(throws: StoreError.self) { try Restore(nil, from: backups, to: data).run() }
        #expect(error.code == .busy, "\(error)")
        lock.release()
        let outcome = try Restore(nil, from: backups, to: data).run()
        #expect(try entries(in: data) == records("paper", 1...10))
        let replaced = try #require(outcome.replaced)
        #expect(try entries(in: replaced) == records("paper", 1...30))
        for place in [data, replaced] {
            #expect(FileManager.default.contents(atPath: place + "/tokens") == Data("token\n".utf8))
            // What was audited since is not undone.
            #expect(FileManager.default.contents(atPath: place + "/audit.jsonl") == Data("1\n2\n".utf8))
        }
        #expect(FileManager.default.contents(atPath: try restore(to: "other") + "/audit.jsonl") == Data("1\n".utf8))
        let attributes = try FileManager.default.attributesOfItem(atPath: data + "/ledger.sqlite")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test("is refused where there is no data, inside the data directory, and for a file that is not known")
    func refusals() async throws {
        #expect(throws: StoreError.self) { try backUp() }
        try await fillLedger(1...5)
        #expect(throws: StoreError.self) {
            try Backup(of: data, in: BackupFolder(data + "/backups"), options: options()).run()
        }
        let manifest = try backUp().manifest
        let path = backups.path(of: "\(manifest.id).json")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try text.replacing("\"path\" : \"ledger.sqlite\"", with: "\"path\" : \"../../escaped\"")
            .write(toFile: path, atomically: true, encoding: .utf8)
        let error = try #require(throws: StoreError.self) { _ = try restore(to: "x") }
        #expect(error.description.contains("does not know"), "\(error)")
        #expect(throws: StoreError.self) { try backups.manifest("../\(manifest.id)") }
    }

    @Test("reads at its pace, and does not make up for pauses")
    func pace() {
        let start = ContinuousClock.now
        var pace = BackupPace(limit: 1_000, now: start)
        #expect(pace.add(500, now: start) == .milliseconds(500))
        #expect(pace.add(500, now: start + .milliseconds(500)) == .milliseconds(500))
        #expect(pace.add(0, now: start + .seconds(60)) == .zero)
        #expect(pace.add(1_000, now: start + .seconds(60)) == .seconds(1))
        var unlimited = BackupPace(limit: nil, now: start)
        #expect(unlimited.add(1_000_000, now: start) == .zero)
    }
}
