/// A venue whose messages can be read.
public enum Venue: String, Sendable, CaseIterable {
    /// Binance spot and USD-M futures, and Binance.US.
    case binance
    /// Coinbase Exchange.
    case coinbase
    /// Coinbase Advanced Trade.
    case coinbaseAdvanced = "coinbase-advanced"
    /// Kraken's WebSocket interface, version 2.
    case kraken
    /// Version 1 of it, whose data are arrays.
    case krakenArrays = "kraken-v1"
    case bitstamp
    case gemini
    /// Version 2.
    case bitfinex
    /// Version 5.
    case bybit
    /// The legacy stream: JSON over Phoenix channels.
    case intrinio
    /// The current one, which is binary.
    case intrinioEquities = "intrinio-equities"
    /// Another candlewire server: what `candlewire record` wrote of its stream.
    case candlewire
    /// A provider of JSON messages, by a configuration; without one, as the integration guide has it.
    case provider

    /// All names, for error messages.
    public static var allowedNames: String {
        let shared = FeedCatalogue.adapters.map(\.name).filter { Venue(rawValue: $0) == nil }
        return (allCases.map(\.rawValue) + shared).joined(separator: ", ")
    }

    /// The venue of this name, or the one whose messages a feed of this name has: Binance.US speaks as Binance does.
    /// - Throws: `FeedError` that names what is allowed.
    public init(named name: String) throws(FeedError) {
        guard let venue = Venue(rawValue: name) ?? FeedCatalogue.adapter(named: name)?.venue else {
            throw FeedError(.usage, "Unknown venue \"\(name)\"; allowed are \(Self.allowedNames).")
        }
        self = venue
    }

    /// What the numbers of a market's trades tell.
    enum Numbering {
        /// They count up by one: repeated and missing trades are seen.
        case consecutive
        /// Each trade has its own, and nothing else is known: repeated ones are seen.
        case unique
        /// There are none: every trade is taken for a new one.
        case none
    }

    var numbering: Numbering {
        switch self {
        case .binance, .coinbase, .coinbaseAdvanced, .kraken: .consecutive
        case .bitstamp, .gemini, .bitfinex, .bybit: .unique
        // Offsets count a stream's messages and not its trades; see `CandlewireProgress`.
        case .krakenArrays, .intrinio, .intrinioEquities, .candlewire: .none
        // A configuration may know better.
        case .provider: .none
        }
    }
}
