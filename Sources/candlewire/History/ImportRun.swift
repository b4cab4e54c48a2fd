import FinanceChartsKit
import Foundation
import HistoryStore
import MarketModel

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
            progress.show(input.fraction, "\(Outcome.grouped(rows)) rows")
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
        var lines = ["\(name): \(Self.grouped(rows)) \(kind), \(timeframe.rawValue) candles of \(symbol)"]
        for text in prose {
            lines.append("  passed over before the rows: \(TextTable.printable(String(text.prefix(80))))")
        }
        for text in shown { lines.append("  \(text)") }
        if rejected > shown.count { lines.append("  … and \(Self.grouped(rejected - shown.count)) more bad rows") }
        let kept = result.added + result.replaced + result.unchanged + result.kept + result.whole
        lines.append(
            "  kept      \(Self.grouped(kept)) candles: \(Self.grouped(result.added)) new, "
                + "\(Self.grouped(result.replaced)) replaced, \(Self.grouped(result.unchanged)) were there already")
        if result.kept > 0 {
            lines.append("  of these  \(Self.grouped(result.kept)) stay as a late trade had corrected them")
        }
        if result.whole > 0 {
            lines.append("  of these  \(Self.grouped(result.whole)) stay as they hold more than the pieces in the file")
        }
        if !isTrades { lines.append("  repeated  \(Self.grouped(result.repeated)) rows of a time that came again") }
        lines.append("  rejected  \(Self.grouped(rejected)) \(kind)")
        if doubleTimes > 0 {
            lines.append(
                "  placed    \(Self.grouped(doubleTimes)) times that clocks showed twice, by the rows around them")
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
            .map { "\(grouped($0.value)) of \($0.key.rawValue)" }
        return made.isEmpty ? [] : ["  made      " + made.joined(separator: ", ")]
    }

    static func grouped(_ number: Int) -> String {
        var text = ""
        for (index, digit) in String(number).reversed().enumerated() {
            if index > 0, index % 3 == 0, digit != "-" { text.append(",") }
            text.append(digit)
        }
        return String(text.reversed())
    }
}
