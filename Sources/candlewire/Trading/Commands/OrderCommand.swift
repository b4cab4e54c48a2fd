import ArgumentParser
import Foundation
import MarketServices
import TradingCore

/// `candlewire order`: places one order.
struct OrderCommand: AccountCommand {
    static let configuration = CommandConfiguration(
        commandName: "order",
        abstract: "Place an order.",
        discussion: """
            Without a price it is a market order, with --limit a limit order, with --stop a
            stop order, with both a stop-limit order, with --trail a trailing stop. On a
            terminal the command shows the cost first and asks for confirmation.

            EXAMPLES
              candlewire order buy BTC-USD 0.05
              candlewire order buy BTC-USD 0.05 --limit 64000 --stop-loss 61000
              candlewire order sell ETH-USD 1 --limit 3500 --tif ioc --leverage 5
              candlewire order sell BTC-USD 0.05 --trail 1% --reduce-only
              candlewire order buy SOL-USD 10 --limit 140 --post-only --preview
              candlewire order buy BTC-USD 0.05 --yes --json --client-order-id rebalance-17

            AT MOST ONCE
              The server executes a client order id once. Without --client-order-id the
              command makes one up and uses it again where an answer gets lost. After an
              error, the same command with the same id does not order twice.

            \(TradingRun.exitCodes)
            """)

    enum SideArgument: String, WordArgument { case buy, sell }
    enum TimeInForceArgument: String, WordArgument { case gtc, ioc, fok, day }

    @Argument(help: "buy or sell.") var side: SideArgument
    @Argument("The market, for example BTC-USD.", "SYMBOL") var symbol: String

    @Argument(
        help: ArgumentHelp("The amount, exactly: 0.05.", valueName: "QUANTITY"),
        transform: ExactDecimal.positiveArgument)
    var quantity: ExactDecimal

    @Option(positive: "Limit price.", "price") var limit: ExactDecimal?
    @Option(positive: "Stop (trigger) price.", "price") var stop: ExactDecimal?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("A stop that trails the best price at this distance.", valueName: "amount|percent%"),
        transform: Trail.argument)
    var trail: Trail?

    @Option(help: "Time in force: gtc good till cancelled, ioc immediate or cancel, fok fill or kill, day.")
    var tif: TimeInForceArgument?

    @Flag(help: "Refuse the order if it would trade at once.") var postOnly = false
    @Flag(help: "Only reduce a position, never open or reverse one.") var reduceOnly = false
    @Option(signed: "Leverage of the position; without it, what its position and orders have, or 1.") var leverage: Int?
    @Option(positive: "When filled, take profit at this price.", "price") var takeProfit: ExactDecimal?
    @Option(positive: "When filled, stop the loss at this price.", "price") var stopLoss: ExactDecimal?
    @Option("Orders of one group cancel each other.", "name") var ocoGroup: String?
    @Option("Your own id of this order; the server executes it once.", "id") var clientOrderId: String?
    @Flag(help: "Show what it would cost, and do not place it.") var preview = false
    @Flag(help: "Do not ask for confirmation.") var yes = false
    @OptionGroup var account: AccountOptions

    func validate() throws {
        try valid(
            trail == nil || limit == nil && stop == nil,
            "--trail cannot be combined with --limit or --stop.")
        try valid(!postOnly || limit != nil, "--post-only needs --limit: an order without a price trades at once.")
        try valid(leverage ?? 1 > 0, "--leverage must be at least 1; it is \(leverage ?? 1).")
        try valid(
            clientOrderId != "",
            "--client-order-id must not be empty; without the option the command makes one up.")
    }

    private var type: OrderType {
        if trail != nil { return .trailingStop }
        if stop != nil { return limit != nil ? .stopLimit : .stop }
        return limit != nil ? .limit : .market
    }

    /// `buy 0.05 BTC-USD, limit 64000`
    private var summary: String {
        var text = "\(side.rawValue) \(quantity) \(symbol)"
        switch (limit, stop, trail) {
        case (_, _, .amount(let amount)?): text += ", trailing stop at a distance of \(amount)"
        case (_, _, .percent(let percent)?): text += ", trailing stop at a distance of \(percent)%"
        case (let limit?, let stop?, nil): text += ", stop \(stop), limit \(limit)"
        case (nil, let stop?, nil): text += ", stop \(stop)"
        case (let limit?, nil, nil): text += ", limit \(limit)"
        case (nil, nil, nil): text += " at the market"
        }
        return text
    }

    func run<Mode>(_ session: TradingSession<Mode>) async throws {
        let order = OrderRequest(
            clientOrderID: clientOrderId ?? "cli-\(UUID().uuidString.lowercased())", symbol: symbol,
            side: side == .buy ? .buy : .sell, type: type,
            timeInForce: tif.map { TimeInForce(rawValue: $0.rawValue) } ?? .gtc, quantity: quantity,
            limitPrice: limit, stopPrice: stop, trail: trail, postOnly: postOnly, reduceOnly: reduceOnly,
            leverage: leverage, takeProfit: takeProfit, stopLoss: stopLoss, ocoGroup: ocoGroup)
        guard !preview else {
            let preview = try await session.trading.preview(order)
            session.run.show(text(of: preview, session.head, on: .standardOutput))
            if !preview.problems.isEmpty { throw ExitCode(65) }
            return
        }
        if !yes { try await confirm(order, session) }
        let placed: Order<Mode>
        do throws(ServiceError) { placed = try await session.trading.place(order) } catch {
            throw session.run.server.failure(
                error,
                unknown: "The outcome is unknown: the order may have been placed. Repeat the command with "
                    + "--client-order-id \(order.clientOrderID); the order is placed at most once.")
        }
        let answer = session.run.server.lastAnswer
        let isKnown = answer?.status == 200 && answer?.wasRepeated == false
        session.show(
            isKnown ? "an order with this client order id already exists" : "order placed",
            TradingTables.orders([placed])
                + "\nClient order id: \(TextTable.printable(placed.clientOrderID))\n")
    }

    private func confirm<Mode>(_ order: OrderRequest, _ session: TradingSession<Mode>) async throws {
        if Question.hasTerminal {
            let preview = try await session.trading.preview(order)
            Console.writeError(text(of: preview, session.head, on: .standardError))
            if !preview.problems.isEmpty { throw CommandFailure(65, "The order was not placed: see the problems.") }
        }
        try Question.confirm(
            "\nPlace this order, \(session.head.mode)?", of: session.head, otherwise: "The order was not placed.")
    }

    private func text(of preview: OrderPreview, _ head: AccountHead, on surface: Ink.Surface) -> String {
        head.text("preview: \(summary)", on: surface) + TradingTables.preview(preview, on: surface)
    }
}

/// A word of the command line, in letters of either case.
protocol WordArgument: ExpressibleByArgument, CaseIterable, RawRepresentable where RawValue == String {}

extension WordArgument {
    init?(argument: String) { self.init(rawValue: argument.lowercased()) }
}
