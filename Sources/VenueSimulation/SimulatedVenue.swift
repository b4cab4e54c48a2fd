/// A venue that can be simulated, by its rules.
public struct SimulatedVenue: Sendable, Equatable, CustomStringConvertible {
    /// As the command line and the feeds name it.
    public let name: String
    /// Where the venue has its WebSockets.
    public let path: String
    let rules: any VenueRules.Type
    /// `nil` where its candles cannot be requested, or the rules answer themselves.
    let rest: (any VenueREST.Type)?
    /// How a provider's messages are built.
    let provider: SimulatedProvider?

    /// Makes a session in the shapes that the venue documents; `nil` of venues of which recordings exist.
    private let made: (@Sendable (_ symbols: [String], _ seconds: Int, _ seed: UInt64) -> RecordedSession)?

    init(
        _ name: String, path: String, _ rules: any VenueRules.Type, _ rest: (any VenueREST.Type)? = nil,
        provider: SimulatedProvider? = nil,
        made: (@Sendable (_ symbols: [String], _ seconds: Int, _ seed: UInt64) -> RecordedSession)? = nil
    ) {
        self.name = name
        self.path = path
        self.rules = rules
        self.rest = rest
        self.provider = provider
        self.made = made
    }

    /// A session without a recording, where none was found. The same seed makes the same session.
    /// - Parameters:
    ///   - symbols: none for the usual ones.
    ///   - seconds: its length; four messages a second. Less than a minute, so that it can begin anew each minute.
    /// - Returns: `nil` for venues of which recordings exist.
    public func madeSession(symbols: [String] = [], seconds: Int = 58, seed: UInt64 = 1) -> RecordedSession? {
        made?(symbols, max(1, seconds), seed)
    }

    /// A provider of JSON messages that speaks as described.
    public static func provider(_ provider: SimulatedProvider) -> SimulatedVenue {
        SimulatedVenue("provider", path: provider.path, ProviderRules.self, provider: provider)
    }

    /// All venues, a line each.
    public static let all: [SimulatedVenue] = [
        binance,
        binanceUS,
        coinbase,
        coinbaseAdvanced,
        kraken,
        krakenArrays,
        bitstamp,
        gemini,
        bitfinex,
        bybit,
        okx,
        okxAll,
        intrinio,
        intrinioEquities,
    ]

    /// The venue of this name; `nil` where none can be simulated.
    public init?(named name: String) {
        guard let venue = Self.all.first(where: { $0.name == name }) else { return nil }
        self = venue
    }

    public var description: String { name }
    public static func == (a: SimulatedVenue, b: SimulatedVenue) -> Bool {
        a.name == b.name && a.provider == b.provider
    }
}
