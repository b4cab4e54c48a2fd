package import Foundation

/// Files that must be on the disk before others name them, for their owner alone.
package enum SyncedFile {
    /// A failed call of the system, as a sentence's part.
    struct Failure: LocalizedError {
        let errorDescription: String?

        init(_ what: String) { errorDescription = "\(what): \(String(cString: strerror(errno)))" }
    }

    /// Creates a file, and fails where there is one.
    static func create(_ path: String) throws -> FileHandle {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure("\(path) cannot be made") }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Opens a file to read: no link, and nothing that would be waited for.
    static func read(_ path: String) throws(StoreError) -> FileHandle {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            let reason = errno == ELOOP ? "it is a link" : String(cString: strerror(errno))
            throw StoreError(.other, "The file \(path) cannot be read (\(reason)); put a file in its place.")
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw StoreError(.other, "\(path) is no file; put a file in its place.")
        }
        return file
    }

    /// Writes a file whole: after a crash or a power cut it is the old one or the new one.
    /// - Throws: `StoreError`; then it is the old one, unless the sentence says that it was replaced.
    package static func write(_ data: Data, to path: String) throws(StoreError) {
        let part = "\(path).part"
        var what = "cannot be written"
        do {
            try? FileManager.default.removeItem(atPath: part)
            let file = try create(part)
            giveToOwnerOfFolder(file.fileDescriptor, path)
            try file.write(contentsOf: data)
            try file.synchronize()
            try file.close()
            try move(part, to: path)
            what = "was replaced, and a power cut may bring the old one back"
            try sync(folder: DataDirectory.folder(of: path))
        } catch {
            unlink(part)
            let isFull = (error as? CocoaError)?.code == .fileWriteOutOfSpace
            throw StoreError(
                isFull ? .full : .unwritable, "The file \(path) \(what) (\(error.localizedDescription)).")
        }
    }

    /// What root writes belongs to the owner of its folder: a service without root's rights must be able to read it.
    package static func giveToOwnerOfFolder(_ descriptor: Int32, _ path: String) {
        var (file, owner) = (stat(), stat())
        // Nothing that has another name too, which the owner could have given it.
        guard geteuid() == 0, fstat(descriptor, &file) == 0, file.st_nlink == 1,
            stat(DataDirectory.folder(of: path), &owner) == 0
        else { return }
        _ = fchown(descriptor, owner.st_uid, owner.st_gid)
    }

    /// Waits until a file is on the disk.
    static func sync(_ path: String) throws { try sync(path, isFolder: false) }

    /// Waits until a folder's list of names is on the disk. Some network and FUSE file systems cannot sync a folder; there a
    /// name is as safe as the file system makes it.
    static func sync(folder path: String) throws { try sync(path, isFolder: true) }

    private static func sync(_ path: String, isFolder: Bool) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure("\(path) cannot be opened") }
        defer { close(descriptor) }
        guard fsync(descriptor) != 0 else { return }
        if isFolder, errno == EINVAL || errno == ENOTSUP { return }
        throw Failure("\(path) cannot be written to the disk")
    }

    /// Renames, and waits until the folder has the new name on the disk.
    static func rename(_ old: String, to new: String) throws {
        try move(old, to: new)
        try sync(folder: DataDirectory.folder(of: new))
    }

    private static func move(_ old: String, to new: String) throws {
        guard Foundation.rename(old, new) == 0 else { throw Failure("\(old) cannot be renamed") }
    }

    /// Bytes that are free on the disk of a file or folder; `nil`: it cannot be said.
    package static func freeBytes(_ path: String) -> Int? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        return Int(status.f_bavail) * Int(status.f_frsize)
    }
}
