import ArgumentParser
import Foundation

/// `candlewire positions`: lists, closes, reverses and protects positions.
struct PositionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "positions",
        abstract: "List, close, reverse or protect positions.",
        discussion: """
            ON PRICE is the profit in percent of the entry price; ON MARGIN is that times the
            leverage.

            EXAMPLES
              candlewire positions
              candlewire positions close BTC-USD
              candlewire positions close BTC-USD --quantity 0.02 --yes
              candlewire positions reverse ETH-USD
              candlewire positions bracket BTC-USD --take-profit 70000 --stop-loss none

            \(TradingHelp.exitCodes)
            """,
        subcommands: [List.self, Close.self, Reverse.self, Bracket.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List open positions.", discussion: "See `candlewire positions --help`.")

        @OptionGroup var account: AccountOptions

        @OptionGroup(title: "Server")
        var options: ServerOptions

        func run() async throws {
            try await TradingRun.perform(options) { run in
                let answer = try await run.server.get(["v1", "positions"], account.query)
                try run.show(answer, as: PositionsDocument.self) { document in
                    let head = AccountHead(account: document.account)
                    guard !document.positions.isEmpty else { return head.text("no positions", on: .standardOutput) }
                    return head.text("positions", on: .standardOutput)
                        + TradingTables.positions(document.positions, on: .standardOutput)
                }
            }
        }
    }

    struct Close: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Close a position with a market order that can only make it smaller.")

        @OptionGroup var action: PositionAction

        @Option(
            parsing: .unconditional, help: ArgumentHelp("So much of it. Default: all.", valueName: "quantity"),
            transform: DecimalArgument.parse)
        var quantity: DecimalArgument?

        func run() async throws {
            var body = RequestBody()
            body.set("quantity", text: quantity?.text)
            let what = quantity.map { "Close \($0.text) of the position" } ?? "Close the position"
            try await action.run("close", what, body)
        }
    }

    struct Reverse: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Close a position and open the opposite one of the same size.")

        @OptionGroup var action: PositionAction

        func run() async throws {
            try await action.run("reverse", "Reverse the position", RequestBody())
        }
    }

    struct Bracket: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Set where a position takes its profit and stops its loss; \"none\" takes one away.")

        @OptionGroup var action: PositionAction

        @Option(
            parsing: .unconditional, help: ArgumentHelp("A price, or none.", valueName: "price|none"),
            transform: PriceChange.parse)
        var takeProfit: PriceChange?

        @Option(
            parsing: .unconditional, help: ArgumentHelp("A price, or none.", valueName: "price|none"),
            transform: PriceChange.parse)
        var stopLoss: PriceChange?

        func validate() throws {
            if takeProfit == nil, stopLoss == nil {
                throw ValidationError("Say what changes: --take-profit or --stop-loss.")
            }
        }

        func run() async throws {
            var body = RequestBody()
            body.set("take_profit", takeProfit?.value)
            body.set("stop_loss", stopLoss?.value)
            try await action.run("bracket", nil, body)
        }
    }
}

/// Something that is done to one position.
struct PositionAction: ParsableArguments {
    @Argument(help: ArgumentHelp("The position's market.", valueName: "SYMBOL"))
    var symbol: String

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var account: AccountOptions

    @OptionGroup(title: "Server")
    var options: ServerOptions

    /// - Parameter question: what a person is asked; `nil`: nothing trades, so nobody is asked.
    func run(_ action: String, _ question: String?, _ fields: RequestBody) async throws {
        try await TradingRun.perform(options, flags: ["quantity": "--quantity"]) { run in
            if let question, !yes {
                try Question.confirm(
                    "\(question) in \(symbol), \(account.head.mode)?", of: account.head, what: "Nothing was done,")
            }
            var body = fields
            body.set("account", text: account.account)
            // The server executes it once, so that it may be sent again where an answer gets lost.
            if question != nil { body.set("client_order_id", text: "cli-\(UUID().uuidString.lowercased())") }
            let answer: TradingServer.Answer
            do {
                answer = try await run.server.send(
                    "POST", ["v1", "positions", symbol, action], account.query, body: body)
            } catch let failure as TradingFailure where failure.refusal == nil && failure.exitCode == 75 {
                throw TradingFailure(
                    description: "\(failure.description) Whether it was done is not known: `candlewire positions` "
                        + "shows it.", exitCode: 75)
            }
            TradingRun.write(run.writesJSON ? answer.text : try text(of: answer, action))
        }
    }

    /// The answer is the order that does it, or the orders that wait to.
    private func text(of answer: TradingServer.Answer, _ action: String) throws -> String {
        let head = account.head.text("\(action) \(symbol)", on: .standardOutput)
        if let order = try? answer.decoded(OrderDocument.self) {
            return head + TradingTables.orders([order], on: .standardOutput)
        }
        return head + TradingTables.orders(try answer.decoded(OrdersDocument.self).orders, on: .standardOutput)
    }
}
