import ArgumentParser

/// `candlewire portfolio`: the money of an account.
struct PortfolioCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "portfolio",
        abstract: "Show an account's equity, margin and profit, currency by currency.",
        discussion: """
            Currencies are never added up: there is no rate by which that would be true.

            EXAMPLES
              candlewire portfolio
              candlewire portfolio --account paper-scalping --json
              candlewire portfolio --history --currency USD --limit 20

            \(TradingHelp.exitCodes)
            """)

    @Flag(help: "Show how the equity developed.")
    var history = false

    @Option(help: ArgumentHelp("With --history: of which currency.", valueName: "currency"))
    var currency: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("With --history: so many at most.", valueName: "count"))
    var limit: Int?

    @OptionGroup var account: AccountOptions

    @OptionGroup(title: "Server")
    var options: ServerOptions

    func validate() throws {
        if !history, currency != nil || limit != nil {
            throw ValidationError("--currency and --limit go with --history.")
        }
    }

    func run() async throws {
        try await TradingRun.perform(options) { run in
            if history { return try await showHistory(run) }
            let answer = try await run.server.get(["v1", "portfolio"], account.query)
            try run.show(answer, as: PortfolioDocument.self) { document in
                AccountHead(account: document.account).text("portfolio", on: .standardOutput)
                    + TradingTables.portfolios(document.portfolios, on: .standardOutput)
            }
        }
    }

    private func showHistory(_ run: TradingRun) async throws {
        var query = account.query
        query.add("currency", currency)
        query.add("limit", limit.map(String.init))
        let answer = try await run.server.get(["v1", "portfolio", "history"], query)
        try run.show(answer, as: EquityDocument.self) { document in
            let title = "equity" + (currency.map { " in \($0)" } ?? "")
            guard !document.points.isEmpty else {
                return account.head.text("\(title): nothing yet", on: .standardOutput)
            }
            return account.head.text(title, on: .standardOutput)
                + TradingTables.equity(document.points, on: .standardOutput)
        }
    }
}
