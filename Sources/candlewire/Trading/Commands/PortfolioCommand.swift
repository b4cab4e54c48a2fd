import ArgumentParser
import MarketServices
import TradingCore

/// `candlewire portfolio`: the money of an account.
struct PortfolioCommand: AccountCommand {
    static let configuration = CommandConfiguration(
        commandName: "portfolio",
        abstract: "Show an account's equity, margin and profit, currency by currency.",
        discussion: """
            Currencies are never added up.

            EXAMPLES
              candlewire portfolio
              candlewire portfolio --account paper-scalping --json
              candlewire portfolio --history --currency USD --limit 20

            \(TradingRun.exitCodes)
            """)

    @Flag(help: "Show the equity over time.")
    var history = false

    @Option(help: ArgumentHelp("With --history: the currency.", valueName: "currency"))
    var currency: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("With --history: at most so many points.", valueName: "count"))
    var limit: Int?

    @OptionGroup var account: AccountOptions

    func validate() throws {
        if !history, currency != nil || limit != nil {
            throw ValidationError("--currency and --limit go with --history.")
        }
    }

    func run<Mode>(_ session: TradingSession<Mode>) async throws {
        guard history else {
            let portfolios = try await session.portfolio.fetchPortfolio()
            return session.show("portfolio", TradingTables.portfolios(portfolios, on: .standardOutput))
        }
        let points = try await session.portfolio.fetchEquity(currency: currency, limit: limit)
        let title = "equity" + (currency.map { " in \($0)" } ?? "")
        session.show(
            points.isEmpty ? "\(title): nothing yet" : title,
            points.isEmpty ? "" : TradingTables.equity(points, on: .standardOutput))
    }
}
