import Foundation

/// Keeps a data directory to one process, for as long as it is held. The system releases it when the process ends,
/// however it ends.
public final class DirectoryLock: Sendable {
    private let descriptor: Int32

    /// - Throws: `StoreError` where another process holds the directory.
    public init(_ directory: String) throws(StoreError) {
        let path = "\(directory)/lock"
        let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard opened >= 0 else {
            throw StoreError(.unwritable, "The file \(path) cannot be made; check the permissions of its folder.")
        }
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
            close(opened)
            throw StoreError(
                .busy,
                "The data directory \(directory) is in use by another candlewire; stop it or choose another one with "
                    + "--data-dir.")
        }
        descriptor = opened
    }

    public func release() {
        close(descriptor)
    }
}
