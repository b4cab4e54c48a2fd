import Foundation

/// Where the program keeps its data, and how it makes sure of the folder.
package enum DataDirectory {
    /// The user's data folder for Candlewire: `$XDG_DATA_HOME/candlewire` or `~/.local/share/candlewire` on Linux (XDG
    /// Base Directory Specification 0.8; a relative `XDG_DATA_HOME` is ignored as it requires), `~/Library/Application
    /// Support/candlewire` on Apple platforms. Nothing is created.
    package static func userDefault() -> String {
        userDefault(environment: ProcessInfo.processInfo.environment, home: NSHomeDirectory())
    }

    static func userDefault(environment: [String: String], home: String) -> String {
        #if canImport(Darwin)
            return "\(home)/Library/Application Support/candlewire"
        #else
            if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
                return "\(data.hasSuffix("/") ? String(data.dropLast()) : data)/candlewire"
            }
            return "\(home)/.local/share/candlewire"
        #endif
    }

    /// Where the candles and accounts of real markets are, apart from those of the simulated exchange: there, a market is
    /// stored under its feed's name and its own, `coinbase:BTC-USD`.
    /// - Parameter directory: the data directory.
    package static func live(_ directory: String) -> String { directory + "/live" }

    static func path(of file: String, in directory: String) -> String {
        directory.hasSuffix("/") ? directory + file : "\(directory)/\(file)"
    }

    /// Creates the folder and those above it where they are missing.
    /// - Throws: `StoreError` that names the part of the path that is a file, or that may not be written.
    package static func create(_ directory: String) throws(StoreError) {
        let files = FileManager.default
        var isDirectory: ObjCBool = false
        if files.fileExists(atPath: directory, isDirectory: &isDirectory), isDirectory.boolValue { return }
        if let file = firstFile(on: directory) {
            throw StoreError(
                .notADirectory,
                "The data directory \(directory) cannot be used because \(file) is a file; choose another directory.")
        }
        do {
            // 0700, as the specification requires: the folder will hold accounts and conversations too.
            try files.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw StoreError(
                .unwritable,
                "The data directory \(directory) cannot be created (\((error as NSError).localizedDescription)); "
                    + "check the permissions or choose another directory.")
        }
    }

    /// The first part of a path that exists and is not a folder.
    private static func firstFile(on path: String) -> String? {
        var url = URL(fileURLWithPath: path)
        var shortest: String?
        while url.path != "/" {
            var isDirectory: ObjCBool = false
            if FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory), !isDirectory.boolValue {
                shortest = url.path
            }
            url.deleteLastPathComponent()
        }
        return shortest
    }

    /// The folder of a file; of a bare name the current one. Foundation's `deletingLastPathComponent` ends the program for a
    /// relative path of one character.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}

/// Keeps a directory to one process, for as long as it is held. The system releases it when the process ends, however it
/// ends.
package final class DirectoryLock: Sendable {
    private let descriptor: Int32

    /// - Parameter sentence: what is said where another process holds the directory.
    /// - Throws: `StoreError` where another process holds the directory.
    package init(_ directory: String, inUse sentence: String? = nil) throws(StoreError) {
        let path = "\(directory)/lock"
        // Not through a link, by which root would make a file anywhere.
        let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard opened >= 0 else {
            let reason = SyncedFile.Failure("it cannot be opened").localizedDescription
            throw StoreError(
                .unwritable,
                "The directory \(directory) cannot be locked by the file \(path) (\(reason)); check its permissions.")
        }
        SyncedFile.giveToOwnerOfFolder(opened, path)
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
            close(opened)
            throw StoreError(
                .busy,
                sentence
                    ?? "The data directory \(directory) is in use by another candlewire; stop it or choose another one with "
                    + "--data-dir.")
        }
        descriptor = opened
    }

    /// Waits until no other process has this lock, which is on the folder itself: beside the processes that hold the one above,
    /// for changes of a file in it that is replaced.
    package init(folder: String) throws(StoreError) {
        let opened = open(folder, O_RDONLY | O_CLOEXEC)
        guard opened >= 0, flock(opened, LOCK_EX) == 0 else {
            let reason = SyncedFile.Failure("it cannot be locked").localizedDescription
            if opened >= 0 { close(opened) }
            throw StoreError(.unwritable, "The folder \(folder) cannot be used (\(reason)).")
        }
        descriptor = opened
    }

    package func release() { close(descriptor) }
}
