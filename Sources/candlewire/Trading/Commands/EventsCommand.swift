import ArgumentParser
import MarketServices
import TradingCore

/// `candlewire events`: what happened, once or as it happens.
struct EventsCommand: AccountCommand {
    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "List an account's events; --follow continues with new ones.",
        discussion: """
            EXAMPLES
              candlewire events --limit 20
              candlewire events --type order_filled --symbol BTC-USD
              candlewire events --follow
              candlewire events --follow --json | jq .message

            TYPES
              \(EventsCommand.types)

            With --follow each event is a line (with --json: a document), the oldest first. While
            the server cannot be reached, the command tries again at least every 30 s.

            \(TradingRun.exitCodes)
            """)

    private static let types =
        "signal, order_placed, order_filled, order_cancelled, position_opened,\n"
        + "  position_closed, risk, system"

    @Option(help: ArgumentHelp("Only those of these types, separated by commas.", valueName: "types"))
    var type: String?

    @Option(help: ArgumentHelp("Only those of this market.", valueName: "symbol"))
    var symbol: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("At most so many.", valueName: "count"))
    var limit = 100

    @Option(help: ArgumentHelp("Only those older than this.", valueName: "event id"))
    var before: String?

    @Flag(help: "Continue with new events.")
    var follow = false

    @OptionGroup var account: AccountOptions

    func validate() throws {
        if follow, before != nil { throw ValidationError("--before looks back, --follow ahead; use one of them.") }
    }

    func run<Mode>(_ session: TradingSession<Mode>) async throws {
        let filter = EventFilter(
            type: type.map(ServiceEventType.init(rawValue:)), symbol: symbol, limit: limit, before: before)
        guard !follow else {
            if !options.json { session.show("events") }
            var follower = EventFollower(session, filter: filter)
            return try await follower.run()
        }
        let events = try await session.events.fetchEvents(filter)
        session.show("events", events, TradingTables.events)
    }
}
