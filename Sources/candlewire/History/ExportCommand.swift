import ArgumentParser
import FinanceChartsKit
import Foundation
import HistoryStore

/// `candlewire export`: candles of the store as a table.
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write candles of the store as CSV.",
        discussion: """
            One line a candle, oldest first: timestamp, open, high, low, close, volume,
            with all digits. `candlewire import` reads the file back to the same candles.
            A server may be running.

            EXAMPLES
              candlewire export BTC-USD --timeframe 1m --out btc.csv
              candlewire export BTC-USD --timeframe 1h --from 2024-08-01 --to 2024-09-01 \\
                  --time-format "YYYY-MM-DD HH:MM" --time-zone America/New_York

            EXIT CODES
              0 written, 64 wrong usage, 66 the store has no such candles,
              73 the file cannot be written
            """)

    @Argument(help: "Whose candles, as BTC-USD, or coinbase:BTC-USD of a real market.") var symbol: String

    @Option(help: "Timeframe: \(ChartCommand.timeframes).", transform: ChartCommand.timeframe)
    var timeframe: Timeframe

    @OptionGroup var period: PeriodOptions
    @Option("The file; standard output if not given.", "FILE") var out: String?

    @Option("How times are written: s, ms, us or ns since 1970, rfc3339, or a pattern as for import.", "format")
    var timeFormat = "s"

    @Option(signed: "The clock of --from, --to and the times that are written: \(CSVZone.allowed).", "zone")
    var timeZone = "UTC"

    @OptionGroup var storage: StoreOptions

    func run() async throws {
        try await Failure.exitCleanly {
            let format = try TableOptions.timeFormat(timeFormat)
            try require(format.canWrite, "--time-format \(timeFormat) can be read only; \(CSVTimeFormat.allowed).")
            let zone = try TableOptions.zone(timeZone)
            // A daily candle stands for a date, whatever the clock: see `candlewire import`. So do the days of the period.
            let clock = timeframe.seconds >= 86_400 ? .utc : zone
            let (from, to) = try period.times(zone: clock)
            let table = CandleTable(timeFormat: format, zone: clock)
            // Root writes the file, which may be in its own folder, and reads as the owner of the store.
            let output = try ExportOutput(out)
            let written = try await read(table, from: from, to: to, output)
            try output.finish()
            if let out { print("\(out): \(written.grouped) candles of \(symbol), \(timeframe.rawValue)") }
        }
    }

    private func read(
        _ table: CandleTable, from: Double?, to: Double?, _ output: ExportOutput
    ) async throws -> Int {
        let acting = try DataDirectory.actAsOwner(of: storage.directory)
        defer { acting.end() }
        let store = try await StoreChoice.open(storage.directory, having: symbol)
        return try await store.closing { try await write(table, from: from, to: to, store, output) }
    }

    private func write(
        _ table: CandleTable, from: Double?, to: Double?, _ store: CandleStore, _ output: ExportOutput
    ) async throws -> Int {
        guard let first = try await store.firstTimestamp(symbol: symbol, timeframe: timeframe),
            let last = try await store.lastTimestamp(symbol: symbol, timeframe: timeframe)
        else { throw CommandFailure(66, try await nothing(in: store)) }
        let progress = ProgressLine("writing \(symbol) \(timeframe.rawValue)")
        defer { progress.clear() }
        let start = max(from ?? first, first)
        let end = min(to ?? .infinity, last + 1)
        var written = 0
        try output.write(CandleTable.header)
        try await store.forEachPage(symbol: symbol, timeframe: timeframe, from: start, before: end) { page in
            try output.write(table.text(page))
            written += page.count
            let reached = (page.last?.timestamp ?? start) - start
            progress.show(reached / max(end - start, 1), "\(written.grouped) candles")
        }
        return written
    }

    private func nothing(in store: CandleStore) async throws -> String {
        let timeframes = try await store.timeframes(of: symbol)
        if !timeframes.isEmpty {
            return "\(store.path) has no \(timeframe.rawValue) candles of \(symbol); it has "
                + "\(timeframes.map(\.rawValue).joined(separator: ", "))."
        }
        let symbols = try await store.symbols()
        return "\(store.path) has no candles of \(symbol); it has "
            + (symbols.isEmpty ? "no candles yet." : "those of \(symbols.joined(separator: ", ")).")
    }
}

/// Where a table goes. A file gets its name only when it is whole.
private final class ExportOutput {
    private let path: String?
    private let handle: FileHandle
    private var isFinished = false

    init(_ path: String?) throws {
        self.path = path
        guard let path else {
            handle = .standardOutput
            return
        }
        guard FileManager.default.createFile(atPath: path + ".part", contents: nil),
            let handle = FileHandle(forWritingAtPath: path + ".part")
        else { throw CommandFailure(73, "\(path) cannot be written; check its folder and permissions.") }
        self.handle = handle
    }

    deinit { if let path, !isFinished { try? FileManager.default.removeItem(atPath: path + ".part") } }

    func write(_ text: String) throws {
        do { try handle.write(contentsOf: Data(text.utf8)) } catch { throw failure(error) }
    }

    func finish() throws {
        guard let path else { return }
        do {
            try handle.close()
            guard rename(path + ".part", path) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
            isFinished = true
        } catch {
            throw failure(error)
        }
    }

    private func failure(_ error: any Error) -> CommandFailure {
        CommandFailure(
            73, "\(path ?? "standard output") cannot be written: \((error as NSError).localizedDescription)")
    }
}
