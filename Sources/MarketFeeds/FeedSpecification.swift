import MarketModel

/// Where the ticks come from, as `--feed` says it.
public enum FeedSpecification: Sendable, Equatable {
    /// The simulated exchange with these symbols.
    case simulated(symbols: [String])
    /// A recording, played through the same way as live data.
    case replay(path: String)
    /// A venue, over its own interface: an adapter of `FeedCatalogue`, and its symbols.
    case live(feed: String, symbols: [String])
    /// A provider of JSON messages by its configuration, and its symbols.
    case provider(ProviderConfiguration, symbols: [String])
    /// The price tracker with the stocks of this file; `nil`: those it has without one.
    case tracker(path: String?)

    /// Reads `sim`, `sim:BTC-USD,ETH-USD`, `sim:1000` with so many markets, `replay:FILE`, `VENUE:SYMBOL,...`, `provider:FILE`, `provider:FILE:SYMBOL,...`,
    /// `tracker`, `tracker:FILE`, or a file whose name ends in `.json`: a list of stocks. A provider's file is read.
    /// - Throws: `FeedError` that names what is allowed.
    public init(_ text: String) throws(FeedError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let argument = parts.count == 2 ? parts[1] : nil
        switch parts[0] {
        case "sim":
            guard let argument else {
                self = .simulated(symbols: SimulatedMarket.all.map(\.market.symbol))
                return
            }
            self = .simulated(symbols: try Self.simulatedSymbols(argument))
        case "replay":
            guard let argument, !argument.isEmpty else {
                throw FeedError(.usage, "The feed \"replay\" needs a file: replay:FILE.")
            }
            self = .replay(path: argument)
        case "provider": self = try Self.provider(argument ?? "")
        case "tracker":
            guard argument != "" else {
                throw FeedError(.usage, "The feed \"tracker:\" needs a file: tracker:FILE, or tracker alone.")
            }
            self = .tracker(path: argument)
        default:
            if text.hasSuffix(".json") {
                self = .tracker(path: text)
                return
            }
            guard let adapter = FeedCatalogue.adapter(named: parts[0]) else {
                throw FeedError(
                    .usage,
                    "Unknown feed \"\(text)\"; allowed are sim, sim:SYMBOL,..., replay:FILE, tracker, tracker:FILE, "
                        + "provider:FILE:SYMBOL,... and VENUE:SYMBOL,... with one of these venues: \(FeedCatalogue.names)."
                )
            }
            self = .live(feed: adapter.name, symbols: try Self.symbols(argument, of: adapter))
        }
    }

    /// What a market's name begins with where there are several feeds.
    public var name: String {
        switch self {
        case .simulated: "sim"
        case .replay: "replay"
        case .live(let feed, _): feed
        case .provider(let configuration, _): configuration.name
        case .tracker: "tracker"
        }
    }

    /// The symbols of a list, each once.
    private static func listed(_ list: Substring, flaw: (String) -> String?) throws(FeedError) -> [String] {
        var symbols: [String] = []
        for symbol in list.split(separator: ",").map(String.init) where !symbols.contains(symbol) {
            if let flaw = flaw(symbol) { throw FeedError(.usage, flaw) }
            symbols.append(symbol)
        }
        return symbols
    }

    private static func symbols(_ list: String?, of adapter: any FeedAdapter) throws(FeedError) -> [String] {
        let symbols = try listed((list ?? "")[...]) { adapter.flaw(of: $0) }
        guard !symbols.isEmpty else {
            let name = adapter.name
            throw FeedError(
                .usage,
                "The feed \"\(name)\" needs at least one symbol, for example \(name):\(adapter.exampleSymbol).")
        }
        return symbols
    }

    /// A file's name ends with `.json`, where it does; what is behind may have colons, too: `acme.json:BINANCE:BTCUSDT`.
    private static func provider(_ argument: String) throws(FeedError) -> FeedSpecification {
        var (path, list) = (argument[...], Substring())
        if let end = argument.firstRange(of: ".json:")?.upperBound {
            (path, list) = (argument[..<argument.index(before: end)], argument[end...])
        } else if !argument.hasSuffix(".json"), let mark = argument.firstIndex(of: ":") {
            (path, list) = (argument[..<mark], argument[argument.index(after: mark)...])
        }
        guard !path.isEmpty else {
            throw FeedError(.usage, "The feed \"provider\" needs a file: provider:FILE or provider:FILE:SYMBOL,....")
        }
        let configuration = try ProviderConfiguration(file: String(path))
        var symbols = try listed(list) { symbol in
            ProviderAdapter.isSymbol(symbol)
                ? nil : "The symbol \"\(symbol)\" of \(configuration.name) must have \(ProviderAdapter.symbolRule)."
        }
        if symbols.isEmpty { symbols = configuration.symbols }
        guard !symbols.isEmpty else {
            throw FeedError(
                .usage,
                "The feed \"\(configuration.name)\" needs at least one symbol, in its file or as provider:FILE:SYMBOL.")
        }
        return .provider(configuration, symbols: symbols)
    }

    private static func simulatedSymbols(_ list: String) throws(FeedError) -> [String] {
        if !list.isEmpty, list.utf8.allSatisfy({ 48...57 ~= $0 }) {
            guard let count = Int(list), 1...SimulatedMarket.most ~= count else {
                throw FeedError(
                    .usage, "The feed \"sim:\(list)\" must have from 1 to \(SimulatedMarket.most) markets.")
            }
            return SimulatedMarket.first(count).map(\.market.symbol)
        }
        let symbols = try listed(list[...]) { symbol in
            guard SimulatedMarket.named(symbol) == nil else { return nil }
            let known = SimulatedMarket.all.map(\.market.symbol).joined(separator: ", ")
            return "The simulated exchange has no market \"\(symbol)\"; it has \(known), and with sim:COUNT more."
        }
        guard !symbols.isEmpty else {
            throw FeedError(.usage, "The feed \"sim:\" needs at least one symbol, for example sim:BTC-USD,ETH-USD.")
        }
        return symbols
    }
}
