import ArgumentParser
import MarketServices
import TradingCore

/// `candlewire accounts`: lists, creates, resets and deletes paper accounts.
struct AccountsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts",
        abstract: "List, create, reset or delete paper accounts.",
        discussion: """
            EXAMPLES
              candlewire accounts
              candlewire accounts create scalping --currency USD --capital 50000
              candlewire accounts reset paper-scalping --yes
              candlewire accounts delete paper-scalping --yes

            \(TradingRun.exitCodes)
            """,
        subcommands: [List.self, Create.self, Reset.self, Delete.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the accounts.", discussion: "See `candlewire accounts --help`.")

        @OptionGroup(title: "Server") var options: ServerOptions

        func run() async throws {
            try await TradingRun.perform(options) { run in
                let accounts = try await run.server.accounts.fetchAccounts()
                run.show(TradingTables.accounts(accounts))
            }
        }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Create a paper account.")

        @Argument("Its name; \"scalping\" becomes the account paper-scalping.", "NAME") var name: String
        @Option("The currency of its capital. Default: each currency of the markets.", "currency") var currency: String?
        @Option(positive: "Its initial capital.", "amount") var capital: ExactDecimal?
        @OptionGroup(title: "Server") var options: ServerOptions

        func run() async throws {
            try await TradingRun.perform(options) { run in
                let account = try await run.server.accounts.create(name: name, currency: currency, capital: capital)
                run.show(AccountHead(account: account.id).text("created") + TradingTables.accounts([account]))
            }
        }
    }

    struct Reset: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Cancel an account's orders, drop its positions and restore its capital.",
            discussion: "Earlier events stay in the log. Without a terminal, --yes is required.")

        @Argument("The account.", "ID") var id: String
        @Option(positive: "A new initial capital instead of the old one.", "amount") var capital: ExactDecimal?
        @Flag(help: "Do not ask for confirmation.") var yes = false
        @OptionGroup(title: "Server") var options: ServerOptions

        func run() async throws {
            try await TradingRun.perform(options) { run in
                let head = AccountHead(account: id)
                if !yes {
                    try require(
                        Question.hasTerminal,
                        "A reset cancels all orders and removes all positions of \(id); confirm it with --yes.")
                    try Question.confirm(
                        "Reset \(head.account) (\(head.mode))? This cancels its orders and removes its positions.",
                        of: head, otherwise: "Nothing was reset.")
                }
                let account = try await run.server.accounts.reset(id, capital: capital)
                run.show(head.text("reset") + TradingTables.accounts([account]))
            }
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete an account.",
            discussion: """
                Its orders, fills and equity curve are removed; the ledger keeps that it was deleted. An account of \
                the same name that is created later goes on with its order numbers. Without a terminal, --yes is \
                required.
                """)

        @Argument("The account.", "ID") var id: String
        @Flag(help: "Also while it has positions or open orders.") var force = false
        @Flag(help: "Do not ask for confirmation.") var yes = false
        @OptionGroup(title: "Server") var options: ServerOptions

        func run() async throws {
            try await TradingRun.perform(options) { run in
                let head = AccountHead(account: id)
                if !yes {
                    try require(
                        Question.hasTerminal, "A deletion removes the past of \(id) for good; confirm it with --yes.")
                    try Question.confirm(
                        "Delete \(head.account) (\(head.mode))? This removes its past for good.", of: head,
                        otherwise: "Nothing was deleted.")
                }
                let account = try await run.server.accounts.delete(id, isForced: force)
                run.show(head.text("deleted") + TradingTables.accounts([account]))
            }
        }
    }
}
