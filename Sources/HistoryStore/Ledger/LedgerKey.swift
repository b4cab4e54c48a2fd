import Foundation

/// The secret that signs a ledger's head and its snapshots: whoever can write the database but cannot read the key can make
/// neither.
///
/// Behind the key its file names the folders whose ledger has a head, `head FOLDER` in each line: where the head is deleted
/// together with the ledger, nothing in the folder shows that there were any. Several ledgers may have one key.
struct LedgerKey: Sendable {
    private let key: HMACKey
    /// As lines of the file.
    private let heads: Set<Substring>

    func signature(_ bytes: [UInt8]) -> [UInt8] { key.code(of: bytes) }

    /// In constant time.
    func isSignature(_ signature: [UInt8], of bytes: [UInt8]) -> Bool { key.isCode(signature, of: bytes) }

    /// Reads the key of a file, 64 hexadecimal digits in the first line, that only its owner may read.
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
        let lines = text.split(whereSeparator: \.isNewline)
        let digits = lines.first?.trimmingCharacters(in: .whitespaces) ?? ""
        guard let bytes = [UInt8](hexadecimal: digits), bytes.count == 32 else {
            throw StoreError(
                .corrupt, "The file \(path) is not a ledger's key: its first line must have 64 hexadecimal digits.")
        }
        key = HMACKey(bytes)
        heads = Set(lines.dropFirst())
    }

    /// Makes a key and its file.
    init(creating path: String) throws(StoreError) {
        var random = SystemRandomNumberGenerator()
        let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        key = HMACKey(bytes)
        heads = []
        try SyncedFile.write(Data((bytes.hexadecimal + "\n").utf8), to: path)
    }

    // MARK: Heads

    /// Whether the key's file names a folder.
    func namesHead(in directory: String) -> Bool { heads.contains(Substring(Self.line(directory))) }

    /// Adds a folder to a key's file, at its end: the file keeps its owner, and the key is never rewritten.
    static func addHead(in directory: String, to path: String) throws(StoreError) {
        do {
            let file = open(path, O_RDWR | O_APPEND | O_CLOEXEC)
            guard file >= 0 else { throw SyncedFile.Failure("it cannot be opened") }
            let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
            let isEnded = try handle.readToEnd()?.last == UInt8(ascii: "\n")
            try handle.write(contentsOf: Data(((isEnded ? "" : "\n") + line(directory) + "\n").utf8))
            try handle.synchronize()
        } catch {
            throw StoreError(
                .unwritable,
                "The ledger's key \(path) cannot be written (\(error.localizedDescription)), so it does not name "
                    + "\(directory): that the ledger and its head are deleted together will not be noticed.")
        }
    }

    /// One spelling of each folder. Links stay: whoever can change the folder could replace a part of it by one.
    private static func line(_ directory: String) -> String {
        let path = directory.hasPrefix("/") ? directory : "\(FileManager.default.currentDirectoryPath)/\(directory)"
        let parts = path.split { $0 == "/" || $0.isNewline }.filter { $0 != "." }
        return "head /" + parts.joined(separator: "/")
    }
}
