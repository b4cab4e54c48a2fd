import ArgumentParser
import CandlewireServer
import FinanceChartsKit
import Foundation
import HistoryStore
import MarketModel
import TradingCore

/// `candlewire import`: candles, or trades, of a table into the store.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Read candles or trades of a CSV file into the store.",
        discussion: """
            A header names time, open, high, low, close and perhaps volume; without one
            the columns come in that order. Comma, semicolon or tab stand between them,
            and the file may be compressed with gzip. --columns names the columns
            where the file does not. Bad rows are listed with their line and left out, the
            others are kept. Importing a file twice changes nothing.

            EXAMPLES
              candlewire import btc.csv --symbol BTC-USD --timeframe 1m
              candlewire import sp500.csv.gz --symbol SPX --timeframe 1m \\
                  --time-format "M/D/YYYY H:MM" --time-zone America/New_York
              candlewire import 20131007_spy.csv --symbol SPY --timeframe 1m \\
                  --time-zone America/New_York --price-scale 10000
              candlewire import quotes.csv --symbol EUR/USD --timeframe 1h \\
                  --columns time=1,open=2,high=3,low=4,close=5,volume=none
              candlewire import trades.csv --symbol BTC-USD --trades

            TIMES
              --time-format is auto, s, ms, us or ns (since 1970), ms-of-day (since
              midnight of --date, or of the date in the file's name), rfc3339, or a
              pattern: YYYY MM DD HH MM SS, M D H for numbers without a zero in front,
              hh with AM for 12 hours, Z for the distance from UTC. MM is the minute
              after an hour. auto knows all of them but patterns that begin with the
              day or the month. A daily candle, or a longer one, belongs to the date
              that is written, in whatever zone.

            COARSER CANDLES
              Those that can be made of the imported ones are made where they are
              missing, and completed where they hold less.

            EXIT CODES
              0 imported, 64 wrong usage, 65 the file holds no good row, 66 it cannot be
              read, 73 the store or --rejects cannot be written
            """)

    @Argument("The file; - reads standard input.", "FILE") var file: String
    @Option(help: "Whose candles they are, as BTC-USD.") var symbol: String

    @Option(
        help: ArgumentHelp(
            "Timeframe: \(ChartCommand.timeframes). Of trades, the shortest that is made; default: 1s."),
        transform: ChartCommand.timeframe)
    var timeframe: Timeframe?

    @Flag(help: "The rows are trades: time, price and perhaps volume, oldest first.") var trades = false
    @Option("Which column is which: \(CSVColumnChoice.allowed).", "columns") var columns: String?
    @Option("How times are written.", "format") var timeFormat = "auto"
    @Option(signed: "The time zone of times without one: \(CSVZone.allowed).", "zone") var timeZone = "UTC"
    @Option("The date for times without one.", "YYYY-MM-DD") var date: String?
    @Option("What prices are multiplied by: 10000 where 67.5 is written 675000.", "factor") var priceScale = 1.0

    @Option(help: "Coarser candles to write: missing, all (those that exist are replaced), none.")
    var coarser = "missing"

    @Option("Write the bad rows here, with line and reason.", "FILE") var rejects: String?
    @OptionGroup var storage: StoreOptions

    func run() async throws {
        try await Failure.exitCleanly {
            let format = try format()
            let choices: [String: CoarserCandles] = ["missing": .missing, "all": .all, "none": .none]
            let coarser = try require(choices[coarser], "--coarser must be missing, all or none; it is “\(coarser)”.")
            let input = try ImportInput(file)
            if let rejects {
                try require(
                    !input.isSame(as: rejects), "--rejects \(rejects) is the file that is read; name another one.")
            }
            let rejected = try RejectedRows(path: rejects)
            let (store, lock) = try storage.openToWrite()
            defer { lock.release() }
            let run = ImportRun(
                input: input, format: format, timeframe: timeframe ?? .s1, symbol: symbol, store: store,
                rejected: rejected)
            let outcome = try await CommandAudit.recording(
                "import \(file) --symbol \(symbol)", in: storage.directory, hasLive: false
            ) {
                try await store.closing { try await run.run(coarser: coarser) }
            }
            try rejected.finish()
            print(outcome.summary, terminator: "")
            if outcome.rows > 0, outcome.rows == outcome.rejected { throw ExitCode(65) }
        }
    }

    private func format() throws -> CSVImportFormat {
        try require(trades || timeframe != nil, "--timeframe is missing; it is one of \(ChartCommand.timeframes).")
        try require(
            !symbol.isEmpty && symbol.utf8.allSatisfy { $0 > 32 && $0 != 127 },
            "--symbol “\(symbol)”: a symbol is a name without blanks, as BTC-USD.")
        var format = CSVImportFormat(trades ? .trades : .candles(timeframe ?? .m1))
        if let columns {
            format.columns = try require(
                CSVColumnChoice(columns), "--columns “\(columns)”: \(CSVColumnChoice.allowed).")
        }
        format.timeFormat = try TableOptions.timeFormat(timeFormat)
        format.zone = try TableOptions.zone(timeZone)
        if let date {
            let midnight = CSVTimeFormat.time(date).flatMap {
                $0.truncatingRemainder(dividingBy: 86_400) == 0 ? $0 : nil
            }
            format.day = CivilDate(
                timestamp: try require(midnight, "--date “\(date)” is not a date such as 2014-06-05."))
        }
        try require(
            priceScale > 0 && priceScale.isFinite,
            "--price-scale must be above 0, for example 10000; it is \(priceScale).")
        format.priceScale = priceScale
        return format
    }
}

