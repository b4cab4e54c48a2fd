import Crypto
import Foundation

/// The secret that signs a ledger's head and its snapshots: whoever can write the database but cannot read the key can make
/// neither.
struct LedgerKey: Sendable {
    private let key: SymmetricKey

    func signature(_ bytes: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: bytes, using: key))
    }

    /// In constant time.
    func isSignature(_ signature: [UInt8], of bytes: [UInt8]) -> Bool {
        HMAC<SHA256>.isValidAuthenticationCode(signature, authenticating: bytes, using: key)
    }

    /// Reads the key of a file, 64 hexadecimal digits that only its owner may read.
    /// - Returns: `nil` where there is no such file.
    init?(file path: String) throws(StoreError) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        guard status.st_mode & 0o077 == 0 else {
            throw StoreError(
                .unwritable,
                "Others than its owner may read the ledger's key \(path); allow its owner alone: chmod 600.")
        }
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        let bytes = [UInt8](hexadecimal: text.trimmingCharacters(in: .whitespacesAndNewlines))
        guard let bytes, bytes.count == 32 else {
            throw StoreError(
                .corrupt, "The file \(path) is not a ledger's key: it must have 64 hexadecimal digits.")
        }
        key = SymmetricKey(data: bytes)
    }

    /// Makes a key and its file.
    init(creating path: String) throws(StoreError) {
        key = SymmetricKey(size: .bits256)
        let digits = key.withUnsafeBytes { $0.hexadecimal }
        try DurableFile.write(Array((digits + "\n").utf8), to: path)
    }
}

/// Files that a power cut leaves whole: the old one or the new one.
enum DurableFile {
    /// Writes a file for its owner alone. The new content is synced before it gets the file's name: a name without content
    /// is what a power cut could leave otherwise.
    static func write(_ bytes: [UInt8], to path: String) throws(StoreError) {
        let temporary = path + ".new"
        func failed() -> StoreError {
            StoreError(
                errno == ENOSPC ? .full : .unwritable,
                "The file \(path) cannot be written (\(String(cString: strerror(errno)))).")
        }
        let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failed() }
        var isOpen = true
        defer { if isOpen { close(file) } }
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                Foundation.write(file, $0.baseAddress! + written, bytes.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failed() }
            written += count
        }
        guard fsync(file) == 0 else { throw failed() }
        isOpen = false
        guard close(file) == 0, rename(temporary, path) == 0 else { throw failed() }
        syncFolder(of: path)
    }

    /// So that the name survives too. Where it does not the old file is there, which is as good.
    private static func syncFolder(of path: String) {
        let folder = open((path as NSString).deletingLastPathComponent, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }
}
