public import MarketModel

/// Every venue, a line each.
enum VenueCatalogue {
    static let declarations: [VenueDeclaration] = [
        .binance,
        .coinbase,
        .coinbaseAdvanced,
        .kraken,
        .krakenArrays,
        .bitstamp,
        .gemini,
        .bitfinex,
        .bybit,
        .okx,
        .intrinio,
        .intrinioEquities,
        .candlewire,
        .provider,
    ]
}

/// All that is particular to a venue: how its messages are distinguished from others', how they are read, its live feeds
/// with their requests and limits, and its candles over HTTP.
struct VenueDeclaration: Sendable {
    let venue: Venue
    var numbering: Venue.Numbering
    /// Whether a message of this shape is the venue's and no other's: several names or words together that no other venue
    /// is known to use so. A shape that is only possible is not evidence.
    var isEvidence: @Sendable (MessageShape) -> Bool
    var reader: any VenueReader.Type
    var feeds: [any FeedAdapter] = []
    /// `nil` where its candles cannot be requested by time, or too little is known of how.
    var history: (any HistoryAdapter)?
    /// The currency pair in a symbol that has more to it; `nil` for a symbol that is not the venue's.
    var pair: (@Sendable (_ symbol: String) -> Substring?)?
    /// How messages are read where no configuration says it, of a venue whose messages are configured.
    var shape: ProviderShape?
}

/// Reads one message of a session into its batch. A type and not a closure, which would be retained for each message.
protocol VenueReader: SendableMetatype {
    static func read(
        _ session: inout VenueSession, _ message: Bytes, _ connection: Int
    ) throws(ParseError) -> VenueMessageKind
}

/// Reads a venue's messages: those that are laid out as most of its trades are by comparison, all others as any JSON.
protocol VenueParser: VenueReader {
    /// Reads a message by its layout.
    /// - Returns: whether it is laid out so; otherwise the batch is empty, whatever the message is.
    static func parseLayout(_ bytes: Bytes, into batch: inout VenueBatch) -> Bool
    /// Reads a message with its members in any order.
    static func parseAnyLayout(_ bytes: Bytes, into batch: inout VenueBatch) throws(ParseError) -> VenueMessageKind
}

extension VenueParser {
    @inline(__always)
    static func read(
        _ session: inout VenueSession, _ message: Bytes, _ connection: Int
    ) throws(ParseError) -> VenueMessageKind {
        try parse(message, into: &session.batch)
    }

    @inline(__always)
    static func parse(_ bytes: Bytes, into batch: inout VenueBatch) throws(ParseError) -> VenueMessageKind {
        if parseLayout(bytes, into: &batch) { return .trades }
        return try parseAnyLayout(bytes, into: &batch)
    }
}

/// The venues that can be watched live.
public enum FeedCatalogue {
    public static let adapters: [any FeedAdapter] = VenueCatalogue.declarations.flatMap(\.feeds)

    public static func adapter(named name: String) -> (any FeedAdapter)? { adapters.first { $0.name == name } }
    public static var names: String { adapters.map(\.name).joined(separator: ", ") }
}

/// The venues whose history can be fetched.
public enum HistoryCatalogue {
    /// - Returns: `nil` for a venue whose candles cannot be requested by time, or of whose interface too little is known.
    public static func adapter(for venue: Venue) -> (any HistoryAdapter)? { venue.declaration.history }

    /// The venues that have one.
    public static var venues: [Venue] { Venue.allCases.filter { adapter(for: $0) != nil } }

    /// By the name of a feed, as `--feed` has it, or of a venue without one.
    /// - Returns: `nil` where there is no such feed, or none whose history can be fetched.
    public static func adapter(named name: String) -> (any HistoryAdapter)? {
        if let feed = FeedCatalogue.adapter(named: name) { return feed.history }
        return Venue(rawValue: name).flatMap { adapter(for: $0) }
    }

    /// What `adapter(named:)` knows.
    public static var names: [String] {
        let feeds = FeedCatalogue.adapters.map(\.name)
        let others = venues.map(\.rawValue).filter { !feeds.contains($0) }
        return (feeds + others).filter { adapter(named: $0) != nil }
    }
}

extension Market {
    /// Splits a venue's symbol into its currencies: at a dash, slash or colon, else before a known quote currency.
    public init(symbol: String, precision: Int) {
        let pair = VenueCatalogue.declarations.lazy.compactMap { $0.pair?(symbol) }.first
        let name = (pair ?? symbol[...]).uppercased()
        let parts = name.split(maxSplits: 1, whereSeparator: { $0 == "-" || $0 == "/" || $0 == ":" })
        if parts.count == 2 {
            self.init(
                symbol: symbol, baseCurrency: String(parts[0]), quoteCurrency: String(parts[1]), precision: precision)
            return
        }
        let quote = Self.knownQuotes.first { name.hasSuffix($0) && name.count > $0.count } ?? ""
        self.init(
            symbol: symbol, baseCurrency: String(name.dropLast(quote.count)), quoteCurrency: quote,
            precision: precision)
    }

    /// Quote currencies of symbols written without a separator, longest first.
    private static let knownQuotes = [
        "FDUSD", "USDT", "USDC", "BUSD", "TUSD", "USD", "EUR", "GBP", "TRY", "BTC", "ETH", "BNB",
    ]
}
