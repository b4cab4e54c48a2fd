/// The venues that can be followed live.
public enum FeedCatalogue {
    public static let adapters: [any FeedAdapter] = [
        BinanceAdapter.spot, BinanceAdapter.us, CoinbaseAdapter(), CoinbaseAdvancedAdapter(), KrakenAdapter(),
        KrakenArrayAdapter(), BitstampAdapter(), GeminiAdapter(), BitfinexAdapter(), BybitAdapter(),
        IntrinioAdapter(), IntrinioEquitiesAdapter(), BinanceAdapter.aggregates,
    ]

    public static func adapter(named name: String) -> (any FeedAdapter)? { adapters.first { $0.name == name } }

    public static var names: String { adapters.map(\.name).joined(separator: ", ") }
}
