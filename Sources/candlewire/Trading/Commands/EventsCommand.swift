import ArgumentParser
import Foundation

/// `candlewire events`: what happened, once or as it happens.
struct EventsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "List an account's events, with --follow also the coming ones.",
        discussion: """
            EXAMPLES
              candlewire events --limit 20
              candlewire events --type order_filled --symbol BTC-USD
              candlewire events --follow
              candlewire events --follow --json | jq .message

            TYPES
              \(EventsCommand.types)

            With --follow each event is a line (with --json: a document), the oldest first. A
            server that is gone for a while is asked again, up to every 30 s, until Ctrl-C.

            \(TradingHelp.exitCodes)
            """)

    private static let types =
        "signal, order_placed, order_filled, order_cancelled, position_opened,\n"
        + "  position_closed, risk, system"

    @Option(help: ArgumentHelp("Only those of this type.", valueName: "type"))
    var type: String?

    @Option(help: ArgumentHelp("Only those of this market.", valueName: "symbol"))
    var symbol: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("So many at most.", valueName: "count"))
    var limit: Int?

    @Option(help: ArgumentHelp("Only older ones than this.", valueName: "event id"))
    var before: String?

    @Flag(help: "Go on with what happens from now on.")
    var follow = false

    @OptionGroup var account: AccountOptions

    @OptionGroup(title: "Server")
    var options: ServerOptions

    func validate() throws {
        if follow, before != nil { throw ValidationError("--before looks back, --follow ahead; say one of them.") }
    }

    private var query: [(name: String, value: String)] {
        var query = account.query
        query.add("type", type)
        query.add("symbol", symbol)
        query.add("limit", limit.map(String.init))
        query.add("before", before)
        return query
    }

    func run() async throws {
        try await TradingRun.perform(options) { run in
            guard !follow else {
                var follower = EventFollower(server: run.server, query: query, writesJSON: run.writesJSON)
                if !run.writesJSON { TradingRun.write(account.head.text("events", on: .standardOutput)) }
                return try await follower.run()
            }
            let answer = try await run.server.get(["v1", "events"], query)
            try run.show(answer, as: EventsDocument.self) { document in
                guard !document.events.isEmpty else { return account.head.text("no events", on: .standardOutput) }
                return account.head.text("events", on: .standardOutput)
                    + TradingTables.events(document.events, on: .standardOutput)
            }
        }
    }
}
