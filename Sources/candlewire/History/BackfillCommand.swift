import ArgumentParser
import CandlewireServer
import Foundation
import HistoryStore
import MarketFeeds
import MarketModel
import UnixSignals

/// `candlewire backfill`: a venue's own candles into the store, where it does not have them.
struct BackfillCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backfill",
        abstract: "Fetch a venue's candles that the store does not have.",
        discussion: """
            Reads the venue's REST interface page by page, no faster than it allows, and
            keeps each page at once: a run that was interrupted goes on where it stopped.
            What the store has is not fetched again, but for candles that did not see all
            of their trades. The server must not be running on the same data directory.

            EXAMPLES
              candlewire backfill coinbase:BTC-USD --from 2024-08-01 --to 2024-08-08
              candlewire backfill binance:BTCUSDT --from 2020-01-01 --timeframe 1h
              candlewire backfill kraken:BTC/USD --from 2026-11-21 --data-dir data
              candlewire backfill provider:acme.json:BTC-USD --from 2026-11-21

            EXIT CODES
              0 all of it is there, 64 wrong usage, 69 the venue cannot be reached or
              refuses, 73 the store cannot be written, 75 something is missing: older
              than the venue has, running by its clock, or malformed, 130 interrupted
            """)

    @OptionGroup var venue: VenueOptions
    @OptionGroup var period: PeriodOptions
    @OptionGroup var storage: StoreOptions

    func run() async throws {
        try await Failure.exitCleanly {
            let (begin, to) = try period.times()
            let from = try require(begin, "--from is missing: a date such as 2024-08-01.")
            let market = try venue.resolved()
            let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
            let (store, lock) = try storage.openToWrite(isLive: true)
            defer { lock.release() }
            let run = BackfillRun(
                history: market.history, store: store, symbol: market.symbol, title: market.title,
                stored: market.stored, timeframe: venue.timeframe)
            let work = Task { try await run.run(from: from, to: to ?? .infinity) }
            let watcher = Task { for await _ in signals { return work.cancel() } }
            defer { watcher.cancel() }
            let action = "backfill \(venue.market) --timeframe \(venue.timeframe.rawValue)"
            let outcome = try await CommandAudit.recording(action, in: storage.directory, hasLive: true) {
                let result = await work.result
                try await store.close()
                do { return try result.get() } catch  where work.isCancelled {
                    // Also while it waits for the venue or writes to the store.
                    print("Stopped. What was fetched is kept; the same command goes on from there.")
                    throw ExitCode(130)
                }
            }
            print(outcome.summary, terminator: "")
            if outcome.isIncomplete { throw ExitCode(75) }
        }
    }
}

/// Fetches what a series lacks, page by page.
struct BackfillRun {
    struct Outcome: Sendable {
        var title: String
        var timeframe: Timeframe
        /// The requested time, as far as candles can be finished.
        var period: Range<Double>
        var pages = 0
        var candles = 0
        var added = 0
        var replaced = 0
        /// The end of what is older than the venue has, and missing.
        var unreachable: Double?
        /// Where candles begin that the venue holds to be running, though by our clock they are over.
        var unfinished: Double?
        /// Whether the end was requested, and is not only the present.
        var isUnfinishedWanted = false
        /// Candles of which the venue's rows make no sense.
        var malformed = 0
        /// Missing candles for which the venue does not report whether anything was traded.
        var unknown = 0
        var coarser: [Timeframe: Int] = [:]

        /// Whether some of the requested time stays missing.
        var isIncomplete: Bool {
            guard unreachable == nil, malformed == 0 else { return true }
            guard let unfinished else { return false }
            // The newest minutes of "until now" are no loss, whether or not others were fetched; all of it is, and what a
            // venue whose clock is far behind keeps back.
            return isUnfinishedWanted || unfinished <= period.lowerBound
                || period.upperBound - unfinished > max(300, 2 * timeframe.seconds)
        }
    }

    let history: VenueHistory
    let store: CandleStore
    let symbol: String
    /// Behind its feed's name: several feeds may share a history.
    let title: String
    let stored: String
    let timeframe: Timeframe

    func run(from: Double, to: Double) async throws -> Outcome {
        let first = timeframe.bucketStart(of: max(from, 1))
        let start = first < from ? timeframe.bucketEnd(ofBucketAt: first) : first
        let end = timeframe.bucketStart(of: min(to, history.finished(timeframe)))
        var outcome = Outcome(title: title, timeframe: timeframe, period: start..<max(start, end))
        guard start < end else { return outcome }
        outcome.isUnfinishedWanted = to <= history.finished(timeframe)
        var missing = try await store.missingStretches(symbol: stored, timeframe: timeframe, from: start, to: end)
        let earliest = history.earliest(timeframe)
        if let lost = missing.last(where: { $0.lowerBound < earliest }) {
            outcome.unreachable = min(lost.upperBound, earliest)
            missing = missing.compactMap { stretch in
                stretch.upperBound > earliest ? max(stretch.lowerBound, earliest)..<stretch.upperBound : nil
            }
        }
        do { try await fetch(missing, &outcome) } catch {
            // What is kept of an interrupted run counts in the coarser candles, too.
            _ = try? await fillCoarser(start, end)
            throw error
        }
        outcome.coarser = try await fillCoarser(start, end)
        if !history.adapter.omitsEmptyIntervals, outcome.pages > 0 {
            let left = try await store.missingStretches(
                symbol: stored, timeframe: timeframe, from: start, to: outcome.unfinished ?? end)
            outcome.unknown = left.reduce(0) {
                $0 + Int((($1.upperBound - $1.lowerBound) / timeframe.seconds).rounded())
            }
        }
        return outcome
    }

