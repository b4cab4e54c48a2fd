import ArgumentParser

/// `candlewire orders`: lists, cancels and amends orders.
struct OrdersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "orders",
        abstract: "List, cancel or amend orders.",
        discussion: """
            EXAMPLES
              candlewire orders                                   those that can still trade
              candlewire orders --status all --symbol BTC-USD --limit 50
              candlewire orders show paper-main-o17
              candlewire orders cancel paper-main-o17 paper-main-o18
              candlewire orders cancel --all --symbol BTC-USD
              candlewire orders amend paper-main-o17 --price 64100 --quantity 0.04

            \(TradingHelp.exitCodes)
            """,
        subcommands: [List.self, Show.self, Cancel.self, Amend.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List orders, the newest first.", discussion: "See `candlewire orders --help`.")

        @Option(
            help: ArgumentHelp(
                "active, done, all, or one of new, partially_filled, filled, cancelled, rejected, expired.",
                valueName: "status"))
        var status = "active"

        @Option(help: ArgumentHelp("Only those of this market.", valueName: "symbol"))
        var symbol: String?

        @Option(parsing: .unconditional, help: ArgumentHelp("So many at most.", valueName: "count"))
        var limit: Int?

        @Option(help: ArgumentHelp("Only older ones than this.", valueName: "order id"))
        var before: String?

        @OptionGroup var account: AccountOptions

        @OptionGroup(title: "Server")
        var options: ServerOptions

        func run() async throws {
            try await TradingRun.perform(options) { run in
                var query = account.query + [("status", status)]
                query.add("symbol", symbol)
                query.add("limit", limit.map(String.init))
                query.add("before", before)
                let answer = try await run.server.get(["v1", "orders"], query)
                try run.show(answer, as: OrdersDocument.self) { document in
                    let which = (status == "all" ? "" : "\(status) ") + "orders" + (symbol.map { " of \($0)" } ?? "")
                    let head = AccountHead(account: document.account)
                    guard !document.orders.isEmpty else { return head.text("no \(which)", on: .standardOutput) }
                    return head.text(which, on: .standardOutput)
                        + TradingTables.orders(document.orders, on: .standardOutput)
                }
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show one order.")

        @Argument(help: ArgumentHelp("Which one.", valueName: "ID"))
        var id: String

        @OptionGroup var account: AccountOptions

        @OptionGroup(title: "Server")
        var options: ServerOptions

        func run() async throws {
            try await TradingRun.perform(options) { run in
                try run.show(
                    try await run.server.get(["v1", "orders", id], account.query), as: OrderDocument.self
                ) {
                    account.of($0).text("order", on: .standardOutput) + TradingTables.orders([$0], on: .standardOutput)
                }
            }
        }
    }

    struct Cancel: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Cancel orders: those named, or all that can still trade.",
            discussion: "With --json and several ids there is a document a line.")

        @Argument(help: ArgumentHelp("Which ones.", valueName: "ID"))
        var ids: [String] = []

        @Flag(help: "All of the account.")
        var all = false

        @Option(help: ArgumentHelp("With --all: only those of this market.", valueName: "symbol"))
        var symbol: String?

        @OptionGroup var account: AccountOptions

        @OptionGroup(title: "Server")
        var options: ServerOptions

        func validate() throws {
            if all != ids.isEmpty {
                throw ValidationError("Name the orders, or say --all for every one that can still trade.")
            }
            if symbol != nil, !all { throw ValidationError("--symbol goes with --all.") }
        }

        func run() async throws {
            try await TradingRun.perform(options) { run in
                if all { return try await cancelAll(run) }
                var cancelled: [OrderDocument] = []
                defer {
                    if !cancelled.isEmpty {
                        TradingRun.write(
                            account.head.text("cancelled", on: .standardOutput)
                                + TradingTables.orders(cancelled, on: .standardOutput))
                    }
                }
                for id in ids {
                    let answer = try await cancel(id, run)
                    if run.writesJSON {
                        TradingRun.write(answer.text)
                    } else {
                        cancelled.append(try answer.decoded(OrderDocument.self))
                    }
                }
            }
        }

        private func cancelAll(_ run: TradingRun) async throws {
            var query = account.query
            query.add("symbol", symbol)
            let answer = try await run.server.send("DELETE", ["v1", "orders"], query)
            try run.show(answer, as: OrdersDocument.self) { document in
                let head = AccountHead(account: document.account)
                guard !document.orders.isEmpty else {
                    return head.text("there was no order to cancel", on: .standardOutput)
                }
                return head.text("cancelled", on: .standardOutput)
                    + TradingTables.orders(document.orders, on: .standardOutput)
            }
        }

        /// The second time, the server may say that the order is done: by the first, whose answer got lost.
        private func cancel(_ id: String, _ run: TradingRun) async throws -> TradingServer.Answer {
            let path = ["v1", "orders", id]
            do {
                return try await run.server.send("DELETE", path, account.query)
            } catch let failure as TradingFailure where failure.wasRepeated && failure.refusal?.status == 409 {
                let answer = try await run.server.get(path, account.query)
                guard try answer.decoded(OrderDocument.self).status == "cancelled" else { throw failure }
                return answer
            }
        }
    }

    struct Amend: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change the price or quantity of an order that can still trade.")

        @Argument(help: ArgumentHelp("Which one.", valueName: "ID"))
        var id: String

        @Option(
            parsing: .unconditional, help: ArgumentHelp("The new limit.", valueName: "price"),
            transform: DecimalArgument.parse)
        var price: DecimalArgument?

        @Option(
            parsing: .unconditional, help: ArgumentHelp("The new stop.", valueName: "price"),
            transform: DecimalArgument.parse)
        var stop: DecimalArgument?

        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("The new quantity, with what is filled already.", valueName: "quantity"),
            transform: DecimalArgument.parse)
        var quantity: DecimalArgument?

        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("Only if nobody changed it since: the version it had.", valueName: "number"))
        var ifVersion: Int?

        @OptionGroup var account: AccountOptions

        @OptionGroup(title: "Server")
        var options: ServerOptions

        func validate() throws {
            if price == nil, stop == nil, quantity == nil {
                throw ValidationError("Say what changes: --price, --stop or --quantity.")
            }
        }

        private static let flags = ["quantity": "--quantity", "limit_price": "--price", "stop_price": "--stop"]

        func run() async throws {
            try await TradingRun.perform(options, flags: Self.flags) { run in
                var body = RequestBody()
                body.set("account", text: account.account)
                body.set("quantity", text: quantity?.text)
                body.set("limit_price", text: price?.text)
                body.set("stop_price", text: stop?.text)
                body.set("version", ifVersion.map(RequestBody.Value.number))
                let answer = try await run.server.send("PATCH", ["v1", "orders", id], account.query, body: body)
                try run.show(answer, as: OrderDocument.self) {
                    account.of($0).text("amended", on: .standardOutput)
                        + TradingTables.orders([$0], on: .standardOutput)
                }
            }
        }
    }
}

extension AccountOptions {
    /// The head of an order's own account.
    func of(_ order: OrderDocument) -> AccountHead { AccountHead(account: order.account ?? account) }
}

extension [(name: String, value: String)] {
    /// Adds a parameter; does nothing for `nil`.
    mutating func add(_ name: String, _ value: String?) {
        if let value { append((name, value)) }
    }
}
