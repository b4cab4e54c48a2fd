/// A file of a data directory that belongs to its data.
package struct DataFile: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case database
        /// Copied as it is; always replaced whole by those who write it.
        case plain
        /// Copied as it is, up to its end of that moment. A restore leaves one that is there: what happened since is in it.
        case log
    }

    package let name: String
    package let kind: Kind

    /// All of them, in the order in which a backup reads them: what refers to another comes before that one, so that a backup
    /// never has a reference to what it lacks. Conversations name orders; the ledger's head names its entries, and the ledger
    /// names markets.
    package static let all =
        [
            DataFile(name: LedgerStore.keyFileName, kind: .plain),
            DataFile(name: LedgerStore.headFileName, kind: .plain),
            DataFile(name: ConversationStore.fileName, kind: .database),
            DataFile(name: CandleStore.fileName, kind: .database),
            DataFile(name: LedgerStore.fileName, kind: .database),
            DataFile(name: "markets.json", kind: .plain),
        ] + (0..<auditLogs).map { DataFile(name: auditLog($0), kind: .log) }

    /// How many files the audit log has.
    package static let auditLogs = 8

    /// A file of the audit log: 0 is the one that is written, 1 the one before it.
    package static func auditLog(_ number: Int) -> String { number == 0 ? "audit.jsonl" : "audit.\(number).jsonl" }

    /// The parts of a data directory that last: the simulated exchange's, and that of real markets. Those of recordings and of
    /// the tracker begin empty with each start.
    package static let folders = ["", "live"]

    /// The path of each file inside a data directory, in the order of a backup.
    static var paths: [(path: String, kind: Kind)] {
        all.flatMap { file in folders.map { ($0.isEmpty ? file.name : "\($0)/\(file.name)", file.kind) } }
    }

    /// What a program makes again by itself, and what no backup and no restored directory needs.
    static func isTransient(_ name: String) -> Bool {
        ["lock", "replay", "tracker"].contains(name) || name.hasSuffix("-wal") || name.hasSuffix("-shm")
            || name.hasSuffix(".part")
    }
}
