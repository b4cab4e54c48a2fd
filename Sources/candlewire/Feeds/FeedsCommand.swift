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
                  checks a provider's configuration (Docs/providers.md), and shows what
                  is requested and read
              candlewire feeds acme.json --message '{"type":"tick","symbol":"A",
                  "timestamp":1732130000,"price":5,"volume":1}'
                  how such a message would be read
              candlewire serve --feed kraken:BTC/USD,ETH/USD
            """)

    @Argument("Only this one, with its address and limits; or a provider's configuration.", "venue") var venue: String?
    @Option("Of a configuration: a message to be read with it.", "json") var message: String?
    @Flag(help: "Print a JSON document.") var json = false

    func run() async throws {
        guard let venue else { return print(json ? FeedsDocument.text(FeedOutline.all) : Self.table, terminator: "") }
        if venue.hasSuffix(".json") || venue.contains("/") {
            try valid(!json, "--json is for the feeds that are listed; a configuration is JSON already.")
            return try await Failure.exitCleanly { try explain(venue) }
        }
        try valid(message == nil, "--message belongs to a provider's configuration.")
        let feed = try valid(
            FeedOutline.all.first { $0.name == venue },
            "Unknown venue \"\(venue)\"; allowed are \(FeedOutline.names), and the file of a provider's configuration.")
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

    private static var table: String {
        let plain = Ink.Surface(hasColours: false)
        let live = TextTable.text(FeedOutline.all, on: plain) { feed in
            let can = feed.adapter?.capabilities
            let isAcknowledged = can?.acknowledges == true ? "yes" : can?.assumesGranted ?? true ? "no" : "by data"
            return [
                .left("feed", feed.name), .left("venue", feed.title), .left("symbol", feed.symbol),
                .left("missing trades", can?.gaps.rawValue ?? "by outage"),
                .left("repeated", can?.detectsDuplicates == true ? "recognised" : "no"),
                .left("acknowledged", isAcknowledged), .left("key", can?.needsKey == true ? "needed" : "none"),
            ]
        }
        let rest = TextTable.text(FeedOutline.all, on: plain) { feed in
            let history = feed.history
            let simulation = feed.simulation == .made ? "synthetic prices" : feed.simulation.rawValue
            return [
                .left("feed", feed.name), .left("markets", feed.markets == .none ? "not" : feed.markets.rawValue),
                .left("a request", history.map { "\($0.isNewestOnly ? "newest " : "")\($0.rows)" } ?? "none"),
                .left("a second", history.map { number($0.requestsPerSecond) }),
                .left("simulated", feed.simulation == .none ? "not" : "by \(simulation)"),
                .left("candles", history.map { candles($0.timeframes) } ?? "none"),
            ]
        }
        return "\(live)\nOver REST, and on this machine:\n\(rest)"
    }

    private static func candles(_ timeframes: [Timeframe]) -> String {
        timeframes == Timeframe.allCases ? "all" : timeframes.map(\.rawValue).joined(separator: " ")
    }

    private static func number(_ value: Double) -> String { JSONValue.number(value).json }

    private static func details(_ feed: FeedOutline) -> String {
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
        let markets =
            switch feed.markets {
            case .listed: "candlewire symbols \(feed.name)"
            case .searched: "searched: candlewire symbols \(feed.name) TEXT"
            case .none: FeedOutline.withoutMarkets(feed.name)
            }
        let simulation =
            switch feed.simulation {
            case .recording: "candlewire simulate \(feed.name) --recording FILE"
            case .made: "candlewire simulate \(feed.name)"
            case .configuration: "candlewire simulate \(feed.name) --config FILE"
            case .none: FeedOutline.withoutSimulator(feed.name)
            }
        lines += ["  markets       \(markets)", "  simulated     \(simulation)"]
        if let caveat = feed.adapter?.capabilities.caveat { lines.append("  note          \(caveat)") }
        lines.append("  try           candlewire serve --feed \(feed.name):\(feed.symbol)")
        return lines.joined(separator: "\n")
    }

    private static func live(_ feed: FeedOutline, _ adapter: any FeedAdapter) -> [String] {
        let (can, limits) = (adapter.capabilities, adapter.limits)
        let liveness =
            switch adapter.liveness {
            case .traffic(let every): "something comes at least every \(Int(every)) s; twice without is the end"
            case .ping(let every, _): "a message of its own protocol every \(Int(every)) s"
            }
        var lines = [
            "  address       \(adapter.endpoint)",
            "  symbols       like \(feed.symbol), up to \(limits.symbolsPerConnection) on a connection",
            "  requests      \(limits.symbolsPerRequest) symbols each, \(number(limits.messagesPerSecond)) a second",
            "  liveness      \(liveness)", "  missing       seen \(can.gaps.rawValue)",
            "  repeated      \(can.detectsDuplicates ? "recognised" : "not recognised")",
            "  sides         \(can.reportsSides ? "reported" : "not reported")",
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

/// Feeds as JSON, for programs.
enum FeedsDocument {
    static func text(_ feeds: [FeedOutline]) -> String {
        var sink: [UInt8] = []
        sink.json("{\"feeds\":")
        sink.list(feeds) { write($1, into: &$0) }
        sink.json("}\n")
        return String(decoding: sink, as: UTF8.self)
    }

    private static func write(_ feed: FeedOutline, into sink: inout [UInt8]) {
        sink.string("{\"name\":", feed.name)
        sink.string(",\"title\":", feed.title)
        sink.string(",\"symbol\":", feed.symbol)
        sink.json(",\"live\":")
        if let adapter = feed.adapter { live(adapter, into: &sink) } else { sink.json("null") }
        sink.json(",\"credentials\":")
        if let name = feed.adapter?.credentialsName { sink.string(name) } else { sink.json("null") }
        sink.json(",\"history\":")
        if let history = feed.history {
            sink.json("{\"timeframes\":")
            sink.list(history.timeframes) { $0.string($1.rawValue) }
            sink.integer(",\"candles_per_request\":", history.rows)
            sink.bool(",\"newest_only\":", history.isNewestOnly)
            sink.number(",\"requests_per_second\":", history.requestsPerSecond)
            sink.json("}")
        } else {
            sink.string("null,\"no_history\":", FeedOutline.withoutHistory(feed.name))
        }
        sink.string(",\"markets\":", feed.markets.rawValue)
        sink.string(",\"simulated_by\":", feed.simulation.rawValue)
        sink.json("}")
    }

    private static func live(_ adapter: any FeedAdapter, into sink: inout [UInt8]) {
        let (can, limits) = (adapter.capabilities, adapter.limits)
        sink.string("{\"address\":", adapter.endpoint)
        sink.string(",\"missing_trades\":", can.gaps.rawValue)
        sink.bool(",\"sees_repeated\":", can.detectsDuplicates)
        sink.bool(",\"acknowledges\":", can.acknowledges)
        sink.bool(",\"tells_sides\":", can.reportsSides)
        sink.bool(",\"needs_key\":", can.needsKey)
        sink.integer(",\"symbols_per_connection\":", limits.symbolsPerConnection)
        sink.integer(",\"symbols_per_request\":", limits.symbolsPerRequest)
        sink.number(",\"requests_per_second\":", limits.messagesPerSecond)
        sink.json(",\"replaced_after\":")
        if let rotation = limits.rotation { sink.number(rotation) } else { sink.json("null") }
        sink.json("}")
    }
}
