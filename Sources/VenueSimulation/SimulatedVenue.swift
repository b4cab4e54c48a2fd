/// A venue that can be simulated, by its rules.
public struct SimulatedVenue: Sendable, Equatable, CustomStringConvertible {
    /// As the command line and the feeds name it.
    public let name: String
    /// Where the venue has its WebSockets.
    public let path: String
    let rules: any VenueRules.Type
    /// `nil` where its candles cannot be requested, or the rules answer themselves.
    let rest: (any VenueREST.Type)?
    /// `nil` where order entry is not simulated.
    let orders: (any VenueOrders.Type)?
    /// How a provider's messages are built.
    let provider: SimulatedProvider?

    /// Makes a session in the shapes that the venue documents; `nil` of venues of which recordings exist.
    private let made: (@Sendable (_ symbols: [String], _ seconds: Int, _ seed: UInt64) -> RecordedSession)?

    init(
        _ name: String, path: String, _ rules: any VenueRules.Type, _ rest: (any VenueREST.Type)? = nil,
        orders: (any VenueOrders.Type)? = nil, provider: SimulatedProvider? = nil,
        made: (@Sendable (_ symbols: [String], _ seconds: Int, _ seed: UInt64) -> RecordedSession)? = nil
    ) {
        self.name = name
        self.path = path
        self.rules = rules
        self.rest = rest
        self.orders = orders
        self.provider = provider
        self.made = made
    }

    /// Whether there is no `madeSession`: recordings of the venue exist.
    public var needsRecording: Bool { made == nil }

    /// A session without a recording, where none was found. The same seed makes the same session.
    /// - Parameters:
    ///   - symbols: none for the usual ones.
    ///   - seconds: its length; four messages a second. Less than a minute, so that it can restart each minute.
    /// - Returns: `nil` for venues of which recordings exist.
    public func madeSession(symbols: [String] = [], seconds: Int = 58, seed: UInt64 = 1) -> RecordedSession? {
        made?(symbols, max(1, seconds), seed)
    }

    /// A provider of JSON messages that behaves as described.
    package static func provider(_ provider: SimulatedProvider) -> SimulatedVenue {
        SimulatedVenue("provider", path: provider.path, ProviderRules.self, provider: provider)
    }

    /// Binance spot.
    public static let binance = SimulatedVenue(
        "binance", path: "/ws", BinanceRules.self, BinanceREST.self, orders: BinanceOrders.self)
    public static let binanceUS = SimulatedVenue(
        "binance-us", path: "/ws", BinanceRules.self, BinanceREST.self, orders: BinanceOrders.self)
    /// Coinbase Exchange.
    public static let coinbase = SimulatedVenue("coinbase", path: "/", CoinbaseRules.self, CoinbaseREST.self)
    public static let coinbaseAdvanced = SimulatedVenue(
        "coinbase-advanced", path: "/", CoinbaseAdvancedRules.self, CoinbaseAdvancedREST.self)
    /// Version 2.
    public static let kraken = SimulatedVenue("kraken", path: "/v2", KrakenRules.self, KrakenREST.self)
    /// Version 1.
    public static let krakenArrays = SimulatedVenue("kraken-v1", path: "/", KrakenArrayRules.self, KrakenREST.self)
    public static let bitstamp = SimulatedVenue("bitstamp", path: "/", BitstampRules.self, BitstampREST.self)
    public static let gemini = SimulatedVenue("gemini", path: "/v2/marketdata", GeminiRules.self)
    public static let bitfinex = SimulatedVenue("bitfinex", path: "/ws/2", BitfinexRules.self, BitfinexREST.self)
    /// Spot; the linear market is at `/v5/public/linear`.
    public static let bybit = SimulatedVenue("bybit", path: "/v5/public/spot", BybitRules.self, BybitREST.self)
    /// The public address.
    public static let okx = SimulatedVenue(
        "okx", path: "/ws/v5/public", OKXRules.self, OKXREST.self, made: OKXSession.made)
    /// The business address, with each trade and the candles.
    public static let okxAll = SimulatedVenue(
        "okx-all", path: "/ws/v5/business", OKXRules.self, OKXREST.self, made: OKXSession.made)
    /// The legacy stream.
    public static let intrinio = SimulatedVenue(
        "intrinio", path: "/socket/websocket", IntrinioRules.self, IntrinioREST.self,
        made: { GeneratedQuote.session($0, $1, seed: $2) { $0.text } })
    /// The current stream, which is binary.
    public static let intrinioEquities = SimulatedVenue(
        "intrinio-equities", path: "/socket/websocket", IntrinioEquitiesRules.self, IntrinioREST.self,
        made: { GeneratedQuote.session($0, $1, seed: $2) { $0.binary } })

    public static let all = [
        binance, binanceUS, coinbase, coinbaseAdvanced, kraken, krakenArrays, bitstamp, gemini, bitfinex, bybit, okx,
        okxAll, intrinio, intrinioEquities,
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
