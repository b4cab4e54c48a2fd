import Foundation
import GRDB
import Testing

@testable import HistoryStore

@Suite("A store of another release")
struct StoreMigrationTests {
    let directory: TemporaryDirectory
    let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path + "/test.sqlite"
    }

    private func open(
        _ migrations: KeyValuePairs<String, String>, _ other: String? = nil
    ) throws -> DatabasePool {
        try DatabasePool.open(
            other ?? path, label: "test", store: "test store", busyTimeout: .seconds(1), DatabaseMigrator(migrations),
            synchronous: "NORMAL")
    }

    private static let one: KeyValuePairs = ["1 notes": "CREATE TABLE note (text TEXT)"]
    private static let three: KeyValuePairs = [
        "1 notes": "CREATE TABLE note (text TEXT)", "2 times": "ALTER TABLE note ADD COLUMN time REAL",
        "3 drop": "UPDATE note SET text = NULL",
    ]

    @Test("is copied before it is changed, once, and the release of before reads the copy")
    func copy() throws {
        let old = try open(Self.one)
        try old.write { try $0.execute(sql: "INSERT INTO note VALUES ('kept')") }
        try old.close()
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(!names.contains { $0.contains("before") })
        for _ in 0..<2 {
            let new = try open(Self.three)
            #expect(try new.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM note WHERE text IS NULL") } == 1)
            try new.close()
        }
        let copy = path + ".before-schema-2"
        let attributes = try FileManager.default.attributesOfItem(atPath: copy)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        // The documented way back.
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        try FileManager.default.copyItem(atPath: copy, toPath: path)
        let back = try open(Self.one)
        #expect(try back.read { try String.fetchAll($0, sql: "SELECT text FROM note") } == ["kept"])
        try back.close()
    }

    @Test("that was used by the release of before again is copied again, and the first copy stays")
    func secondCopy() throws {
        let copy = path + ".before-schema-2"
        for text in ["first", "second"] {
            let old = try open(Self.one)
            try old.write { try $0.execute(sql: "INSERT INTO note VALUES (?)", arguments: [text]) }
            try old.close()
            try open(Self.three).close()
            guard text == "first" else { break }
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
            try FileManager.default.copyItem(atPath: copy, toPath: path)
        }
        for (file, texts) in [(copy, ["first"]), (copy + ".2", ["first", "second"])] {
            let kept = try DatabaseQueue(path: file)
            #expect(try kept.read { try String.fetchAll($0, sql: "SELECT text FROM note") } == texts)
            try kept.close()
        }
        let error = try #require(throws: StoreError.self) { _ = try open(Self.one) }
        #expect(error.description.contains("copy \(copy).2 to \(path)"), "\(error)")
    }

    @Test("that is newer is refused by a sentence with its release and the way back")
    func newer() throws {
        try open(Self.one).close()
        try open(Self.three).close()
        let error = try #require(throws: StoreError.self) { _ = try open(Self.one) }
        #expect(error.code == .newerSchema)
        let sentence = error.description
        #expect(
            sentence.contains("written by a newer version of candlewire, \(CandlewireRelease.version)"), "\(sentence)")
        #expect(sentence.contains("copy \(path).before-schema-2 to \(path)"), "\(sentence)")
    }

    @Test("stays as it was where no copy can be made")
    func noCopy() throws {
        // So long that the copy's name is no file's.
        let path = "\(directory.path)/\(String(repeating: "a", count: 245))"
        try open(Self.one, path).close()
        let error = try #require(throws: StoreError.self) { _ = try open(Self.three, path) }
        #expect(error.description.contains("no copy of it can be kept"))
        try open(Self.one, path).close()
    }
}
