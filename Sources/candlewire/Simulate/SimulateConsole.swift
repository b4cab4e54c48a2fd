import Foundation
import MarketFeeds
import VenueSimulation

/// Writes what clients of a simulated venue do, a line an event, but no more than a person can read.
final class SimulateConsole: Sendable {
    let lines = EventLines(linesPerSecond: 20)

    func begin(_ server: VenueSimulator, _ played: Played, _ settings: VenueSettings) {
        let symbols = (played.symbols.isEmpty ? server.symbols : played.symbols).map(TextTable.printable)
        let trades = played.recording.map { "\($0.tradeCount) trades" } ?? "prices made for it"
        let pace =
            switch settings.pace {
            case .recorded(1): "as recorded"
            case .recorded(let factor): "\(factor) times as fast"
            case .asFastAsRead: "as fast as it is read"
            }
        // Where all of them trade, there is nothing to distinguish. Bitfinex has a letter before its pairs.
        let quiet = server.quietSymbols.map(TextTable.printable).filter { name in
            !symbols.contains { name == $0 || name == "t\($0)" }
        }
        let markets =
            quiet.isEmpty
            ? "Markets    \(symbols.joined(separator: ", "))"
            : """
            Markets with trades  \(symbols.joined(separator: ", "))
              Quiet markets        \(quiet.joined(separator: ", ")) (can be subscribed to, and do not trade)
            """
        let times = settings.times == .now ? "moved, so that it plays now" : "as recorded"
        Console.write(
            """
            \(server.venue.name) is simulated with \(played.session.messages.count) messages, \(trades), \
            \(String(format: "%.0f", played.session.duration)) s.

              WebSocket  \(server.url)
              \(markets)
              Pace       \(pace)\(settings.loops ? ", again and again" : ""); times \(times)
              Try        \(Self.trial(server, symbols, played.config))
              Stop       Ctrl-C


            """)
    }

    /// What a person may do with it: a server on this feed where it can have one, else a recording of it.
    private static func trial(_ server: VenueSimulator, _ symbols: [String], _ config: String?) -> String {
        if let config {
            let feed = "provider:\(config):\(symbols.joined(separator: ","))"
            return "candlewire serve --feed \(Console.shellWord(feed)) --url \(server.url)"
        }
        let feed = "\(server.venue.name):\(symbols.joined(separator: ","))"
        guard (try? FeedSpecification(feed)) != nil else {
            return "candlewire record \(server.url) --out session.jsonl"
        }
        // Where a key is wanted, the simulation knows one.
        let name = FeedCatalogue.adapter(named: server.venue.name)?.credentialsName
        let key = name.map { "\($0.uppercased())_API_KEY=demo " } ?? ""
        return "\(key)candlewire serve --feed \(Console.shellWord(feed)) --url \(server.baseURL)"
    }

    func show(_ event: VenueEvent) { lines.show(Self.line(event)) }

    func end(_ log: VenueLog) {
        Console.write(
            """

            The simulation ends after \(String(format: "%.1f", lines.age)) s.
              connections  \(log.connections) (\(log.open) still open, \(log.refused) refused, \(log.kicks.count) ended \
            by the venue)
              messages     \(log.receivedCount) received, \(log.sent) sent
              pongs        \(log.pongs)

            """)
    }

    /// An address without the values of what lets people in.
    static func hidden(_ target: String) -> String {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return target }
        let fields = parts[1].split(separator: "&", omittingEmptySubsequences: false).map { field -> String in
            let isSecret = field.hasPrefix("token=") || field.hasPrefix("api_key=")
            return isSecret ? String(field.prefix(while: { $0 != "=" })) + "=…" : String(field)
        }
        return "\(parts[0])?\(fields.joined(separator: "&"))"
    }

    private static func line(_ event: VenueEvent) -> String {
        switch event {
        case .opened(let number, let target): "#\(number) opened \(hidden(target))"
        case .refused(let number, let status): "#\(number) refused with \(status)"
        case .received(let number, let text): "#\(number) says \(text.count > 200 ? text.prefix(200) + "..." : text)"
        case .subscribed(let number, let topic): "#\(number) subscribed to \(topic)"
        case .unsubscribed(let number, let topic): "#\(number) unsubscribed from \(topic)"
        case .ponged(let number): "#\(number) answered a ping"
        case .kicked(let number, let reason): "#\(number) ended by the venue: \(reason)"
        case .ended(let number): "#\(number) has the whole recording"
        case .closed(let number): "#\(number) closed"
        case .requested(let target, let status): "GET \(hidden(target)) \(status)"
        }
    }
}
