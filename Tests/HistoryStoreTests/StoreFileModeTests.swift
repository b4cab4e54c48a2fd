import Foundation
import HistoryStore
import Testing

@Suite("Who may read the stores' files")
struct StoreFileModeTests {
    /// The rights of every file in a folder, by name.
    private static func modes(_ folder: String) throws -> [String: Int] {
        var modes: [String: Int] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
            modes[name] = (attributes[.posixPermissions] as? NSNumber)?.intValue
        }
        return modes
    }

    /// Opens the three stores while `body` looks at their files.
    private static func withStores(_ folder: String, _ body: () throws -> Void) async throws {
        let candles = try CandleStore(directory: folder)
        let conversations = try ConversationStore(directory: folder)
        let ledger = try LedgerStore(directory: folder)
        try body()
        try ledger.close()
        try conversations.close()
        try await candles.close()
    }

    @Test("new files are their owner's alone in a folder that others may read, with what SQLite keeps beside them")
    func new() async throws {
        let directory = try TemporaryDirectory()
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory.path)
        try await Self.withStores(directory.path) {
            let modes = try Self.modes(directory.path)
            #expect(modes.keys.count { $0.hasSuffix(".sqlite-wal") } == 3, "\(modes)")
            #expect(modes.values.allSatisfy { $0 == 0o600 }, "\(modes)")
        }
    }

    @Test("files of before lose the rights of others and keep those of their owner")
    func old() async throws {
        let directory = try TemporaryDirectory()
        try await Self.withStores(directory.path) {}
        // A key that others could read is refused, and stays as it is.
        let files = try Self.modes(directory.path).keys.filter { $0 != LedgerStore.keyFileName }
            .map { "\(directory.path)/\($0)" }
        #expect(files.count >= 3)
        for file in files { try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file) }
        try await Self.withStores(directory.path) {
            let modes = try Self.modes(directory.path)
            #expect(modes.values.allSatisfy { $0 == 0o600 }, "\(modes)")
        }
    }

    @Test("a file that a link leads to keeps its rights")
    func links() async throws {
        let directory = try TemporaryDirectory()
        let other = directory.path + "/other"
        let data = directory.path + "/data"
        try Data("other\n".utf8).write(to: URL(fileURLWithPath: other))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: other)
        try await Self.withStores(data) {}
        let wal = "\(data)/\(CandleStore.fileName)-wal"
        try? FileManager.default.removeItem(atPath: wal)
        try FileManager.default.createSymbolicLink(atPath: wal, withDestinationPath: other)
        _ = try? CandleStore(directory: data)
        #expect(try Self.modes(directory.path)["other"] == 0o644)
    }
}
