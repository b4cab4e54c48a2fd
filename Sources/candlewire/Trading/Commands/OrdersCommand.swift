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
              candlewire orders                          orders that can still trade
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

        @Option("active, done, all, or one of new, partially_filled, filled, cancelled, rejected, expired.", "status")
        var status = "active"

        @Option("Only this market.", "symbol") var symbol: String?
        @Option(signed: "Maximum number of orders.", "count") var limit = 100
        @Option("Only orders before this id.", "order id") var before: String?
        @OptionGroup var account: AccountOptions

        func run<Mode>(_ session: TradingSession<Mode>) async throws {
            let named: [String: OrderFilter.Status] = ["all": .all, "active": .active, "done": .done]
            let wanted = named[status] ?? .exactly(OrderStatus(rawValue: status))
            let orders = try await session.trading.fetchOrders(
                OrderFilter(status: wanted, symbol: symbol, limit: limit, before: before))
            let which = (status == "all" ? "" : "\(status) ") + "orders" + (symbol.map { " of \($0)" } ?? "")
            session.show(which, orders, TradingTables.orders)
        }
    }

    struct Show: AccountCommand {
        static let configuration = CommandConfiguration(abstract: "Show one order.")

        @Argument("The order.", "ID") var id: String
        @OptionGroup var account: AccountOptions
        var orderIDs: [String] { [id] }

        func run<Mode>(_ session: TradingSession<Mode>) async throws {
            let order = try await session.trading.fetchOrder(session.order(id))
            session.show("order", TradingTables.orders([order]))
        }
    }

    struct Cancel: AccountCommand {
        static let configuration = CommandConfiguration(
            abstract: "Cancel orders: those named, or all that can still trade.",
            discussion: """
                --all cancels the take profits and stop losses of positions too. With --json and several ids there is a \
                document a line.
                """)

        @Argument(help: ArgumentHelp("The orders.", valueName: "ID")) var ids: [String] = []
        @Flag(help: "All of the account, also the take profits and stop losses of its positions.") var all = false
        @Option("With --all: only those of this market.", "symbol") var symbol: String?
        @OptionGroup var account: AccountOptions
        var orderIDs: [String] { ids }

        func validate() throws {
            try valid(all == ids.isEmpty, "Name the orders, or use --all for every one that can still trade.")
            try valid(symbol == nil || all, "--symbol goes with --all.")
        }

        func run<Mode>(_ session: TradingSession<Mode>) async throws {
            guard !all else {
                let orders = try await session.trading.cancelAll(symbol: symbol)
                session.show(
                    orders.isEmpty ? "there was no order to cancel" : "cancelled",
                    orders.isEmpty ? "" : TradingTables.orders(orders))
                return warn(orders)
            }
            let requested = try ids.map { try session.order($0) }
            var cancelled: [Order<Mode>] = []
            // Also where one of them fails.
            defer {
                if !cancelled.isEmpty, !options.json { session.show("cancelled", TradingTables.orders(cancelled)) }
                warn(cancelled)
            }
            for id in requested {
                cancelled.append(try await session.trading.cancel(id))
                if options.json { session.show("") }
            }
        }

        /// Says which positions have lost what protected them.
        private func warn<Mode>(_ cancelled: [Order<Mode>]) {
            // Those that the exchange makes itself are takes of profit and stops.
            let protecting = cancelled.filter { $0.reduceOnly && $0.clientOrderID.hasPrefix("~") }
            guard !protecting.isEmpty else { return }
            let symbols = Set(protecting.map(\.symbol)).sorted().joined(separator: ", ")
            Console.writeError(
                "Cancelled take profits and stop losses too: \(symbols). candlewire positions bracket sets new ones.\n")
        }
    }

    struct Amend: AccountCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change the price or quantity of an order that can still trade.")

        @Argument("The order.", "ID") var id: String
        @Option(positive: "The new limit.", "price") var price: ExactDecimal?
        @Option(positive: "The new stop.", "price") var stop: ExactDecimal?
        @Option(positive: "The new quantity, including what is filled.", "quantity") var quantity: ExactDecimal?
        @Option(signed: "Only if the order still has this version.", "number") var ifVersion: Int?
        @OptionGroup var account: AccountOptions
        var orderIDs: [String] { [id] }

        func validate() throws {
            try valid(
                price != nil || stop != nil || quantity != nil, "Nothing to change: use --price, --stop or --quantity.")
        }

        var fieldFlags: [String: String] {
            ["quantity": "--quantity", "limit_price": "--price", "stop_price": "--stop"]
        }

        func run<Mode>(_ session: TradingSession<Mode>) async throws {
            let order = try await session.trading.amend(
                session.order(id),
                OrderChange(quantity: quantity, limitPrice: price, stopPrice: stop, version: ifVersion))
            session.show("amended", TradingTables.orders([order]))
        }
    }
}