    private func fillCoarser(_ start: Double, _ end: Double) async throws -> [Timeframe: Int] {
        // A cancelled task could not write any more.
        try await Task { [store, stored, timeframe] in
            try await store.fillCoarser(symbol: stored, timeframe: timeframe, from: start, through: end - 1)
        }.value
    }

    private func fetch(_ stretches: [Range<Double>], _ outcome: inout Outcome) async throws {
        let progress = ProgressLine("fetching \(outcome.title)")
        defer { progress.clear() }
        var history = history
        history.onPause = { progress.note("rate limited by the venue; waiting \(Int($0.rounded(.up))) s") }
        let total = stretches.reduce(0) { $0 + $1.upperBound - $1.lowerBound }
        var missing = stretches[...]
        while let stretch = missing.first {
            try Task.checkCancellation()
            // One page serves all holes that lie in it.
            let room = Double(history.adapter.rowsPerPage) * timeframe.seconds
            let within = missing.last { $0.lowerBound < stretch.lowerBound + room } ?? stretch
            let page = try await history.page(
                symbol: symbol, timeframe: timeframe, from: stretch.lowerBound, to: within.upperBound)
            if page.covered.lowerBound > stretch.lowerBound {
                outcome.unreachable = max(outcome.unreachable ?? 0, page.covered.lowerBound)
            }
            guard !page.covered.isEmpty else {
                // The venue's clock is behind ours.
                outcome.unfinished = page.covered.lowerBound
                return
            }
            try await keep(page, &outcome)
            let end = page.covered.upperBound
            missing = missing.drop { $0.upperBound <= end }
            if let first = missing.first, first.lowerBound < end {
                missing[missing.startIndex] = end..<first.upperBound
            }
            let left = missing.reduce(0) { $0 + $1.upperBound - $1.lowerBound }
            progress.show(1 - left / total, "\(outcome.candles.grouped) candles")
        }
    }

    /// Writes a page, and that it was fetched, as one change: neither is ever there without the other.
    private func keep(_ page: HistoryPage, _ outcome: inout Outcome) async throws {
        let staged = try await StagedImport(store, symbol: stored, timeframe: timeframe)
        // A row that only repeats the close before it is not a trade: rolled up, it would move a coarser candle's open.
        let candles = page.candles.filter { !$0.isFiller }.map(\.candle)
        try await staged.add(candles)
        let result = try await staged.finish(coarser: .none, fetched: page.known)
        outcome.pages += 1
        outcome.malformed += page.malformed.count
        outcome.candles += candles.count
        outcome.added += result.added
        outcome.replaced += result.replaced
    }

}

extension BackfillRun.Outcome {
    /// What happened, for people.
    var summary: String {
        guard !period.isEmpty else {
            return "\(title): no \(timeframe.rawValue) candle of that time is finished yet; nothing to fetch.\n"
        }
        var lines = [
            "\(title), \(timeframe.rawValue), \(TimeText.utc(period.lowerBound)) to \(TimeText.utc(period.upperBound)) UTC"
        ]
        if pages == 0 {
            let isAllThere = unreachable == nil && !isIncomplete
            lines.append(
                !isAllThere
                    ? "  the venue has nothing that is missing"
                    : unfinished == nil ? "  all of it is in the store" : "  all of it that is over is in the store")
        } else {
            lines.append(
                "  fetched   \(candles.grouped) candles in \(pages == 1 ? "1 page" : "\(pages.grouped) pages")")
            lines.append("  kept      \(added.grouped) new, \(replaced.grouped) replaced")
        }
        lines += ImportRun.Outcome.made(coarser)
        if let unreachable {
            lines.append(
                "  missing   before \(TimeText.utc(unreachable)) UTC; the venue has only its newest candles. "
                    + "Longer ones (--timeframe) reach further back.")
        }
        if let unfinished {
            lines.append(
                "  open      the venue says the candles from \(TimeText.utc(unfinished)) UTC are not closed yet, but "
                    + "they are by this machine's clock; check the clocks, or try again later.")
        }
        if malformed > 0 {
            lines.append(
                "  invalid   \(malformed.grouped) of the venue's candles were skipped; the same command requests them "
                    + "again.")
        }
        if unknown > 0 {
            lines.append(
                "  unknown   \(unknown.grouped) candles are not there, and the answer does not say whether anything was "
                    + "traded; the same command requests them again.")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

/// The stretches of time that a file covers: from one bad row to the next. Where it has no row between two good ones,
/// nothing was traded, as far as the file knows; what a bad row stood for is unknown.
struct CoveredStretches {
    /// More are not kept: what they cover is then unknown, which costs only the quality of coarser candles.
    static let maxStretches = 10_000

    private(set) var stretches: [Range<Double>] = []
    private let timeframe: Timeframe
    private var current: Range<Double>?

    /// - Parameter timeframe: of the candles that the rows become.
    init(_ timeframe: Timeframe) { self.timeframe = timeframe }

    /// A good row.
    mutating func add(_ time: Double) {
        if let current, current.contains(time) { return }
        let start = timeframe.bucketStart(of: time)
        let end = timeframe.bucketEnd(ofBucketAt: start)
        current = min(current?.lowerBound ?? start, start)..<max(current?.upperBound ?? end, end)
    }

    /// A bad row, or the file's end.
    mutating func interrupt() {
        if let current, stretches.count < Self.maxStretches { stretches.append(current) }
        current = nil
    }
}
