import ArgumentParser
import MarketServices
import TradingCore

/// `candlewire accounts`: lists, creates and resets paper accounts.
struct AccountsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts",
        abstract: "List, create or reset paper accounts.",
        discussion: """
            EXAMPLES
              candlewire accounts
              candlewire accounts create scalping --currency USD --capital 50000
              candlewire accounts reset paper-scalping --yes

            \(TradingRun.exitCodes)
            """,
        subcommands: [List.self, Create.self, Reset.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the accounts.", discussion: "See `candlewire accounts --help`.")

        @OptionGroup(title: "Server")
        var options: ServerOptions

        func run() async throws {
            try await TradingRun.perform(options) { run in
                let accounts = try await run.server.accounts.fetchAccounts()
                run.show(TradingTables.accounts(accounts, on: .standardOutput))
            }
        }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Create a paper account.")

        @Argument(help: ArgumentHelp("Its name; \"scalping\" becomes the account paper-scalping.", valueName: "NAME"))
        var name: String

        @Option(
            help: ArgumentHelp(
                "The currency of its capital. Default: each currency of the markets.", valueName: "currency"))
        var currency: String?

        @Option(
            parsing: .unconditional, help: ArgumentHelp("Its initial capital.", valueName: "amount"),
            transform: ExactDecimal.positiveArgument)
        var capital: ExactDecimal?

        @OptionGroup(title: "Server")
        var options: ServerOptions

        func run() async throws {
            try await TradingRun.perform(options) { run in
                let account = try await run.server.accounts.create(name: name, currency: currency, capital: capital)
                run.show(
                    AccountHead(account: account.id).text("created", on: .standardOutput)
                        + TradingTables.accounts([account], on: .standardOutput))
            }
        }
    }

    struct Reset: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Cancel an account's orders, drop its positions and restore its capital.",
            discussion: "Earlier events stay in the log. Without a terminal, --yes is required.")

        @Argument(help: ArgumentHelp("The account.", valueName: "ID"))
        var id: String

        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("A new initial capital instead of the old one.", valueName: "amount"),
            transform: ExactDecimal.positiveArgument)
        var capital: ExactDecimal?

        @Flag(help: "Do not ask for confirmation.")
        var yes = false

        @OptionGroup(title: "Server")
        var options: ServerOptions

        func run() async throws {
            try await TradingRun.perform(options) { run in
                let head = AccountHead(account: id)
                if !yes {
                    guard Question.hasTerminal else {
                        throw CommandFailure.usage("A reset ends all that \(id) holds; confirm it with --yes.")
                    }
                    try Question.confirm(
                        "Reset \(head.account), \(head.mode)? All it holds ends.", of: head,
                        otherwise: "Nothing was reset.")
                }
                let account = try await run.server.accounts.reset(id, capital: capital)
                run.show(
                    head.text("reset", on: .standardOutput) + TradingTables.accounts([account], on: .standardOutput))
            }
        }
    }
}