/// Options of both import and export.
enum TableOptions {
    static func timeFormat(_ text: String) throws -> CSVTimeFormat {
        try require(CSVTimeFormat(text), "--time-format “\(text)”: \(CSVTimeFormat.allowed).")
    }

    static func zone(_ text: String) throws -> CSVZone {
        try require(CSVZone(text), "--time-zone “\(text)”: \(CSVZone.allowed).")
    }
}

/// Reads a file into the store: rows to candles, bad ones aside, all of it as one change.
struct ImportRun {
    struct Outcome {
        var name: String
        var symbol: String
        var timeframe: Timeframe
        var isTrades: Bool
        var rows = 0
        var rejected = 0
        var shown: [String] = []
        var prose: [String] = []
        var doubleTimes = 0
        var wide = WideCandles()
        /// Where a file without a row between two good ones means that nothing was traded.
        var covered: CoveredStretches
        var result = StagedImport.Result()
    }

    let input: ImportInput
    let format: CSVImportFormat
    let timeframe: Timeframe
    let symbol: String
    let store: CandleStore
    let rejected: RejectedRows

    func run(coarser: CoarserCandles) async throws -> Outcome {
        var outcome = Outcome(
            name: input.name, symbol: symbol, timeframe: timeframe, isTrades: format.content == .trades,
            covered: CoveredStretches(timeframe))
        let progress = ProgressLine("reading \(URL(fileURLWithPath: input.name).lastPathComponent)")
        defer { progress.clear() }
        let staged = try await StagedImport(store, symbol: symbol, timeframe: timeframe)
        do {
            try await read(into: staged, &outcome, progress)
            guard outcome.rows > outcome.rejected else {
                await staged.cancel()
                return outcome
            }
            progress.show(1, "writing")
            outcome.result = try await staged.finish(coarser: coarser, quiet: outcome.covered.stretches)
        } catch {
            await staged.cancel()
            throw error
        }
        return outcome
    }

