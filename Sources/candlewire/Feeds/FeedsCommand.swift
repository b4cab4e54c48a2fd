import ArgumentParser
import Foundation
import MarketFeeds
import MarketModel
import StreamCore

struct FeedsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feeds",
        abstract: "List the venues that can be followed live, and what each can do.",
        discussion: """
            EXAMPLES
              candlewire feeds
              candlewire feeds kraken
                  one of them, with its address, limits and candles
              candlewire feeds --json
                  all of it, for programs
              candlewire feeds acme.json
                  checks a provider's configuration (Docs/providers.md), and shows what is requested and read
              candlewire feeds acme.json --message '{"type":"tick","symbol":"A","timestamp":1732130000,"price":5,"volume":1}'
                  how such a message would be read
              candlewire serve --feed kraken:BTC/USD,ETH/USD
            """)

    @Argument(
        help: ArgumentHelp(
            "Only this one, with its address and limits; or a provider's configuration.", valueName: "venue"))
    var venue: String?

    @Option(help: ArgumentHelp("Of a configuration: a message to be read with it.", valueName: "json"))
    var message: String?

    @Flag(help: "Print a JSON document.")
    var json = false

    func run() async throws {
        guard let venue else {
            return print(json ? FeedsDocument.text(FeedOutline.all) : Self.table() + "\n", terminator: "")
        }
        if venue.hasSuffix(".json") || venue.contains("/") {
            guard !json else {
                throw ValidationError("--json is for the feeds that are listed; a configuration is JSON already.")
            }
            return try await Failure.exitCleanly { try explain(venue) }
        }
        guard message == nil else { throw ValidationError("--message belongs to a provider's configuration.") }
        guard let feed = FeedOutline.all.first(where: { $0.name == venue }) else {
            throw ValidationError(
                "Unknown venue \"\(venue)\"; allowed are \(FeedOutline.names), and the file of a provider's configuration."
            )
        }
        print(json ? FeedsDocument.text([feed]) : Self.details(feed) + "\n", terminator: "")
    }

    private func explain(_ path: String) throws {
        let provider = try ProviderConfiguration(file: path)
        if let message { return print(provider.reading(of: message).joined(separator: "\n")) }
        print("\(provider.title) (\(provider.name)), by \(path)")
        for (name, text) in provider.explanation {
            print("  \(name.padding(toLength: 14, withPad: " ", startingAt: 0))\(text)")
        }
        if let variable = provider.tokenVariable, ProcessInfo.processInfo.environment[variable]?.isEmpty ?? true {
            print("  note          the variable \(variable) is not set")
        }
        let symbols = provider.symbols.isEmpty ? ":SYMBOL" : ""
        print("  try           candlewire serve --feed provider:\(path)\(symbols)")
    }

    static func table() -> String {
        let live = FeedOutline.all.map { feed -> [String] in
            guard let adapter = feed.adapter else {
                return [feed.name, feed.title, feed.symbol, "by outage", "no", "no", "none"]
            }
            let can = adapter.capabilities
            return [
                feed.name, feed.title, feed.symbol, can.gaps.rawValue, can.seesDuplicates ? "recognised" : "no",
                can.acknowledges ? "yes" : can.assumesGranted ? "no" : "by data", can.needsKey ? "needed" : "none",
            ]
        }
        let rest = FeedOutline.all.map { feed -> [String] in
            let history = feed.history
            return [
                feed.name, feed.markets == .none ? "not" : feed.markets.rawValue,
                history.map { "\($0.isNewestOnly ? "newest " : "")\($0.rows)" } ?? "none",
                history.map { number($0.requestsPerSecond) } ?? "",
                feed.simulation == .none ? "not" : "by \(feed.simulation.words)",
                history.map { candles($0.timeframes) } ?? "none",
            ]
        }
        return columns([["feed", "venue", "symbol", "missing trades", "repeated", "acknowledged", "key"]] + live)
            + "\n\nOver REST, and on this machine:\n"
            + columns([["feed", "markets", "a request", "a second", "simulated", "candles"]] + rest)
    }

    private static func candles(_ timeframes: [Timeframe]) -> String {
        timeframes == Timeframe.allCases ? "all" : timeframes.map(\.rawValue).joined(separator: " ")
    }

    private static func columns(_ rows: [[String]]) -> String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }.joined(separator: "  ")
                .trimmingCharacters(in: .whitespaces)
        }.joined(separator: "\n")
    }

    private static func number(_ value: Double) -> String { JSONValue.number(value).json }

    static func details(_ feed: FeedOutline) -> String {
        var lines = ["\(feed.title) (\(feed.name))"]
        if let adapter = feed.adapter {
            lines += live(feed, adapter)
        } else {
            lines.append("  address       the server's own echo, /raw; --url replaces it")
            lines.append(
                "  symbols       those of a list of stocks (Docs/tracker.md); without one \(TrackedStock.bundled.count) of its own"
            )
        }
        if let history = feed.history {
            lines.append("  candles       \(history.timeframes.map(\.rawValue).joined(separator: ", "))")
            let newest = history.isNewestOnly ? "the newest \(history.rows) candles" : "\(history.rows) candles"
            lines.append("  over REST     \(newest) a request, \(number(history.requestsPerSecond)) requests a second")
        } else {
            lines.append("  candles       none: \(FeedOutline.withoutHistory(feed.name))")
        }
        switch feed.markets {
        case .listed: lines.append("  markets       candlewire symbols \(feed.name)")
        case .searched: lines.append("  markets       searched: candlewire symbols \(feed.name) TEXT")
        case .none: lines.append("  markets       \(FeedOutline.withoutMarkets(feed.name))")
        }
        switch feed.simulation {
        case .recording: lines.append("  simulated     candlewire simulate \(feed.name) --recording FILE")
        case .made: lines.append("  simulated     candlewire simulate \(feed.name)")
        case .configuration: lines.append("  simulated     candlewire simulate \(feed.name) --config FILE")
        case .none: lines.append("  simulated     \(FeedOutline.withoutSimulator(feed.name))")
        }
        if let caveat = feed.adapter?.capabilities.caveat { lines.append("  note          \(caveat)") }
        lines.append("  try           candlewire serve --feed \(feed.name):\(feed.symbol)")
        return lines.joined(separator: "\n")
    }

    private static func live(_ feed: FeedOutline, _ adapter: any FeedAdapter) -> [String] {
        let (can, limits) = (adapter.capabilities, adapter.limits)
        let liveness =
            switch adapter.liveness {
            case .speaks(let every): "something comes at least every \(Int(every)) s; twice without is the end"
            case .asks(let every, _): "a message of its own protocol every \(Int(every)) s"
            }
        var lines = [
            "  address       \(adapter.endpoint)",
            "  symbols       like \(feed.symbol), up to \(limits.symbolsPerConnection) on a connection",
            "  requests      \(limits.symbolsPerRequest) symbols each, \(number(limits.messagesPerSecond)) a second",
            "  liveness      \(liveness)", "  missing       seen \(can.gaps.rawValue)",
            "  repeated      \(can.seesDuplicates ? "recognised" : "not recognised")",
            "  sides         \(can.tellsSides ? "reported" : "not reported")",
        ]
        if let rotation = limits.rotation {
            lines.append("  replaced      after \(Int(rotation / 3600)) h, before the venue cuts it")
        }
        if let name = adapter.credentialsName {
            lines.append("  key           --credentials FILE, or \(name.uppercased())_API_KEY in the environment")
        }
        return lines
    }
}

extension FeedOutline.Simulation {
    fileprivate var words: String {
        switch self {
        case .recording: "recording"
        case .made: "made prices"
        case .configuration: "configuration"
        case .none: ""
        }
    }
}
