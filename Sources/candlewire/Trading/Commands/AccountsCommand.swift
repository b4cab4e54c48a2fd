import ArgumentParser

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

            \(TradingHelp.exitCodes)
            """,
        subcommands: [List.self, Create.self, Reset.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the accounts.", discussion: "See `candlewire accounts --help`.")

        @OptionGroup(title: "Server")
        var options: ServerOptions

        func run() async throws {
            try await TradingRun.perform(options) { run in
                try run.show(try await run.server.get(["v1", "accounts"]), as: AccountsDocument.self) {
                    TradingTables.accounts($0.accounts, on: .standardOutput)
                }
            }
        }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Create a paper account.")

        @Argument(help: ArgumentHelp("Its name: \"scalping\" becomes the account paper-scalping.", valueName: "NAME"))
        var name: String

        @Option(
            help: ArgumentHelp("What its capital is in. Default: each currency of the markets.", valueName: "currency"))
        var currency: String?

        @Option(
            parsing: .unconditional, help: ArgumentHelp("What it begins with.", valueName: "amount"),
            transform: DecimalArgument.parse)
        var capital: DecimalArgument?

        @OptionGroup(title: "Server")
        var options: ServerOptions

        func run() async throws {
            try await TradingRun.perform(options) { run in
                var body = RequestBody()
                body.set("name", text: name)
                body.set("currency", text: currency)
                body.set("capital", text: capital?.text)
                let answer = try await run.server.send("POST", ["v1", "accounts"], body: body)
                try run.show(answer, as: AccountDocument.self) {
                    AccountHead(account: $0.id).text("created", on: .standardOutput)
                        + TradingTables.accounts([$0], on: .standardOutput)
                }
            }
        }
    }

    struct Reset: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Cancel an account's orders, drop its positions and give it its capital again.",
            discussion: "What happened before stays in the log. Where nobody can be asked, --yes is needed.")

        @Argument(help: ArgumentHelp("Which one.", valueName: "ID"))
        var id: String

        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("Begin with this instead of what it began with.", valueName: "amount"),
            transform: DecimalArgument.parse)
        var capital: DecimalArgument?

        @Flag(help: "Do not ask.")
        var yes = false

        @OptionGroup(title: "Server")
        var options: ServerOptions

        func run() async throws {
            try await TradingRun.perform(options) { run in
                let head = AccountHead(account: id)
                if !yes {
                    guard Question.canBeAsked else {
                        throw TradingFailure.usage(
                            "A reset ends all that \(id) holds; say with --yes that you mean it.")
                    }
                    try Question.confirm(
                        "Reset \(head.account), \(head.mode)? All it holds ends.", of: head, what: "Nothing was reset,")
                }
                var body = RequestBody()
                body.set("capital", text: capital?.text)
                let answer = try await run.server.send("POST", ["v1", "accounts", id, "reset"], body: body)
                try run.show(answer, as: AccountDocument.self) {
                    head.text("reset", on: .standardOutput) + TradingTables.accounts([$0], on: .standardOutput)
                }
            }
        }
    }
}
