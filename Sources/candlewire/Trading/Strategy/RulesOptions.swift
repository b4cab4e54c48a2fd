import ArgumentParser
import MarketFeeds
import TradingCore

/// By which rules the paper exchange of `candlewire paper` fills.
struct RulesOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Share of each trade's volume that can be had, above 0 and at most 1. Default: 1.", valueName: "share"),
        transform: ExactDecimal.argument)
    var participation: ExactDecimal = 1

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Fee of orders that waited, as a share of what is paid. Default: 0.0002.", valueName: "share"),
        transform: ExactDecimal.argument)
    var makerFee = ExactDecimal("0.0002")!

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Fee of orders that did not wait. Default: 0.0005.", valueName: "share"),
        transform: ExactDecimal.argument)
    var takerFee = ExactDecimal("0.0005")!

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How much worse those are filled than the trade, in hundredths of a percent. Default: 0.",
            valueName: "points"),
        transform: ExactDecimal.argument)
    var slippage: ExactDecimal = 0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Time between a request and its reaching the market.", valueName: "seconds"))
    var latency = 0.0

    @Option(parsing: .unconditional, help: "Leverage of the positions.")
    var leverage = 1

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "What the account begins with, in each quote currency. Default: 100000.", valueName: "amount"),
        transform: ExactDecimal.argument)
    var capital: ExactDecimal = 100_000

    @Option(help: "Of what depends on chance.")
    var seed: UInt64 = 1

    /// The exchange's settings, without its capital.
    func settings() throws(FeedError) -> PaperSettings {
        let settings = PaperSettings(
            fillModel: .volume(participation: participation), feeModel: .rates(maker: makerFee, taker: takerFee),
            slippageModel: .basisPoints(slippage), latency: .fixed(latency))
        if let problem = settings.problems.first {
            let field = problem.field ?? ""
            throw FeedError(.usage, "\(Self.flags[field] ?? "--" + field): it \(problem.message).")
        }
        guard (1...settings.maxLeverage).contains(leverage) else {
            throw FeedError(.usage, "--leverage \(leverage): it is 1 to \(settings.maxLeverage).")
        }
        guard capital.isPositive, capital <= 1_000_000_000_000 else {
            throw FeedError(.usage, "--capital \(capital): it is above 0 and at most 1000000000000.")
        }
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
