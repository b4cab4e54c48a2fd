import ArgumentParser
import MarketServices
import TradingCore

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

    @Option(help: ArgumentHelp("Only those of this market.", valueName: "symbol"))
    var symbol: String?

    @Option(help: ArgumentHelp("Only those of this order.", valueName: "id"))
    var order: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("At most so many.", valueName: "count"))
    var limit = 100

    @Option(help: ArgumentHelp("Only those older than this.", valueName: "fill id"))
    var before: String?

    @Flag(help: "Show for each fill the trade it was made from and the rule that set its price.")
    var receipts = false

    @OptionGroup var account: AccountOptions

    func run<Mode>(_ session: TradingSession<Mode>) async throws {
        let fills = try await session.trading.fetchFills(
            FillFilter(
                symbol: symbol, order: try order.map { try session.order($0, flag: "--order") }, limit: limit,
                before: before))
        session.show("fills", fills) { TradingTables.fills($0, withReceipts: receipts, on: $1) }
    }
}
