public import Foundation
import GRDB

/// Why a store could not be opened, read or written: one sentence with what, where, and what to do.
public struct StoreError: LocalizedError, Sendable, Equatable, CustomStringConvertible {
    /// What went wrong, for programs. New cases may come.
    public struct Code: Sendable, Equatable {
        private enum Raw: Sendable {
            case missing, notADirectory, unwritable, corrupt, newerSchema, busy, full, closed, outOfOrder, lost, other
        }
        private let raw: Raw
        private init(_ raw: Raw) { self.raw = raw }

        /// There is no store at this place, and the caller required an existing one.
        public static let missing = Code(.missing)
        /// A part of the path is a file.
        public static let notADirectory = Code(.notADirectory)
        /// The folder or file may not be created or written.
        public static let unwritable = Code(.unwritable)
        /// The file is not an SQLite database, or it is damaged.
        public static let corrupt = Code(.corrupt)
        /// A newer version of the program has changed the tables.
        public static let newerSchema = Code(.newerSchema)
        /// Another process held the database longer than the busy timeout.
        public static let busy = Code(.busy)
        /// The disk is full.
        public static let full = Code(.full)
        /// The store was closed before.
        public static let closed = Code(.closed)
        /// An entry of the ledger does not follow the last one that was written.
        public static let outOfOrder = Code(.outOfOrder)
        /// The ledger lacks entries that it had, or what would show it is missing.
        public static let lost = Code(.lost)
        /// Anything else; the description carries SQLite's message.
        public static let other = Code(.other)
    }

    public let code: Code
    /// One sentence for people.
    public let description: String
    public var errorDescription: String? { description }

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// An error of GRDB or of the file system as a sentence for the user. Statements and arguments stay out of the sentence.
    /// - Parameter store: what is at `path`, as people call it.
    package init(_ error: any Error, path: String, store: String = "candle store") {
        switch error {
        case let error as StoreError: self = error
        case let error as DatabaseError: self.init(error, path: path, store: store)
        case is CancellationError: self.init(.closed, "The work on the \(store) \(path) was cancelled.")
        default:
            self.init(.other, "The \(store) \(path) failed: \((error as NSError).localizedDescription).")
        }
    }

    private init(_ error: DatabaseError, path: String, store: String) {
        switch error.resultCode {
        case .SQLITE_NOTADB, .SQLITE_CORRUPT:
            self.init(
                .corrupt,
                "The \(store) \(path) is not an SQLite database or is damaged; move it away or choose another "
                    + "data directory.")
        case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
            self.init(
                .unwritable,
                "The \(store) \(path) cannot be opened for writing; check the permissions of the file and its "
                    + "folder or choose another data directory.")
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(
                .busy, "The \(store) \(path) is locked by another process; stop it or choose another data directory.")
        case .SQLITE_FULL:
            self.init(.full, "The disk that holds the \(store) \(path) is full; make room, writing is retried.")
        case .SQLITE_MISUSE:
            self.init(.closed, "The \(store) \(path) is closed.")
        default:
            self.init(.other, "The \(store) \(path) failed: \(error.message ?? "SQLite error \(error.resultCode)").")
        }
    }
}
