import ArgumentParser
import FinanceChartsKit
import Foundation
import MarketFeeds
import TradingCore

/// `candlewire paper`: a strategy on a recording, filled by the paper exchange, without a server.
struct PaperCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "paper",
        abstract: "Play a recording to the paper exchange, with a simple strategy in each market.",
        discussion: """
            The strategy buys when a fast average of the closes crosses above a slow one, and
            sells when it crosses below. It is there to try the rules by which orders are
            filled, and is not advice. The recording's own clock governs, so the same file
            and flags print the same bytes.

            --json prints all there is to check it by: every request with the trade it was
            made after, every fill with its receipt, the account each 1000 trades, and the
            ledger.

            EXAMPLES
              candlewire paper session.jsonl.gz
              candlewire paper session.jsonl.gz --entries limit,stop --exits bracket
              candlewire paper session.jsonl.gz --participation 0.1 --latency 0.25 \\
                  --slippage 1.5 --leverage 5 --json > run.json

            EXIT CODES
              0 played, 64 wrong usage, 66 the recording cannot be read
            """)

    @Argument(help: ArgumentHelp("The recording: .jsonl or .jsonl.gz.", valueName: "FILE"))
    var file: String

    @Option(help: ArgumentHelp("The venue of the recording, where it cannot be detected.", valueName: "venue"))
    var venue: String?

    @Flag(help: "Print the whole run as a JSON document.")
    var json = false

    @OptionGroup(title: "Strategy")
    var strategy: StrategyOptions

    @OptionGroup(title: "Exchange")
    var rules: RulesOptions

    func run() async throws {
        try await Failure.exitCleanly {
            let known = try venue.map { name throws(FeedError) in try Venue(named: name) }
            let settings = try rules.settings()
            let plan = try strategy.settings(leverage: rules.leverage)
            let recording = try Recording(path: file, venue: known)
            if let note = recording.note { Console.writeError("\(note)\n") }
            var run = try PaperRun(
                recording.markets, timeframe: strategy.timeframe, strategy: plan, settings: settings,
                capital: rules.capital, seed: rules.seed, start: recording.times.first ?? 0)
            try Self.play(recording, to: &run)
            let name = URL(fileURLWithPath: file).lastPathComponent
            let report = PaperReport(run, recording: name, rules: rules.document)
            Console.write(
                json ? String(decoding: try report.json(), as: UTF8.self) : text(of: report, run, recording))
        }
    }

    private static func play(_ recording: Recording, to run: inout PaperRun) throws {
        var session = VenueSession(venue: recording.venue)
        for index in 0..<recording.messageCount {
            recording.withMessage(index) { _ = session.read($0) }
            for trade in session.trades {
                try run.ingest(trade.tick, market: trade.market, now: recording.times[index])
            }
        }
        run.addSnapshot()
    }

    private func text(of report: PaperReport, _ run: PaperRun, _ recording: Recording) -> String {
        let surface = Ink.Surface.standardOutput
        let refused = report.requests.count { $0.refusal != nil }
        let makers = report.fills.count { $0.liquidity == .maker }
        var text = AccountHead(account: report.account.description).text(
            "\(report.recording), averages of \(strategy.fast) and \(strategy.slow) candles of "
                + strategy.timeframe.rawValue, on: surface)
        func count(_ number: Int, _ one: String, _ several: String? = nil) -> String {
            number == 1 ? "1 \(one)" : "\(number) \(several ?? one + "s")"
        }
        let figures = [
            "\(count(report.trades, "trade")) in \(count(recording.markets.count, "market"))",
            "\(count(report.requests.count, "request")), \(refused) refused", count(report.orders.count, "order"),
            "\(count(report.fills.count, "fill")), \(makers) as maker",
            count(report.ledger.count, "ledger entry", "ledger entries"),
        ]
        text += figures.joined(separator: "; ") + "\n\n"
        text += TradingTables.portfolios(report.portfolios, on: surface)
        if !report.positions.isEmpty {
            text += "\n" + TradingTables.positions(report.positions, on: surface)
        }
        return text
    }
}
