import ArgumentParser
import MarketServices
import TradingCore

/// `candlewire orders`: lists, cancels and amends orders.
struct OrdersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "orders",
        abstract: "List, cancel or amend orders.",
        discussion: """
            EXAMPLES
              candlewire orders                                   orders that can still trade
              candlewire orders --status all --symbol BTC-USD --limit 50
              candlewire orders show paper-main-o17
              candlewire orders cancel paper-main-o17 paper-main-o18
              candlewire orders cancel --all --symbol BTC-USD
              candlewire orders amend paper-main-o17 --price 64100 --quantity 0.04

            \(TradingRun.exitCodes)
            """,
        subcommands: [List.self, Show.self, Cancel.self, Amend.self], defaultSubcommand: List.self)

    struct List: AccountCommand {
        static let configuration = CommandConfiguration(
            abstract: "List orders, the newest first.", discussion: "See `candlewire orders --help`.")

        @Option(
            help: ArgumentHelp(
                "active, done, all, or one of new, partially_filled, filled, cancelled, rejected, expired.",
                valueName: "status"))
        var status = "active"

        @Option(help: ArgumentHelp("Only those of this market.", valueName: "symbol"))
        var symbol: String?

        @Option(parsing: .unconditional, help: ArgumentHelp("At most so many.", valueName: "count"))
        var limit = 100

        @Option(help: ArgumentHelp("Only those older than this.", valueName: "order id"))
        var before: String?

        @OptionGroup var account: AccountOptions

        func run<Mode>(_ session: TradingSession<Mode>) async throws {
            let wanted: OrderFilter.Status =
                switch status {
                case "all": .all
                case "active": .active
                case "done": .done
                default: .exactly(OrderStatus(rawValue: status))
                }
            let orders = try await session.trading.fetchOrders(
                OrderFilter(status: wanted, symbol: symbol, limit: limit, before: before))
            let which = (status == "all" ? "" : "\(status) ") + "orders" + (symbol.map { " of \($0)" } ?? "")
            session.show(which, orders, TradingTables.orders(_:on:))
        }
    }

    struct Show: AccountCommand {
        static let configuration = CommandConfiguration(abstract: "Show one order.")

        @Argument(help: ArgumentHelp("The order.", valueName: "ID"))
        var id: String

        @OptionGroup var account: AccountOptions

        func run<Mode>(_ session: TradingSession<Mode>) async throws {
            let order = try await session.trading.fetchOrder(session.order(id))
            session.show("order", TradingTables.orders([order], on: .standardOutput))
        }
    }

    struct Cancel: AccountCommand {
        static let configuration = CommandConfiguration(
            abstract: "Cancel orders: those named, or all that can still trade.",
            discussion: "With --json and several ids there is a document a line.")

        @Argument(help: ArgumentHelp("The orders.", valueName: "ID"))
        var ids: [String] = []

        @Flag(help: "All of the account.")
        var all = false

        @Option(help: ArgumentHelp("With --all: only those of this market.", valueName: "symbol"))
        var symbol: String?

        @OptionGroup var account: AccountOptions

        func validate() throws {
            if all != ids.isEmpty {
                throw ValidationError("Name the orders, or use --all for every one that can still trade.")
            }
            if symbol != nil, !all { throw ValidationError("--symbol goes with --all.") }
        }

        func run<Mode>(_ session: TradingSession<Mode>) async throws {
            guard !all else {
                let orders = try await session.trading.cancelAll(symbol: symbol)
                return session.show(
                    orders.isEmpty ? "there was no order to cancel" : "cancelled",
                    orders.isEmpty ? "" : TradingTables.orders(orders, on: .standardOutput))
            }
            var cancelled: [Order<Mode>] = []
            // Also where one of them fails.
            defer {
                if !cancelled.isEmpty, !options.json {
                    session.show("cancelled", TradingTables.orders(cancelled, on: .standardOutput))
                }
            }
            for id in ids {
                cancelled.append(try await session.trading.cancel(session.order(id)))
                if options.json { session.show("") }
            }
        }
    }

    struct Amend: AccountCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change the price or quantity of an order that can still trade.")

        @Argument(help: ArgumentHelp("The order.", valueName: "ID"))
        var id: String

        @Option(
            parsing: .unconditional, help: ArgumentHelp("The new limit.", valueName: "price"),
            transform: ExactDecimal.positiveArgument)
        var price: ExactDecimal?

        @Option(
            parsing: .unconditional, help: ArgumentHelp("The new stop.", valueName: "price"),
            transform: ExactDecimal.positiveArgument)
        var stop: ExactDecimal?

        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("The new quantity, including what is filled.", valueName: "quantity"),
            transform: ExactDecimal.positiveArgument)
        var quantity: ExactDecimal?

        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("Only if the order still has this version.", valueName: "number"))
        var ifVersion: Int?

        @OptionGroup var account: AccountOptions

        func validate() throws {
            if price == nil, stop == nil, quantity == nil {
                throw ValidationError("Nothing to change: use --price, --stop or --quantity.")
            }
        }

        var fieldFlags: [String: String] {
            ["quantity": "--quantity", "limit_price": "--price", "stop_price": "--stop"]
        }

        func run<Mode>(_ session: TradingSession<Mode>) async throws {
            let order = try await session.trading.amend(
                session.order(id),
                OrderChange(quantity: quantity, limitPrice: price, stopPrice: stop, version: ifVersion))
            session.show("amended", TradingTables.orders([order], on: .standardOutput))
        }
    }
}
