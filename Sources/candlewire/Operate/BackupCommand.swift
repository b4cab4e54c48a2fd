import ArgumentParser
import CandlewireServer
import Foundation
import HistoryStore

/// `candlewire backup DIR`: copies the data of a server, which may run meanwhile.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy a server's data into a folder of backups, while the server runs.",
        discussion: """
            A backup has the candles, accounts and conversations as they were at one moment. A second backup into the \
            same folder adds only what changed. One that is interrupted leaves the earlier ones. Docs/operate.md has \
            the rest.

            EXAMPLES
              candlewire backup /mnt/backups --keep 30
              candlewire backup --list /mnt/backups
            """)

    @Argument("The folder of backups; made where it is missing.", "dir") var folder: String
    @OptionGroup var store: StoreOptions

    @Option(signed: "Keep this many backups, and delete older ones. Default: all.", "count") var keep: Int?

    @Option(signed: "Megabytes a second to read, so that the disk has time for the server; 0: no limit.", "mb")
    var maxRate = 50.0

    @Flag(help: "List the backups in the folder, and make none.") var list = false

    func run() async throws {
        try await Failure.exitCleanly {
            try require(!folder.isEmpty, "The folder must not be empty.")
            let backups = BackupFolder(folder)
            guard !list else { return try show(backups.manifests()) }
            var options = Backup.Options()
            try require(
                maxRate == 0 || (1...100_000).contains(maxRate),
                "--max-rate must be from 1 to 100000 megabytes a second, or 0 for no limit; it is \(maxRate).")
            options.maxBytesPerSecond = maxRate == 0 ? nil : maxRate * 1e6
            try require(keep ?? 1 > 0, "--keep must be 1 or more; it is \(keep ?? 0).")
            options.keep = keep
            let line = ProgressLine("backing up")
            let began = ContinuousClock.now
            let outcome = try Backup(of: store.directory, in: backups, options: options) { line.show($0, $1) }.run()
            line.clear()
            let seconds = began.duration(to: .now) / .seconds(1)
            let manifest = outcome.manifest
            Console.write(
                "Backup \(manifest.id): \(manifest.files.count) files, \(Bytes.text(manifest.bytes)), of which "
                    + "\(Bytes.text(outcome.addedBytes)) are new, in \(String(format: "%.1f", seconds)) s.\n")
            if outcome.removed > 0 {
                Console.write("\(outcome.removed) older backup\(outcome.removed == 1 ? " was" : "s were") deleted.\n")
            }
        }
    }

    private func show(_ manifests: [BackupManifest]) {
        if manifests.isEmpty { Console.write("There is no backup in \(folder).\n") }
        for manifest in manifests {
            let rows = manifest.files.reduce(0) { $0 + $1.rows.values.reduce(0, +) }
            Console.write(
                "\(manifest.id)  \(Bytes.text(manifest.bytes)), \(rows) rows, by candlewire \(manifest.version)\n")
        }
    }
}

/// `candlewire restore DIR`: puts a backup in the place of a data directory.
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Put a backup in the place of a data folder. The server must be stopped.",
        discussion: """
            The backup is checked whole before anything is replaced. The replaced folder stays beside the new one.

            EXAMPLES
              candlewire restore /mnt/backups
              candlewire restore /mnt/backups --backup 2026-11-26T191802Z \\
                  --data-dir /tmp/look
              candlewire restore --check /mnt/backups
            """)

    @Argument("The folder of backups.", "dir") var folder: String
    @OptionGroup var store: StoreOptions
    @Option("Which backup, as candlewire backup --list names it. Default: the newest.", "id") var backup: String?
    @Flag(help: "Only read the backup and compare it with its checksums.") var check = false

    func run() async throws {
        try await Failure.exitCleanly {
            try require(!store.directory.isEmpty, "The data directory must not be empty.")
            let line = ProgressLine(check ? "checking" : "restoring")
            let restore = try Restore(backup, from: BackupFolder(folder), to: store.directory) { line.show($0, $1) }
            if check {
                let manifest = try restore.verify()
                line.clear()
                Console.write("Backup \(manifest.id) is whole: \(Bytes.text(manifest.bytes)).\n")
                return
            }
            let outcome = try restore.run()
            line.clear()
            // One that fails leaves the folder as it was.
            CommandAudit.note(
                "restore \(folder) --backup \(outcome.manifest.id)", status: 200, in: store.directory, hasLive: true)
            Console.write("Restored backup \(outcome.manifest.id) into \(store.directory).\n")
            if let replaced = outcome.replaced {
                Console.write("What was there before is in \(replaced); delete it when you do not need it any more.\n")
            }
        }
    }
}

/// Sizes for people.
enum Bytes {
    static func text(_ bytes: Int) -> String {
        var (value, unit) = (Double(bytes), 0)
        let units = ["bytes", "kB", "MB", "GB", "TB"]
        while value >= 1000, unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        return unit == 0 ? "\(bytes) bytes" : String(format: value < 10 ? "%.1f" : "%.0f", value) + " \(units[unit])"
    }
}
