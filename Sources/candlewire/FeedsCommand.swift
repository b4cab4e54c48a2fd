import ArgumentParser
import Foundation
import MarketFeeds

struct FeedsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feeds",
        abstract: "List the venues that can be followed live, and what each can do.",
        discussion: """
            EXAMPLES
              candlewire feeds
              candlewire feeds kraken
                  one of them, with its limits
              candlewire feeds acme.json
                  checks a provider's configuration (Docs/providers.md), and says what will be asked and read
              candlewire feeds acme.json --message '{"type":"tick","symbol":"A","timestamp":1732130000,"price":5,"volume":1}'
                  what such a message would be taken for
              candlewire serve --feed kraken:BTC/USD,ETH/USD
            """)

    @Argument(
        help: ArgumentHelp(
            "Only this one, with its address and limits; or a provider's configuration.", valueName: "venue"))
    var venue: String?

    @Option(help: ArgumentHelp("Of a configuration: a message to be read with it.", valueName: "json"))
    var message: String?

    func run() async throws {
        guard let venue else { return print(Self.table()) }
        if venue.hasSuffix(".json") || venue.contains("/") {
            return try await Failure.exitCleanly { try explain(venue) }
        }
        guard message == nil else { throw ValidationError("--message belongs to a provider's configuration.") }
        guard let adapter = FeedCatalogue.adapter(named: venue) else {
            throw ValidationError("Unknown venue \"\(venue)\"; allowed are \(FeedCatalogue.names).")
        }
        print(Self.details(adapter))
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
        let head = ["feed", "venue", "symbol", "missing trades", "repeated", "acknowledged", "key"]
        let rows = FeedCatalogue.adapters.map { adapter in
            let can = adapter.capabilities
            return [
                adapter.name, adapter.title, adapter.exampleSymbol, can.gaps.rawValue,
                can.seesDuplicates ? "recognised" : "no",
                can.acknowledges ? "yes" : can.assumesGranted ? "no" : "by data",
                can.needsKey ? "needed" : "none",
            ]
        }
        let widths = head.indices.map { column in ([head] + rows).map { $0[column].count }.max() ?? 0 }
        return ([head] + rows).map { row in
            zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }.joined(separator: "  ")
                .trimmingCharacters(in: .whitespaces)
        }.joined(separator: "\n")
    }

    static func details(_ adapter: any FeedAdapter) -> String {
        let (can, limits) = (adapter.capabilities, adapter.limits)
        let liveness =
            switch adapter.liveness {
            case .speaks(let every): "something comes at least every \(Int(every)) s; twice without is the end"
            case .asks(let every, _): "a message of its own protocol every \(Int(every)) s"
            }
        var lines = [
            "\(adapter.title) (\(adapter.name))", "  address       \(adapter.endpoint)",
            "  symbols       like \(adapter.exampleSymbol), up to \(limits.symbolsPerConnection) on a connection",
            "  requests      \(limits.symbolsPerRequest) symbols each, \(limits.messagesPerSecond.formatted()) a second",
            "  liveness      \(liveness)", "  missing       seen \(can.gaps.rawValue)",
            "  repeated      \(can.seesDuplicates ? "recognised" : "not recognised")",
            "  sides         \(can.tellsSides ? "told" : "not told")",
        ]
        if let rotation = limits.rotation {
            lines.append("  replaced      after \(Int(rotation / 3600)) h, before the venue cuts it")
        }
        if let name = adapter.credentialsName {
            lines.append("  key           --credentials FILE, or \(name.uppercased())_API_KEY in the environment")
        }
        if let caveat = can.caveat { lines.append("  note          \(caveat)") }
        lines.append("  try           candlewire serve --feed \(adapter.name):\(adapter.exampleSymbol)")
        return lines.joined(separator: "\n")
    }
}
