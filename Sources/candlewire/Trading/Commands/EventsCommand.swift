import ArgumentParser
import Foundation
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
              signal, order_placed, order_filled, order_cancelled, position_opened,
              position_closed, risk, system

            With --follow each event is a line (with --json: a document), the oldest first. While the server cannot be \
            reached, the command tries again at least every 30 s.

            \(TradingRun.exitCodes)
            """)

    @Option("Only these types, separated by commas.", "types") var type: String?
    @Option("Only this market.", "symbol") var symbol: String?
    @Option(signed: "Maximum number of events.", "count") var limit = 100
    @Option("Only events before this id.", "event id") var before: String?
    @Flag(help: "Continue with new events.") var follow = false
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
        let events = try await session.trading.fetchEvents(filter)
        session.show("events", events, TradingTables.events)
    }
}

/// Fetches a server's events again and again, and writes each once, in order.
///
/// By pages and not from the stream: the stream's snapshot after a lost connection has the newest events only, while pages
/// lead back to the last event that was written, so that there is no hole.
struct EventFollower<Mode: TradingMode> {
    private let session: TradingSession<Mode>
    private let filter: EventFilter
    private var seen: Set<String> = []
    private var order: [String] = []
    private var isFirst = true

    init(_ session: TradingSession<Mode>, filter: EventFilter) {
        self.session = session
        self.filter = filter
    }

    /// Until the reader of the output is gone, or the server refuses for good.
    mutating func run() async throws {
        var pause = 1.0
        var isLost = false
        while true {
            do {
                let events = try await fetchNew()
                if isLost { Console.writeError("The server answers again.\n") }
                (isLost, pause) = (false, 1)
                for event in events.reversed() where !Console.write(event) { return }
                isFirst = false
            } catch let error as ServiceError {
                let failure = session.run.server.failure(error)
                guard failure.isPassing, !isFirst else { throw failure }
                if !isLost { Console.writeError("\(failure.sentence()) Trying again.\n") }
                isLost = true
                pause = min(pause * 2, 30)
            }
            try await Task.sleep(for: .seconds(pause))
        }
    }

    /// The lines of the events that were not written yet, the newest first. Goes back page by page to one that was.
    private mutating func fetchNew() async throws -> [String] {
        var lines: [String] = []
        var filter = filter
        while true {
            let page: [ServiceEvent]
            do throws(ServiceError) { page = try await session.trading.fetchEvents(filter) } catch {
                guard error.field == "before" else { throw error }
                Console.writeError("The server has dropped older events: some before the next line are missing.\n")
                break
            }
            let texts = session.run.writesJSON ? try documents() : page.map { TradingTables.event($0) }
            var count = 0
            for (event, text) in zip(page, texts) where seen.insert(event.id).inserted {
                order.append(event.id)
                lines.append(text)
                count += 1
            }
            // The first time what is there is a beginning, not a gap.
            guard !isFirst, count > 0, count == page.count else { break }
            filter.before = page.last?.id
        }
        // As many ids as two pages have: older events cannot come again.
        while order.count > 20_000 { seen.remove(order.removeFirst()) }
        return lines
    }

    /// The events of the last answer as documents, with members that this version does not know.
    private func documents() throws -> [String] {
        let body = Data(session.run.server.lastAnswer?.body ?? [])
        let object = try JSONSerialization.jsonObject(with: body) as? [String: Any]
        return try (object?["events"] as? [Any] ?? []).map { event in
            let data = try JSONSerialization.data(
                withJSONObject: event, options: [.sortedKeys, .withoutEscapingSlashes])
            return String(decoding: data, as: UTF8.self) + "\n"
        }
    }
}
