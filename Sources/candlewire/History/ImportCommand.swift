import ArgumentParser
import FinanceChartsKit
import Foundation
import HistoryStore

/// `candlewire import`: candles, or trades, of a table into the store.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Read candles or trades of a CSV file into the store.",
        discussion: """
            A header names time, open, high, low, close and perhaps volume; without one
            the columns come in that order. Comma, semicolon or tab stand between them,
            and the file may be packed with gzip. --columns names the columns
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

    @Argument(help: ArgumentHelp("The file; - reads standard input.", valueName: "FILE"))
    var file: String

    @Option(help: "Whose candles they are, as BTC-USD.")
    var symbol: String

    @Option(
        help: ArgumentHelp(
            "Length of a candle: \(ChartCommand.timeframes). Of trades, the shortest that is made; default: 1s."),
        transform: ChartCommand.timeframe)
    var timeframe: Timeframe?

    @Flag(help: "The rows are trades: time, price and perhaps volume, oldest first.")
    var trades = false

    @Option(help: ArgumentHelp("Which column is which: \(CSVColumnChoice.allowed).", valueName: "columns"))
    var columns: String?

    @Option(help: ArgumentHelp("How times are written.", valueName: "format"))
    var timeFormat = "auto"

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The time zone of times without one: \(CSVZone.allowed).", valueName: "zone"))
    var timeZone = "UTC"

    @Option(help: ArgumentHelp("The day of times that hold none.", valueName: "YYYY-MM-DD"))
    var date: String?

    @Option(
        help: ArgumentHelp("What prices are multiplied by: 10000 where 67.5 is written 675000.", valueName: "factor"))
    var priceScale = 1.0

    @Option(help: "Coarser candles to write: missing, all (those that exist are replaced), none.")
    var coarser = "missing"

    @Option(help: ArgumentHelp("Write the bad rows here, with line and reason.", valueName: "FILE"))
    var rejects: String?

    @OptionGroup
    var storage: StoreOptions

    func run() async throws {
        try await Failure.exitCleanly {
            let format = try format()
            let coarser = try coarserCandles()
            let input = try ImportInput(file)
            if let rejects, input.isSame(as: rejects) {
                throw CommandFailure.usage("--rejects \(rejects) is the file that is read; name another one.")
            }
            let rejected = try RejectedRows(path: rejects)
            let (store, lock) = try storage.openToWrite()
            defer { lock.release() }
            let run = ImportRun(
                input: input, format: format, timeframe: timeframe ?? .s1, symbol: symbol, store: store,
                rejected: rejected)
            let outcome = try await store.closing { try await run.run(coarser: coarser) }
            try rejected.finish()
            print(outcome.summary, terminator: "")
            if outcome.rows > 0, outcome.rows == outcome.rejected { throw ExitCode(65) }
        }
    }

    private func format() throws -> CSVImportFormat {
        guard trades || timeframe != nil else {
            throw CommandFailure.usage("--timeframe is missing; it is one of \(ChartCommand.timeframes).")
        }
        guard !symbol.isEmpty, symbol.utf8.allSatisfy({ $0 > 32 && $0 != 127 }) else {
            throw CommandFailure.usage("--symbol “\(symbol)”: a symbol is a name without blanks, as BTC-USD.")
        }
        var format = CSVImportFormat(trades ? .trades : .candles(timeframe ?? .m1))
        if let columns {
            guard let choice = CSVColumnChoice(columns) else {
                throw CommandFailure.usage("--columns “\(columns)”: \(CSVColumnChoice.allowed).")
            }
            format.columns = choice
        }
        format.timeFormat = try TableOptions.timeFormat(timeFormat)
        format.zone = try TableOptions.zone(timeZone)
        if let date {
            guard let midnight = CSVTimeFormat.time(date), midnight.truncatingRemainder(dividingBy: 86_400) == 0 else {
                throw CommandFailure.usage("--date “\(date)” is not a date such as 2014-06-05.")
            }
            format.day = CivilDate(timestamp: midnight)
        }
        guard priceScale > 0, priceScale.isFinite else {
            throw CommandFailure.usage("--price-scale \(priceScale): it is above 0, as 10000.")
        }
        format.priceScale = priceScale
        return format
    }

    private func coarserCandles() throws -> CoarserCandles {
        switch coarser {
        case "missing": return .missing
        case "all": return .all
        case "none": return .none
        default: throw CommandFailure.usage("--coarser “\(coarser)”: it is missing, all or none.")
        }
    }
}

/// Options of both import and export.
enum TableOptions {
    static func timeFormat(_ text: String) throws -> CSVTimeFormat {
        guard let format = CSVTimeFormat(text) else {
            throw CommandFailure.usage("--time-format “\(text)”: \(CSVTimeFormat.allowed).")
        }
        return format
    }

    static func zone(_ text: String) throws -> CSVZone {
        guard let zone = CSVZone(text) else {
            throw CommandFailure.usage("--time-zone “\(text)”: \(CSVZone.allowed).")
        }
        return zone
    }
}
