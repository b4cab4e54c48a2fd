import ArgumentParser
import MarketServices

/// `candlewire markets`: lists, searches, adds and removes the markets of a running server.
struct MarketsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "markets",
        abstract: "List a server's markets, or search, add and remove them while it runs.",
        discussion: """
            EXAMPLES
              candlewire markets
              candlewire markets search tesla
                  what the venues of the server's feeds list
              candlewire markets add TSLA
              candlewire markets add kraken:SOL/USD --json
                  of one of several feeds
              candlewire markets remove TSLA

            \(TradingRun.exitCodes)
            """,
        subcommands: [List.self, Search.self, Add.self, Remove.self], defaultSubcommand: List.self)

    /// A market as the server's documents have it.
    private struct Entry: Decodable {
        var symbol: String
        var name: String?
        var feed: String?
        var feedState: String?
        var price: Double?

        var cells: [TextTable.Cell] {
            [
                .left("symbol", symbol), .left("name", name), .left("feed", feed), .decimal("price", price),
                .left("state", feedState ?? "live"),
            ]
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the server's markets.", discussion: "See `candlewire markets --help`.")
        @OptionGroup(title: "Server") var options: ServerOptions

        private struct Document: Decodable { var markets: [Entry] }

        func run() async throws {
            try await TradingRun.perform(options) { run in
                let answer = try await run.server.get(["v1", "markets"])
                try run.show(answer, as: Document.self) { TextTable.text($0.markets) { $0.cells } }
            }
        }
    }

    struct Search: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Search what the venues of the server's feeds list.",
            discussion: """
                EXAMPLES
                  candlewire markets search tesla
                  candlewire markets search sol --feed kraken
                """)
        @Argument("A part of a symbol or a name.", "TEXT") var text: String
        @Option("Only in this feed.", "name") var feed: String?
        @OptionGroup(title: "Server") var options: ServerOptions

        private struct Document: Decodable {
            struct Listing: Decodable {
                var symbol: String
                var name: String?
                var feed: String
                var market: String?
            }
            struct Problem: Decodable { var feed: String, message: String }
            var listings: [Listing]
            var problems: [Problem]
        }

        func run() async throws {
            try await TradingRun.perform(options) { run in
                let answer = try await run.server.get(["v1", "listings"], [("query", text), ("feed", feed)])
                try run.show(answer, as: Document.self) { document in
                    let rows = document.listings
                    let table = TextTable.text(rows) {
                        [
                            .left("symbol", $0.symbol), .left("name", $0.name), .left("feed", $0.feed),
                            .left("here", $0.market),
                        ]
                    }
                    let problems = document.problems.map { TextTable.printable("\($0.feed): \($0.message)") + "\n" }
                    return
                        (rows.isEmpty
                        ? "no feed of this server lists such a market; candlewire markets has those that are here\n"
                        : table) + problems.joined()
                }
            }
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add a market that a feed's venue lists.",
            discussion: """
                The market stays after a restart. What the venue limits, as the number of symbols, is its answer.

                EXAMPLES
                  candlewire markets add TSLA
                  candlewire markets add SOL/USD --feed kraken
                """)
        @Argument("The symbol as the venue writes it.", "SYMBOL") var symbol: String
        @Option("The feed, where several list the symbol.", "name") var feed: String?
        @OptionGroup(title: "Server") var options: ServerOptions

        func run() async throws {
            try await TradingRun.perform(options) { run in
                let body = ["symbol": symbol, "feed": feed].compactMapValues { $0 }
                let answer = try await run.server.send("POST", ["v1", "markets"], body: body)
                try run.show(answer, as: Entry.self) {
                    (answer.status == 201 ? "added\n" : "there already\n") + TextTable.text([$0]) { $0.cells }
                }
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a market without positions and open orders.",
            discussion: """
                Its candles and its trades in the ledger stay.

                EXAMPLES
                  candlewire markets remove TSLA
                """)
        @Argument("The market's symbol.", "SYMBOL") var symbol: String
        @OptionGroup(title: "Server") var options: ServerOptions

        private struct Document: Decodable {
            var symbol: String
            var backAfterRestart: Bool
        }

        func run() async throws {
            try await TradingRun.perform(options) { run in
                let answer = try await run.server.send("DELETE", ["v1", "markets", symbol])
                try run.show(answer, as: Document.self) {
                    "removed \(TextTable.printable($0.symbol))"
                        + ($0.backAfterRestart ? "; the server's --feed names it, so a restart brings it back\n" : "\n")
                }
            }
        }
    }
}
