import Foundation

/// Files that must be on the disk before others name them.
enum SyncedFile {
    /// A failed call of the system, as a sentence's part.
    struct Failure: LocalizedError {
        let errorDescription: String?

        init(_ what: String) { errorDescription = "\(what): \(String(cString: strerror(errno)))" }
    }

    /// Creates a file for its owner alone, and fails where there is one.
    static func create(_ path: String) throws -> FileHandle {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure("\(path) cannot be made") }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Writes a file whole: it is there with all of the data, or not at all.
    static func write(_ data: Data, to path: String) throws {
        let part = "\(path).part"
        try? FileManager.default.removeItem(atPath: part)
        let file = try create(part)
        try file.write(contentsOf: data)
        try file.synchronize()
        try file.close()
        try rename(part, to: path)
    }

    /// Waits until a file, or a folder's list of names, is on the disk.
    static func sync(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure("\(path) cannot be opened") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw Failure("\(path) cannot be written to the disk") }
    }

    /// Renames, and waits until the folder has the new name on the disk.
    static func rename(_ old: String, to new: String) throws {
        guard Foundation.rename(old, new) == 0 else { throw Failure("\(old) cannot be renamed") }
        try sync((new as NSString).deletingLastPathComponent)
    }
}
