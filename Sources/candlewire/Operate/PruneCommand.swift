import ArgumentParser
import CandlewireServer
import Foundation
import HistoryStore
import MarketModel

/// `candlewire prune`: deletes old candles of a data folder whose server is stopped.
struct PruneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract:
            "Delete old candles, and say what that frees. The server must be stopped; serve --keep-candles does it "
            + "while it runs.",
        discussion: """
            Nothing is deleted of a timeframe where the clock differs from the newest candle by more than its age.

            EXAMPLES
              candlewire prune --keep-candles 1s:7d,1m:90d --dry-run
              candlewire prune --keep-candles 1s:7d --live
            """)

    @Option("How long candles are kept, by timeframe: 1s:7d,1m:90d (d days, w weeks, y years).", "ages")
    var keepCandles: String
    @OptionGroup var store: StoreOptions
    @Flag(help: "The candles of real markets, not those of the simulated exchange.") var live = false
    @Flag(help: "Say what would be deleted, and delete nothing. A server may run.") var dryRun = false

    func run() async throws {
        try await Failure.exitCleanly {
            let retention = try CandleRetention.option(keepCandles)
            let now = Date().timeIntervalSince1970
            if dryRun {
                try DataDirectory.actAsOwner(of: store.directory)
                let place = live ? store.liveDirectory : store.directory
                let candles = try CandleStore(directory: place, mustExist: true)
                let report = try await candles.closing { try await candles.pruneReport(retention, now: now) }
                return show(report, isDryRun: true)
            }
            let (candles, lock) = try store.openToWrite(isLive: live)
            defer { lock.release() }
            let action = "prune --keep-candles \(keepCandles)\(live ? " --live" : "")"
            let report = try await CommandAudit.recording(action, in: store.directory, hasLive: live) {
                try await prune(candles, retention, now: now)
            }
            show(report, isDryRun: false)
        }
    }

    private func prune(_ candles: CandleStore, _ retention: CandleRetention, now: Double) async throws -> PruneReport {
        try await candles.closing {
            var report = try await candles.prune(retention, now: now, pause: .zero)
            if report.reusableBytes > 0 {
                Console.writeError("Writing the file anew, to give its free room back.\n")
                try await candles.vacuum()
                let size = try await candles.size()
                report.fileBytes.after = size.file
                report.reusableBytes = size.free
            }
            return report
        }
    }

    private func show(_ report: PruneReport, isDryRun: Bool) {
        for (timeframe, count) in report.candles.sorted(by: { $0.key.seconds < $1.key.seconds }) {
            Console.write("\(timeframe.rawValue)  \(count) candles \(isDryRun ? "would be deleted" : "deleted")\n")
        }
        for timeframe in report.doubtful {
            Console.write(
                "\(timeframe.rawValue)  nothing deleted: the clock differs from the newest candle "
                    + "(\(RFC3339.text(report.newest ?? 0))) by more than these candles are kept\n")
        }
        let freed = max(0, report.fileBytes.before - report.fileBytes.after)
        Console.write(
            "\(report.count) candles, \(isDryRun ? "about " : "")\(Bytes.text(freed)) of "
                + "\(Bytes.text(report.fileBytes.before)) \(isDryRun ? "would be freed" : "freed").\n")
    }
}

extension CandleRetention {
    /// The value of `--keep-candles`.
    static func option(_ text: String) throws(CommandFailure) -> CandleRetention {
        do throws(StoreError) { return try CandleRetention(text, of: "--keep-candles") } catch {
            throw .usage(error.description)
        }
    }
}
