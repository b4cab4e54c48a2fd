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
        try SyncedFile.write(Data((digits + "\n").utf8), to: path)
    }
}