    private func read(into staged: StagedImport, _ outcome: inout Outcome, _ progress: ProgressLine) async throws {
        var reader = CSVImportReader(format, name: input.name)
        var maker = TradeCandles(timeframe: timeframe)
        var candles: [(candle: Candle, quality: CandleQuality)] = []
        var covered = outcome.covered
        var failure: (any Error)?
        var rows = 0
        func place(_ row: CSVImportRow) {
            rows += 1
            do {
                switch row.content {
                case .candle(let candle):
                    candles.append((candle, .complete))
                    covered.add(candle.timestamp)
                case .trade(let trade):
                    if let reason = maker.add(trade, into: &candles) {
                        covered.interrupt()
                        try rejected.add(line: row.line, column: nil, reason: reason, row: row.text)
                    } else {
                        covered.add(trade.timestamp)
                    }
                case .rejected(let error):
                    covered.interrupt()
                    try rejected.add(error, row: row.text)
                }
            } catch { failure = error }
        }
        while try input.next({ try reader.read($0, place) }) {
            if let failure { throw failure }
            if candles.count >= 20_000 {
                for (candle, _) in candles { outcome.wide.look(at: candle) }
                try await staged.add(candles)
                candles.removeAll(keepingCapacity: true)
            }
            progress.show(input.fraction, "\(rows.grouped) rows")
        }
        try reader.finish(place)
        maker.finish(into: &candles)
        if let failure { throw failure }
        for (candle, _) in candles { outcome.wide.look(at: candle) }
        try await staged.add(candles)
        covered.interrupt()
        outcome.covered = covered
        outcome.rows = rows
        outcome.rejected = rejected.count
        outcome.shown = rejected.first
        outcome.prose = reader.prose
        outcome.doubleTimes = reader.doubleTimes
    }
}

extension ImportRun.Outcome {
    /// What happened, for people.
    var summary: String {
        let kind = isTrades ? "trades" : "rows"
        var lines = ["\(name): \(rows.grouped) \(kind), \(timeframe.rawValue) candles of \(symbol)"]
        for text in prose {
            lines.append("  skipped before the data: \(TextTable.printable(String(text.prefix(80))))")
        }
        for text in shown { lines.append("  \(text)") }
        if rejected > shown.count { lines.append("  … and \((rejected - shown.count).grouped) more bad rows") }
        let kept = result.added + result.replaced + result.unchanged + result.kept + result.whole
        lines.append(
            "  kept      \(kept.grouped) candles: \(result.added.grouped) new, "
                + "\(result.replaced.grouped) replaced, \(result.unchanged.grouped) were there already")
        if result.kept > 0 {
            lines.append("  of these  \(result.kept.grouped) stay as a late trade had corrected them")
        }
        if result.whole > 0 {
            lines.append("  of these  \(result.whole.grouped) stay as they hold more than the pieces in the file")
        }
        if !isTrades { lines.append("  repeated  \(result.repeated.grouped) rows with a duplicate time") }
        lines.append("  rejected  \(rejected.grouped) \(kind)")
        if doubleTimes > 0 {
            lines.append("  placed    \(doubleTimes.grouped) times that clocks showed twice, by the rows around them")
        }
        if let sentence = wide.sentence { lines.append("  wide      \(sentence)") }
        if let first = result.first, let last = result.last {
            lines.append("  first     \(TimeText.utc(first)) UTC")
            lines.append("  last      \(TimeText.utc(last)) UTC")
        }
        lines += Self.made(result.coarser)
        if rows == rejected {
            lines.append("There is no good row in it; the store stays as it was.")
        } else if result.changesNothing {
            lines.append("Nothing changed: all of it was in the store already.")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The line about coarser candles; none where none was made.
    static func made(_ coarser: [Timeframe: Int]) -> [String] {
        let made = coarser.filter { $0.value > 0 }.sorted { $0.key.index < $1.key.index }
            .map { "\($0.value.grouped) of \($0.key.rawValue)" }
        return made.isEmpty ? [] : ["  made      " + made.joined(separator: ", ")]
    }
}

extension Int {
    /// `12,345`.
    var grouped: String { description.grouped }
}
