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

    @Flag(help: "Show the equity over time.") var history = false
    @Option("With --history: the currency.", "currency") var currency: String?
    @Option(signed: "With --history: maximum number of points.", "count") var limit: Int?
    @OptionGroup var account: AccountOptions

    func validate() throws {
        try valid(history || currency == nil && limit == nil, "--currency and --limit go with --history.")
    }

    func run<Mode>(_ session: TradingSession<Mode>) async throws {
        guard history else {
            let portfolios = try await session.trading.fetchPortfolio()
            return session.show("portfolio", TradingTables.portfolios(portfolios))
        }
        let points = try await session.trading.fetchEquity(currency: currency, limit: limit)
        let title = "equity" + (currency.map { " in \($0)" } ?? "")
        session.show(
            points.isEmpty ? "\(title): nothing yet" : title,
            points.isEmpty ? "" : TradingTables.equity(points))
    }
}

/// `candlewire fills`: what was traded, and why at this price.
struct FillsCommand: AccountCommand {
    static let configuration = CommandConfiguration(
        commandName: "fills",
        abstract: "List fills, with --receipts also the trade and the rule that made each.",
        discussion: """
            EXAMPLES
              candlewire fills --symbol BTC-USD --limit 20
              candlewire fills --order paper-main-o17 --receipts

            \(TradingRun.exitCodes)
            """)

    @Option("Only this market.", "symbol") var symbol: String?
    @Option("Only this order.", "id") var order: String?
    @Option(signed: "Maximum number of fills.", "count") var limit = 100
    @Option("Only fills before this id.", "fill id") var before: String?
    @Flag(help: "Show for each fill the trade it was made from and the rule that set its price.") var receipts = false
    @OptionGroup var account: AccountOptions
    var orderIDs: [String] { order.map { [$0] } ?? [] }

    func run<Mode>(_ session: TradingSession<Mode>) async throws {
        let fills = try await session.trading.fetchFills(
            FillFilter(
                symbol: symbol, order: try order.map { try session.order($0, flag: "--order") }, limit: limit,
                before: before))
        session.show("fills", fills) { TradingTables.fills($0, withReceipts: receipts) }
    }
}
