import Foundation
import GRDB
import HistoryStore
import Testing

@Suite("Opening a store that cannot be opened")
struct StoreErrorTests {
    let directory: TemporaryDirectory
    init() throws { directory = try TemporaryDirectory() }

    enum Damage: CaseIterable, Sendable {
        case directoryIsAFile, belowAFile, fileIsADirectory, notADatabase, damagedHeader, newerSchema, missing
    }

    @Test("says in one sentence what is wrong, where, and what to do", arguments: Damage.allCases)
    func errors(damage: Damage) async throws {
        let files = FileManager.default
        let file = "\(directory.path)/\(CandleStore.fileName)"
        var path = file
        var mustExist = false
        let code: StoreError.Code
        let advice: String
        switch damage {
        case .directoryIsAFile:
            try Data().write(to: URL(fileURLWithPath: "\(directory.path)/data"))
            path = "\(directory.path)/data/\(CandleStore.fileName)"
            (code, advice) = (.notADirectory, "\(directory.path)/data is a file; choose another directory")
        case .belowAFile:
            try Data().write(to: URL(fileURLWithPath: "\(directory.path)/data"))
            path = "\(directory.path)/data/a/b/\(CandleStore.fileName)"
            (code, advice) = (.notADirectory, "\(directory.path)/data is a file; choose another directory")
        case .fileIsADirectory:
            try files.createDirectory(atPath: file, withIntermediateDirectories: true)
            (code, advice) = (.notADirectory, "choose another path")
        case .notADatabase:
            try Data(repeating: UInt8(ascii: "x"), count: 10_000).write(to: URL(fileURLWithPath: file))
            (code, advice) = (.corrupt, "move it away or choose another")
        case .damagedHeader:
            try await CandleStore(path: file).close()
            var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
            bytes.replaceSubrange(100..<600, with: repeatElement(0xFF, count: 500))
            try bytes.write(to: URL(fileURLWithPath: file))
            (code, advice) = (.corrupt, "move it away or choose another")
        case .newerSchema:
            try await CandleStore(path: file).close()
            let queue = try DatabaseQueue(path: file)
            try await queue.write { db in
                try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('999 from the future')")
            }
            try queue.close()
            (code, advice) = (.newerSchema, "update the program or choose another")
        case .missing:
            mustExist = true
            (code, advice) = (.missing, "run `candlewire serve` first")
        }
        let error = try #require(throws: StoreError.self) { try CandleStore(path: path, mustExist: mustExist) }
        #expect(error.code == code)
        #expect(error.description.contains(advice), "\(error)")
        #expect(error.description.contains(directory.path))
        #expect(!error.description.contains("\n"))
        #expect(error.description.last == ".")
    }

    @Test("does not create anything where the store must exist")
    func mustExist() throws {
        let path = "\(directory.path)/a/b"
        #expect(throws: StoreError.self) { try CandleStore(directory: path, mustExist: true) }
        #expect(!FileManager.default.fileExists(atPath: "\(directory.path)/a"))
    }

    @Test("creates the folders above it")
    func creates() async throws {
        try await CandleStore(directory: "\(directory.path)/a/b/c/").close()
        #expect(FileManager.default.fileExists(atPath: "\(directory.path)/a/b/c/\(CandleStore.fileName)"))
    }
}
