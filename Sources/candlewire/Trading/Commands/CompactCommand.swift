import ArgumentParser
import CandlewireServer
import Foundation
import HistoryStore

/// `candlewire compact`: compresses the ledgers of a data folder.
struct CompactCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact",
        abstract: "Compress the past of the ledgers of a data folder.",
        discussion: """
            Compresses the entries before each account's snapshots, and gives unused space back to the disk. Nothing \
            is lost. The server must be stopped; as much disk space as the ledger has must be free.

            EXAMPLES
              candlewire compact
              candlewire compact --data-dir /var/lib/candlewire
            """)

    @Option("The server's data folder.", "folder") var dataDir = DataDirectory.chosen()
    @Option("The file of the ledger's key, where it is not beside the ledger.", "file") var ledgerKey: String?

    func run() async throws {
        try await Failure.exitCleanly {
            try DataDirectory.actAsOwner(of: dataDir)
            let folders = try LedgerFolders.find(in: dataDir)
            try await CommandAudit.recording("compact", in: dataDir, hasLive: true) {
                for folder in folders { try compact(folder) }
            }
        }
    }

    private func compact(_ folder: String) throws {
        let lock = try DirectoryLock(folder)
        defer { lock.release() }
        var options = LedgerStore.Options()
        options.keyFile = ledgerKey
        options.onUpgrade = { Console.show(Console.upgrade, $0, of: $1) }
        let ledger = try LedgerStore(directory: folder, options: options)
        let (before, after) = try ledger.compact()
        try ledger.close()
        func megabytes(_ bytes: Int) -> String { String(format: "%.1f MB", Double(bytes) / 1e6) }
        Console.write("\(ledger.path): \(megabytes(before)) before, \(megabytes(after)) now\n")
    }
}

/// The folders of a data folder that have ledgers: one for each kind of feed.
enum LedgerFolders {
    static func find(in dataDir: String) throws(CommandFailure) -> [String] {
        let folders = [dataDir, DataDirectory.live(dataDir), dataDir + "/tracker", dataDir + "/replay"].filter {
            folder in
            [LedgerStore.fileName, LedgerStore.headFileName].contains {
                FileManager.default.fileExists(atPath: "\(folder)/\($0)")
            }
        }
        if folders.isEmpty { throw CommandFailure(66, "There is no ledger in \(dataDir).") }
        return folders
    }
}
