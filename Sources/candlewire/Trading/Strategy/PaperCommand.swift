import ArgumentParser
import FinanceChartsKit
import Foundation
import MarketFeeds
import TradingCore

/// `candlewire paper`: a strategy on a recording, filled by the paper exchange, without a server.
struct PaperCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "paper",
        abstract: "Backtest a simple strategy on a recording with the paper exchange.",
        discussion: """
            The strategy buys when a fast average of the closes crosses above a slow one, and sells when it crosses \
            below. It is there to try the rules by which orders are filled, and is not advice. The run uses the \
            recording's clock, so the same file and flags print the same bytes.

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

    @Argument("The recording: .jsonl or .jsonl.gz.", "FILE") var file: String
    @Option("The venue of the recording, where it cannot be detected.", "venue") var venue: String?
    @Flag(help: "Print the whole run as a JSON document.") var json = false
    @OptionGroup(title: "Strategy") var strategy: StrategyOptions
    @OptionGroup(title: "Exchange") var rules: RulesOptions

    func run() async throws {
        try await Failure.exitCleanly {
            let known = try venue.map { try Venue(named: $0) }
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
            Console.write(json ? String(decoding: try report.json(), as: UTF8.self) : text(of: report, recording))
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

    private func text(of report: PaperReport, _ recording: Recording) -> String {
        func count(_ number: Int, _ one: String, _ several: String? = nil) -> String {
            number == 1 ? "1 \(one)" : "\(number) \(several ?? one + "s")"
        }
        let refused = report.requests.count { $0.refusal != nil }
        let makers = report.fills.count { $0.liquidity == .maker }
        let head = AccountHead(account: report.account.description).text(
            "\(report.recording), averages of \(strategy.fast) and \(strategy.slow) candles of "
                + strategy.timeframe.rawValue)
        let figures = [
            "\(count(report.trades, "trade")) in \(count(recording.markets.count, "market"))",
            "\(count(report.requests.count, "request")), \(refused) refused", count(report.orders.count, "order"),
            "\(count(report.fills.count, "fill")), \(makers) as maker",
            count(report.ledger.count, "ledger entry", "ledger entries"),
        ].joined(separator: "; ")
        let positions = report.positions.isEmpty ? "" : "\n" + TradingTables.positions(report.positions)
        return "\(head)\(figures)\n\n\(TradingTables.portfolios(report.portfolios))\(positions)"
    }
}

/// How the strategy of `candlewire paper` enters and leaves.
struct StrategyOptions: ParsableArguments {
    @Option(help: "Timeframe: \(ChartCommand.timeframes).", transform: ChartCommand.timeframe)
    var timeframe = Timeframe.s1

    @Option(signed: "Length of the fast average.", "candles") var fast = 5
    @Option(signed: "Length of the slow average.", "candles") var slow = 20

    @Option("Entry order types, in rotation: \(StrategyOptions.names(CrossingStrategy.Entry.self)).", "names")
    var entries = "limit"

    @Option("Exit types, in rotation: \(StrategyOptions.names(CrossingStrategy.Exit.self)).", "names")
    var exits = "bracket"

    @Option(decimal: "Notional value of an entry. Default: 1000.", "amount") var notional: ExactDecimal = 1000
    @Option(signed: "Orders that an entry is split into, 1 to 10.", "count") var split = 1

    @Option(decimal: "Distance of limits and stops from the close, in basis points. Default: 2.", "points")
    var offset: ExactDecimal = 2

    @Option(decimal: "Distance of the take profit, in basis points. Default: 20.", "points")
    var takeProfit: ExactDecimal = 20

    @Option(
        decimal: "Distance of the stop loss and of a trailing stop, in basis points. Default: 10.",
        "points")
    var stopLoss: ExactDecimal = 10

    @Option(signed: "Candles after which an unfilled entry is moved, then cancelled.", "candles") var entryTimeout = 5

    func validate() throws {
        for (name, value, range) in [
            ("--fast", fast, 1...1000), ("--slow", slow, 2...10_000), ("--entry-timeout", entryTimeout, 1...10_000),
            ("--split", split, 1...10),
        ] where !range.contains(value) {
            throw ValidationError("\(name) must be from \(range.lowerBound) to \(range.upperBound); it is \(value).")
        }
        guard fast < slow else { throw ValidationError("--fast \(fast) must be below --slow \(slow).") }
        for (name, value) in [("--offset", offset), ("--take-profit", takeProfit), ("--stop-loss", stopLoss)]
        where !value.isPositive || value > 5000 {
            throw ValidationError("\(name) must be above 0 and at most 5000 basis points; it is \(value).")
        }
        try valid(
            notional.isPositive && notional <= 1_000_000_000,
            "--notional must be above 0 and at most 1000000000; it is \(notional).")
        _ = try settings(leverage: 1)
    }

    func settings(leverage: Int) throws -> CrossingStrategy.Settings {
        CrossingStrategy.Settings(
            fast: fast, slow: slow, entries: try Self.list(entries, "--entries"),
            exits: try Self.list(exits, "--exits"),
            notional: notional, split: split, leverage: leverage, offset: offset, takeProfit: takeProfit,
            stopLoss: stopLoss, entryTimeout: entryTimeout)
    }

    private static func names<Word: CaseIterable & RawRepresentable<String>>(_ type: Word.Type) -> String {
        Word.allCases.map(\.rawValue).joined(separator: ", ")
    }

    private static func list<Word: CaseIterable & RawRepresentable<String>>(
        _ text: String, _ flag: String
    ) throws -> [Word] {
        try text.split(separator: ",", omittingEmptySubsequences: false).map { name in
            try valid(Word(rawValue: String(name)), "\(flag) “\(name)” is not one of \(names(Word.self)).")
        }
    }
}

/// By which rules the paper exchange of `candlewire paper` fills.
struct RulesOptions: ParsableArguments {
    @Option(
        decimal: "Maximum share of each trade's volume that an order can fill, above 0 and at most 1. Default: 1.",
        "share")
    var participation: ExactDecimal = 1

    @Option(decimal: "Maker fee, as a fraction of the amount. Default: 0.0002.", "share")
    var makerFee = ExactDecimal("0.0002")!

    @Option(decimal: "Taker fee, as a fraction of the amount. Default: 0.0005.", "share")
    var takerFee = ExactDecimal("0.0005")!

    @Option(decimal: "Slippage of taker fills, in basis points. Default: 0.", "points")
    var slippage: ExactDecimal = 0

    @Option(signed: "Time between a request and its reaching the market.", "seconds") var latency = 0.0
    @Option(signed: "Leverage of the positions.") var leverage = 1

    @Option(decimal: "Initial capital in each quote currency. Default: 100000.", "amount")
    var capital: ExactDecimal = 100_000

    @Option(help: "Random seed.") var seed: UInt64 = 1

    /// The exchange's settings, without its capital.
    func settings() throws -> PaperSettings {
        let settings = PaperSettings(
            fillModel: .volume(participation: participation), feeModel: .rates(maker: makerFee, taker: takerFee),
            slippageModel: .basisPoints(slippage), latency: .fixed(latency))
        if let problem = settings.problems.first {
            let field = problem.field ?? ""
            throw CommandFailure.usage("\(Self.flags[field] ?? "--" + field): it \(problem.message).")
        }
        try require(
            (1...settings.maxLeverage).contains(leverage),
            "--leverage must be from 1 to \(settings.maxLeverage); it is \(leverage).")
        try require(
            capital.isPositive && capital <= 1_000_000_000_000,
            "--capital must be above 0 and at most 1000000000000; it is \(capital).")
        return settings
    }

    /// Fields of the settings that the command line calls by other names.
    private static let flags = ["maker": "--maker-fee", "taker": "--taker-fee", "basis_points": "--slippage"]

    var document: PaperReport.Rules {
        PaperReport.Rules(
            fillModel: FillModel.volume(participation: participation).name, participation: participation,
            makerFee: makerFee, takerFee: takerFee, slippageBasisPoints: slippage, latency: latency,
            maintenanceRate: PaperSettings().maintenanceRate)
    }
}
