import ArgumentParser
import Foundation
import MarketServices
import TradingCore

/// `candlewire positions`: lists, closes, reverses and protects positions.
struct PositionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "positions",
        abstract: "List, close, reverse or protect positions.",
        discussion: """
            ON PRICE is the profit in percent of the entry price; ON MARGIN is that times the leverage.

            EXAMPLES
              candlewire positions
              candlewire positions close BTC-USD
              candlewire positions close BTC-USD --quantity 0.02 --yes
              candlewire positions reverse ETH-USD
              candlewire positions bracket BTC-USD --take-profit 70000 --stop-loss none

            \(TradingRun.exitCodes)
            """,
        subcommands: [List.self, Close.self, Reverse.self, Bracket.self], defaultSubcommand: List.self)

    struct List: AccountCommand {
        static let configuration = CommandConfiguration(
            abstract: "List open positions.", discussion: "See `candlewire positions --help`.")

        @OptionGroup var account: AccountOptions

        func run<Mode>(_ session: TradingSession<Mode>) async throws {
            let positions = try await session.trading.fetchPositions()
            session.show("positions", positions, TradingTables.positions)
        }
    }

    struct Close: PositionCommand {
        static let configuration = CommandConfiguration(
            abstract: "Close a position with a market order that can only make it smaller.")

        @OptionGroup var action: PositionAction
        @Option(positive: "The part to close. Default: all.", "quantity") var quantity: ExactDecimal?

        func run<Mode>(_ session: TradingSession<Mode>) async throws {
            let what = quantity.map { "Close \($0) of the position" } ?? "Close the position"
            try await trade("close", what, session) { id throws(ServiceError) in
                try await session.trading.closePosition(symbol: action.symbol, quantity: quantity, clientOrderID: id)
            }
        }
    }

    struct Reverse: PositionCommand {
        static let configuration = CommandConfiguration(
            abstract: "Close a position and open the opposite one of the same size.")

        @OptionGroup var action: PositionAction

        func run<Mode>(_ session: TradingSession<Mode>) async throws {
            try await trade("reverse", "Reverse the position", session) { id throws(ServiceError) in
                try await session.trading.reversePosition(symbol: action.symbol, clientOrderID: id)
            }
        }
    }

    struct Bracket: PositionCommand {
        static let configuration = CommandConfiguration(
            abstract: "Set the take profit and the stop loss of a position; \"none\" removes one.")

        @OptionGroup var action: PositionAction

        @Option(
            parsing: .unconditional, help: ArgumentHelp("A price, or none.", valueName: "price|none"),
            transform: BracketPrice.argument)
        var takeProfit: BracketPrice?

        @Option(
            parsing: .unconditional, help: ArgumentHelp("A price, or none.", valueName: "price|none"),
            transform: BracketPrice.argument)
        var stopLoss: BracketPrice?

        func validate() throws {
            try valid(takeProfit != nil || stopLoss != nil, "Nothing to change: use --take-profit or --stop-loss.")
        }

        func run<Mode>(_ session: TradingSession<Mode>) async throws {
            let position = try await session.trading.setBracket(
                symbol: action.symbol, takeProfit: takeProfit ?? .unchanged, stopLoss: stopLoss ?? .unchanged)
            session.show("bracket \(action.symbol)", TradingTables.positions([position]))
        }
    }
}

/// A position, and whose.
struct PositionAction: ParsableArguments {
    @Argument("The position's market.", "SYMBOL") var symbol: String
    @Flag(help: "Do not ask for confirmation.") var yes = false
    @OptionGroup var account: AccountOptions
}

/// A command that changes one position.
protocol PositionCommand: AccountCommand {
    var action: PositionAction { get }
}

extension PositionCommand {
    var account: AccountOptions { action.account }
    var fieldFlags: [String: String] { ["quantity": "--quantity"] }

    /// Asks for confirmation, then trades with a client order id, by which the server executes the request once.
    fileprivate func trade<Mode>(
        _ name: String, _ question: String, _ session: TradingSession<Mode>,
        _ body: (_ clientOrderID: String) async throws(ServiceError) -> Order<Mode>
    ) async throws {
        if !action.yes {
            try Question.confirm(
                "\(question) in \(action.symbol), \(session.head.mode)?", of: session.head,
                otherwise: "Nothing was done.")
        }
        let order: Order<Mode>
        do throws(ServiceError) { order = try await body("cli-\(UUID().uuidString.lowercased())") } catch {
            throw session.run.server.failure(
                error, unknown: "The outcome is unknown; check `candlewire positions`.")
        }
        session.show("\(name) \(action.symbol)", TradingTables.orders([order]))
    }
}
