/// A venue that can be simulated, by its rules.
public struct SimulatedVenue: Sendable, Equatable, CustomStringConvertible {
    /// As the command line and the feeds name it.
    public let name: String
    /// Where the venue has its WebSockets.
    public let path: String
    let rules: any VenueRules.Type
    /// `nil` where its candles cannot be asked for, or the rules answer themselves.
    let rest: (any VenueREST.Type)?
    /// How a provider's messages are built.
    let provider: SimulatedProvider?

    private init(
        _ name: String, path: String, _ rules: any VenueRules.Type, _ rest: (any VenueREST.Type)? = nil,
        provider: SimulatedProvider? = nil
    ) {
        self.name = name
        self.path = path
        self.rules = rules
        self.rest = rest
        self.provider = provider
    }

    /// A provider of JSON messages that speaks as described.
    public static func provider(_ provider: SimulatedProvider) -> SimulatedVenue {
        SimulatedVenue("provider", path: provider.path, ProviderRules.self, provider: provider)
    }

    /// Coinbase Exchange.
    public static let coinbase = SimulatedVenue("coinbase", path: "/", CoinbaseRules.self, CoinbaseREST.self)
    /// Binance spot.
    public static let binance = SimulatedVenue("binance", path: "/ws", BinanceRules.self, BinanceREST.self)
    public static let binanceUS = SimulatedVenue("binance-us", path: "/ws", BinanceRules.self, BinanceREST.self)
    /// Kraken, version 2.
    public static let kraken = SimulatedVenue("kraken", path: "/v2", KrakenRules.self, KrakenREST.self)

    /// Kraken, version 1.
    public static let krakenArrays = SimulatedVenue("kraken-v1", path: "/", KrakenArrayRules.self, KrakenREST.self)
    /// Coinbase Advanced Trade.
    public static let coinbaseAdvanced = SimulatedVenue(
        "coinbase-advanced", path: "/", CoinbaseAdvancedRules.self, CoinbaseAdvancedREST.self)
    public static let bitstamp = SimulatedVenue("bitstamp", path: "/", BitstampRules.self, BitstampREST.self)
    /// Version 2.
    public static let gemini = SimulatedVenue("gemini", path: "/v2/marketdata", GeminiRules.self)
    /// Version 2.
    public static let bitfinex = SimulatedVenue("bitfinex", path: "/ws/2", BitfinexRules.self, BitfinexREST.self)
    /// Version 5, spot; the linear market is at `/v5/public/linear`.
    public static let bybit = SimulatedVenue("bybit", path: "/v5/public/spot", BybitRules.self, BybitREST.self)

    /// The legacy stream.
    public static let intrinio = SimulatedVenue(
        "intrinio", path: "/socket/websocket", IntrinioRules.self, IntrinioREST.self)
    /// The current one, which is binary.
    public static let intrinioEquities = SimulatedVenue(
        "intrinio-equities", path: "/socket/websocket", IntrinioEquitiesRules.self, IntrinioREST.self)

    public static let all: [SimulatedVenue] = [
        binance, binanceUS, coinbase, coinbaseAdvanced, kraken, krakenArrays, bitstamp, gemini, bitfinex,
        bybit, intrinio, intrinioEquities,
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
