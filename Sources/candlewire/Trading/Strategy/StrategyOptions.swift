import ArgumentParser
import FinanceChartsKit
import TradingCore

/// How the strategy of `candlewire paper` enters and leaves.
struct StrategyOptions: ParsableArguments {
    @Option(help: "Length of a candle: \(ChartCommand.timeframes).", transform: ChartCommand.timeframe)
    var timeframe = Timeframe.s1

    @Option(parsing: .unconditional, help: ArgumentHelp("Length of the fast average.", valueName: "candles"))
    var fast = 5

    @Option(parsing: .unconditional, help: ArgumentHelp("Length of the slow average.", valueName: "candles"))
    var slow = 20

    @Option(
        help: ArgumentHelp(
            "How it enters, in turn: \(StrategyOptions.names(CrossingStrategy.Entry.self)).", valueName: "names"))
    var entries = "limit"

    @Option(
        help: ArgumentHelp(
            "How it leaves, in turn: \(StrategyOptions.names(CrossingStrategy.Exit.self)).", valueName: "names"))
    var exits = "bracket"

    @Option(
        parsing: .unconditional, help: ArgumentHelp("What an entry costs. Default: 1000.", valueName: "amount"),
        transform: ExactDecimal.argument)
    var notional: ExactDecimal = 1000

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Orders that an entry is split into, 1 to 10.", valueName: "count"))
    var split = 1

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How far from the close limits and stops are, in hundredths of a percent. Default: 2.", valueName: "points"),
        transform: ExactDecimal.argument)
    var offset: ExactDecimal = 2

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Where profit is taken, in hundredths of a percent. Default: 20.", valueName: "points"),
        transform: ExactDecimal.argument)
    var takeProfit: ExactDecimal = 20

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Where loss is stopped, and how far a trailing stop trails, in hundredths of a percent. Default: 10.",
            valueName: "points"),
        transform: ExactDecimal.argument)
    var stopLoss: ExactDecimal = 10

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("After so many an entry is moved, and then cancelled.", valueName: "candles"))
    var patience = 5

    func validate() throws {
        for (name, value, range) in [
            ("--fast", fast, 1...1000), ("--slow", slow, 2...10_000), ("--patience", patience, 1...10_000),
            ("--split", split, 1...10),
        ] where !range.contains(value) {
            throw ValidationError("\(name) \(value): it is \(range.lowerBound) to \(range.upperBound).")
        }
        guard fast < slow else { throw ValidationError("--fast \(fast) must be below --slow \(slow).") }
        for (name, value) in [("--offset", offset), ("--take-profit", takeProfit), ("--stop-loss", stopLoss)]
        where !value.isPositive || value > 5000 {
            throw ValidationError("\(name) \(value): it is above 0 and at most 5000 hundredths of a percent.")
        }
        guard notional.isPositive, notional <= 1_000_000_000 else {
            throw ValidationError("--notional \(notional): it is above 0 and at most 1000000000.")
        }
        _ = try settings(leverage: 1)
    }

    func settings(leverage: Int) throws -> CrossingStrategy.Settings {
        var settings = CrossingStrategy.Settings()
        (settings.fast, settings.slow, settings.patience) = (fast, slow, patience)
        settings.entries = try Self.list(entries, "--entries")
        settings.exits = try Self.list(exits, "--exits")
        (settings.notional, settings.split, settings.leverage) = (notional, split, leverage)
        (settings.offset, settings.takeProfit, settings.stopLoss) = (offset, takeProfit, stopLoss)
        return settings
    }

    private static func names<Word: CaseIterable & RawRepresentable<String>>(_ type: Word.Type) -> String {
        Word.allCases.map(\.rawValue).joined(separator: ", ")
    }

    private static func list<Word: CaseIterable & RawRepresentable<String>>(
        _ text: String, _ flag: String
    ) throws -> [Word] {
        try text.split(separator: ",", omittingEmptySubsequences: false).map { name in
            guard let word = Word(rawValue: String(name)) else {
                throw ValidationError("\(flag) “\(name)” is not one of \(names(Word.self)).")
            }
            return word
        }
    }
}
