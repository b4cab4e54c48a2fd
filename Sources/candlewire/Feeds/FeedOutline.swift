import MarketFeeds
import MarketModel
import StreamCore
import VenueSimulation

/// What a feed of `--feed` can do: live, over REST, and on this machine. One list for all commands.
struct FeedOutline {
    /// How its markets are found.
    enum Markets: String { case listed, searched, none }

    /// What a simulation of it plays.
    enum Simulation: String { case recording, made, configuration, none }

    struct History {
        var timeframes: [Timeframe]
        /// The most candles of one answer.
        var rows: Int
        /// Only its newest ones can be had.
        var isNewestOnly: Bool
        /// Requests a second in the long run, at most.
        var requestsPerSecond: Double
    }

    let name: String
    let title: String
    let symbol: String
    /// `nil`: it has no connection to a venue.
    let adapter: (any FeedAdapter)?
    /// `nil`: see `withoutHistory`.
    let history: History?
    let markets: Markets
    let simulation: Simulation

    /// Those that can be followed live, as `candlewire feeds` lists them.
    static let all: [FeedOutline] = FeedCatalogue.adapters.map { FeedOutline($0) } + [provider, tracker]

    static var names: String { all.map(\.name).joined(separator: ", ") }

    /// Venues whose markets are searched instead of listed.
    static let searched = FeedCatalogue.adapters.filter { $0 is any ReferenceAdapter }.map(\.name)

    private static let tracker = FeedOutline(
        name: "tracker", title: "Price tracker", symbol: "FILE.json", adapter: nil, history: nil, markets: .none,
        simulation: .none)

    /// With a configuration that says no more than an address: everything else is as the integration guide has it.
    private static let provider: FeedOutline = {
        let least = Array(#"{"url":"wss://stream.example.com/v1"}"#.utf8)
        // A constant whose address is one, and which names no token.
        let adapter = try! ProviderAdapter(try! ProviderConfigurationReader(name: "provider").read(least))
        return FeedOutline(adapter, name: "provider", title: "any JSON provider", symbol: "FILE:SYMBOL")
    }()
}

extension FeedOutline {
    init(_ adapter: any FeedAdapter, name: String? = nil, title: String? = nil, symbol: String? = nil) {
        let simulated = SimulatedVenue(named: adapter.name)
        let history = adapter.history.map { history in
            let interval = history.pace.minimumInterval
            return History(
                timeframes: history.timeframes, rows: history.newestOnly ?? history.rowsPerPage,
                isNewestOnly: history.newestOnly != nil,
                requestsPerSecond: min(history.pace.rate, interval > 0 ? 1 / interval : .infinity))
        }
        self.init(
            name: name ?? adapter.name, title: title ?? adapter.title, symbol: symbol ?? adapter.exampleSymbol,
            adapter: adapter, history: history,
            markets: adapter is any ReferenceAdapter
                ? .searched : adapter.history?.directoryRequest == nil ? .none : .listed,
            simulation: adapter.isConfigured
                ? .configuration : simulated.map { $0.needsRecording ? .recording : .made } ?? .none)
    }
}

// MARK: Why not

extension FeedOutline {
    static func withoutHistory(_ name: String) -> String {
        switch name {
        case "tracker", "sim": "The prices of \(name) are made here, and have no past that could be fetched."
        case "replay": "A recording has no past that could be fetched."
        default:
            FeedCatalogue.adapter(named: name)?.noHistoryReason
                ?? "“\(name)” is not a venue whose history can be fetched."
        }
    }

    static func withoutMarkets(_ name: String) -> String {
        switch name {
        case "provider": "A provider's markets are those that its configuration names: candlewire feeds FILE."
        case "tracker": "The tracker's stocks are those of its file: candlewire tracker FILE."
        default:
            FeedCatalogue.adapter(named: name).map {
                "No list of markets is known of \(name); its symbols look like \($0.exampleSymbol)."
            } ?? "“\(name)” is not a venue whose markets can be listed."
        }
    }

    static func withoutSimulator(_ name: String) -> String {
        switch name {
        case "tracker": "The tracker needs no simulation: its prices are made here, by candlewire tracker."
        default: FeedCatalogue.adapter(named: name)?.noSimulationReason ?? "There is no simulation of “\(name)”."
        }
    }
}
