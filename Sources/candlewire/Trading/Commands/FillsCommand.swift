import ArgumentParser

/// `candlewire fills`: what was traded, and why at this price.
struct FillsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fills",
        abstract: "List fills, with --receipts also the trade and the rule that made each.",
        discussion: """
            EXAMPLES
              candlewire fills --symbol BTC-USD --limit 20
              candlewire fills --order paper-main-o17 --receipts

            \(TradingHelp.exitCodes)
            """)

    @Option(help: ArgumentHelp("Only those of this market.", valueName: "symbol"))
    var symbol: String?

    @Option(help: ArgumentHelp("Only those of this order.", valueName: "id"))
    var order: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("So many at most.", valueName: "count"))
    var limit: Int?

    @Option(help: ArgumentHelp("Only older ones than this.", valueName: "fill id"))
    var before: String?

    @Flag(help: "Say of each fill which trade it was, and by which rule it got its price.")
    var receipts = false

    @OptionGroup var account: AccountOptions

    @OptionGroup(title: "Server")
    var options: ServerOptions

    func run() async throws {
        try await TradingRun.perform(options) { run in
            var query = account.query
            query.add("symbol", symbol)
            query.add("order", order)
            query.add("limit", limit.map(String.init))
            query.add("before", before)
            let answer = try await run.server.get(["v1", "fills"], query)
            try run.show(answer, as: FillsDocument.self) { document in
                guard !document.fills.isEmpty else { return account.head.text("no fills", on: .standardOutput) }
                return account.head.text("fills", on: .standardOutput)
                    + TradingTables.fills(document.fills, withReceipts: receipts, on: .standardOutput)
            }
        }
    }
}
