import Foundation
import Testing

@testable import HistoryStore

@Suite("A file that is written whole")
struct SyncedFileTests {
    let directory: TemporaryDirectory
    init() throws { directory = try TemporaryDirectory() }

    @Test("takes the place of the old one, for its owner alone, and leaves nothing beside it, also after a crash")
    func replaces() throws {
        let path = directory.path + "/head"
        try Data("old".utf8).write(to: URL(fileURLWithPath: path))
        // What a crash left.
        try Data("half".utf8).write(to: URL(fileURLWithPath: path + ".part"))
        try SyncedFile.write(Data("new".utf8), to: path)
        #expect(FileManager.default.contents(atPath: path) == Data("new".utf8))
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["head"])
    }

    @Test("that cannot be written is a sentence, and the old one stays")
    func fails() throws {
        let folder = directory.path + "/folder"
        try FileManager.default.createDirectory(atPath: folder + "/inside", withIntermediateDirectories: true)
        // A folder does not take a file's place.
        let error = try #require(throws: StoreError.self) { try SyncedFile.write(Data("x".utf8), to: folder) }
        #expect(error.code == .unwritable)
        #expect(error.description.hasPrefix("The file \(folder) cannot be written ("), "\(error)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["folder"])
        #expect(throws: StoreError.self) { try SyncedFile.write(Data(), to: "\(directory.path)/none/file") }
    }

    @Test("needs no sync of its folder where the file system has none, as some network file systems")
    func folderWithoutSync() throws {
        // The kernel refuses it for folders of /proc, as those file systems do.
        let folder = open("/proc", O_RDONLY)
        let (result, reason) = (fsync(folder), errno)
        close(folder)
        #expect(result == -1 && reason == EINVAL)
        try SyncedFile.sync(folder: "/proc")
        #expect(throws: SyncedFile.Failure.self) { try SyncedFile.sync("/proc") }
    }
}
