import Foundation
import HistoryStore

/// A file of lines that is only appended to, for its owner alone. When it is full it gets the next name, and the oldest one is
/// deleted. Where it may not be renamed, as in a folder of root, it grows on.
///
/// Several processes may append at the same time: each has a lock on the newest file while it writes to it, renames it, or
/// cuts off half a line after a write that failed.
struct RotatingFile: Sendable {
    /// How long another process may have the lock. One that was stopped in the middle must not stop the server.
    private static let lockTime = Duration.seconds(1)

    /// The newest file, and what it is called as it gets older.
    let paths: [String]
    /// Bytes of a file.
    let maxBytes: Int
    /// Whether the disk is synced for each append.
    let isSynced: Bool

    var path: String { paths[0] }

    /// Appends whole lines.
    /// - Returns: whether they are in the file: all of them, or none.
    func append(_ lines: [UInt8]) -> Bool {
        guard var file = openLocked() else { return false }
        defer { close(file) }
        let size = lseek(file, 0, SEEK_END)
        if size > 0, Int(size) + lines.count > maxBytes, rotate() {
            guard let next = openLocked() else { return false }
            close(file)
            file = next
        }
        let start = lseek(file, 0, SEEK_END)
        // A line that a crash cut off must not swallow the next one.
        var last = UInt8(ascii: "\n")
        if start > 0 { pread(file, &last, 1, start - 1) }
        let bytes = last == UInt8(ascii: "\n") ? lines : [UInt8(ascii: "\n")] + lines
        guard Self.write(bytes, to: file) else {
            // Half a line would make the next one unreadable.
            _ = ftruncate(file, start)
            return false
        }
        return !isSynced || fsync(file) == 0
    }

    /// The newest file, locked until it is closed.
    private func openLocked() -> Int32? {
        let end = ContinuousClock.now + Self.lockTime
        repeat {
            // Not through a link: root's commands write here too, into a folder of another account.
            let file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard file >= 0 else { return nil }
            if flock(file, LOCK_EX | LOCK_NB) == 0, isNewest(file) {
                restrict(file)
                return file
            }
            close(file)
            usleep(2_000)
        } while ContinuousClock.now < end
        return nil
    }

    /// Made by others, or under a wider mask, it may have rights for others. A device keeps its own.
    private func restrict(_ file: Int32) {
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        _ = fchmod(file, 0o600)
        SyncedFile.giveToOwnerOfFolder(file, path)
    }

    /// Whether the file still has its name: another process may have renamed it before this one had the lock.
    private func isNewest(_ file: Int32) -> Bool {
        var (opened, named) = (stat(), stat())
        return fstat(file, &opened) == 0 && stat(path, &named) == 0 && opened.st_ino == named.st_ino
    }

    /// - Returns: whether the newest file has another name now.
    private func rotate() -> Bool {
        // Only as far as names are missing: where the newest file cannot be renamed, no further one is lost each time.
        let free = paths.indices.dropFirst().first { access(paths[$0], F_OK) != 0 } ?? paths.count - 1
        for index in stride(from: free, to: 0, by: -1) {
            guard rename(paths[index - 1], paths[index]) == 0 else { return false }
        }
        return true
    }

    private static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count {
                let count = Foundation.write(file, bytes.baseAddress! + done, bytes.count - done)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                done += count
            }
            return true
        }
    }
}
