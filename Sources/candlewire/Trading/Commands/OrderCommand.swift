import ArgumentParser
import Foundation

/// `candlewire order`: places one order.
struct OrderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "order",
        abstract: "Place an order.",
        discussion: """
            Without a price it is a market order, with --limit a limit order, with --stop a
            stop order, with both a stop-limit order, with --trail a trailing stop. On a
            terminal it is shown first, with its cost, and asked for.

            EXAMPLES
              candlewire order buy BTC-USD 0.05
              candlewire order buy BTC-USD 0.05 --limit 64000 --stop-loss 61000
              candlewire order sell ETH-USD 1 --limit 3500 --tif ioc --leverage 5
              candlewire order sell BTC-USD 0.05 --trail 1% --reduce-only
              candlewire order buy SOL-USD 10 --limit 140 --post-only --preview
              candlewire order buy BTC-USD 0.05 --yes --json --client-order-id rebalance-17

            AT MOST ONCE
              The server executes a client order id once. One is made up where none is
              given, and used again where an answer gets lost. After an error, the same
              command with the same --client-order-id does not order twice.

            \(TradingHelp.exitCodes)
            """)

    enum Side: String, ExpressibleByArgument, CaseIterable { case buy, sell }

    @Argument(help: "buy or sell.")
    var side: Side

    @Argument(help: ArgumentHelp("The market, for example BTC-USD.", valueName: "SYMBOL"))
    var symbol: String

    @Argument(
        help: ArgumentHelp("How much of it, exactly: 0.05.", valueName: "QUANTITY"), transform: DecimalArgument.parse)
    var quantity: DecimalArgument

    @Option(
        parsing: .unconditional, help: ArgumentHelp("No worse than this price.", valueName: "price"),
        transform: DecimalArgument.parse)
    var limit: DecimalArgument?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Wait until a trade reaches this price.", valueName: "price"),
        transform: DecimalArgument.parse)
    var stop: DecimalArgument?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("A stop that follows the best price at this distance.", valueName: "amount|percent%"),
        transform: TrailArgument.parse)
    var trail: TrailArgument?

    @Option(help: "How long it lives: gtc until cancelled, ioc now or not, fok all of it now or not, day.")
    var tif: TimeInForceArgument?

    @Flag(help: "Refuse it where it would trade at once.")
    var postOnly = false

    @Flag(help: "Only ever make a position smaller.")
    var reduceOnly = false

    @Option(parsing: .unconditional, help: "Leverage of the position.")
    var leverage: Int?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("When filled, sell at this profit.", valueName: "price"),
        transform: DecimalArgument.parse)
    var takeProfit: DecimalArgument?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("When filled, stop at this loss.", valueName: "price"),
        transform: DecimalArgument.parse)
    var stopLoss: DecimalArgument?

    @Option(help: ArgumentHelp("Orders of one group cancel each other.", valueName: "name"))
    var ocoGroup: String?

    @Option(help: ArgumentHelp("Your name of this order; the server executes it once.", valueName: "id"))
    var clientOrderId: String?

    @Flag(help: "Show what it would cost, and do not place it.")
    var preview = false

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var account: AccountOptions

    @OptionGroup(title: "Server")
    var options: ServerOptions

    enum TimeInForceArgument: String, ExpressibleByArgument, CaseIterable { case gtc, ioc, fok, day }

    func validate() throws {
        if trail != nil, limit != nil || stop != nil {
            throw ValidationError("--trail is a stop of its own; --limit and --stop do not go with it.")
        }
        if postOnly, limit == nil {
            throw ValidationError("--post-only needs --limit: an order without a price trades at once.")
        }
        if let leverage, leverage < 1 { throw ValidationError("--leverage must be at least 1; it is \(leverage).") }
        if let clientOrderId, clientOrderId.isEmpty {
            throw ValidationError("--client-order-id must not be empty; left out, one is made up.")
        }
    }

    private var type: String {
        if trail != nil { return "trailing_stop" }
        if stop != nil { return limit != nil ? "stop_limit" : "stop" }
        return limit != nil ? "limit" : "market"
    }

    /// `buy 0.05 BTC-USD, limit 64000`
    private var summary: String {
        var text = "\(side.rawValue) \(quantity.text) \(symbol)"
        switch (limit, stop, trail) {
        case (_, _, .amount(let amount)?): text += ", trailing stop at a distance of \(amount)"
        case (_, _, .percent(let percent)?): text += ", trailing stop at a distance of \(percent)%"
        case (let limit?, let stop?, nil): text += ", from \(stop.text) on, limit \(limit.text)"
        case (nil, let stop?, nil): text += ", stop \(stop.text)"
        case (let limit?, nil, nil): text += ", limit \(limit.text)"
        case (nil, nil, nil): text += " at the market"
        }
        return text
    }

    private func body(clientOrderID: String) -> RequestBody {
        var body = RequestBody()
        body.set("account", text: account.account)
        body.set("client_order_id", text: clientOrderID)
        body.set("symbol", text: symbol)
        body.set("side", text: side.rawValue)
        body.set("type", text: type)
        body.set("quantity", text: quantity.text)
        body.set("time_in_force", text: tif?.rawValue)
        body.set("limit_price", text: limit?.text)
        body.set("stop_price", text: stop?.text)
        body.set("trail", trail?.value)
        body.set("leverage", leverage.map(RequestBody.Value.number))
        body.set("post_only", postOnly ? .flag(true) : nil)
        body.set("reduce_only", reduceOnly ? .flag(true) : nil)
        body.set("take_profit", text: takeProfit?.text)
        body.set("stop_loss", text: stopLoss?.text)
        body.set("oco_group", text: ocoGroup)
        return body
    }

    func run() async throws {
        try await TradingRun.perform(options) { run in
            let id = clientOrderId ?? "cli-\(UUID().uuidString.lowercased())"
            let body = body(clientOrderID: id)
            if preview { return try await show(run, body) }
            if !yes { try await ask(run, body) }
            let answer: TradingServer.Answer
            do {
                answer = try await run.server.send("POST", ["v1", "orders"], body: body)
            } catch let failure as TradingFailure where failure.refusal == nil && failure.exitCode == 75 {
                throw TradingFailure(
                    description: "\(failure.description) Whether the order was placed is not known; the same command "
                        + "with --client-order-id \(id) places it at most once.", exitCode: failure.exitCode)
            }
            try run.show(answer, as: OrderDocument.self) { order in
                let isKnown = answer.status == 200 && !answer.wasRepeated
                let title = isKnown ? "this client order id was known: its order" : "order placed"
                return account.head.text(title, on: .standardOutput)
                    + TradingTables.orders([order], on: .standardOutput)
                    + "\nClient order id: \(TextTable.printable(order.clientOrderId ?? id))\n"
            }
        }
    }

    private func show(_ run: TradingRun, _ body: RequestBody) async throws {
        let answer = try await run.server.send("POST", ["v1", "orders", "preview"], body: body)
        let document = try answer.decoded(PreviewDocument.self)
        TradingRun.write(run.writesJSON ? answer.text : text(of: document, on: .standardOutput))
        if !document.problems.isEmpty { throw ExitCode(65) }
    }

    private func ask(_ run: TradingRun, _ body: RequestBody) async throws {
        if Question.canBeAsked {
            let answer = try await run.server.send("POST", ["v1", "orders", "preview"], body: body)
            let document = try answer.decoded(PreviewDocument.self)
            Question.write(text(of: document, on: .standardError))
            if !document.problems.isEmpty {
                throw TradingFailure(description: "The order was not placed: see the problems.", exitCode: 65)
            }
        }
        try Question.confirm(
            "\nPlace this order, \(account.head.mode)?", of: account.head, what: "The order was not placed,")
    }

    private func text(of preview: PreviewDocument, on surface: Ink.Surface) -> String {
        account.head.text("preview: \(summary)", on: surface) + TradingTables.preview(preview, on: surface)
    }
}
