import ArgumentParser
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

    @OptionGroup
    var venue: VenueOptions

    @OptionGroup
    var period: PeriodOptions

    @OptionGroup
    var storage: StoreOptions

    func run() async throws {
        try await Failure.exitCleanly {
            let (from, to) = try period.times()
            guard let from else { throw CommandFailure.usage("--from is missing: a date such as 2024-08-01.") }
            let market = try venue.resolved()
            let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
            let (store, lock) = try storage.openToWrite(isLive: true)
            defer { lock.release() }
            let run = BackfillRun(
                history: market.history, store: store, symbol: market.symbol, title: market.title,
                stored: market.stored, timeframe: venue.timeframe)
            let work = Task { try await run.run(from: from, to: to ?? .infinity) }
            let watcher = Task {
                for await _ in signals { return work.cancel() }
            }
            defer { watcher.cancel() }
            let result = await work.result
            try await store.close()
            let outcome: BackfillRun.Outcome
            do { outcome = try result.get() } catch  where work.isCancelled {
                // Also while it waits for the venue or writes to the store.
                print("Stopped. What was fetched is kept; the same command goes on from there.")
                throw ExitCode(130)
            }
            print(outcome.summary, terminator: "")
            if outcome.isIncomplete { throw ExitCode(75) }
        }
    }
}
