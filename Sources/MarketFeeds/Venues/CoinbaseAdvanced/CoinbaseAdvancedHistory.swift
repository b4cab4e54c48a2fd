public import MarketModel
public import StreamCore

/// Coinbase Advanced Trade's public candles (docs.cdp.coinbase.com, Advanced Trade, "Get Public Product Candles").
///
/// Rows are objects whose values are all texts. An interval without trades has none.
public struct CoinbaseAdvancedHistory: HistoryAdapter {
    public init() {}

    public var venue: Venue { .coinbaseAdvanced }
    public var endpoint: String { "https://api.coinbase.com" }
    public var timeframes: [Timeframe] { [.m1, .m5, .m15, .m30, .h1, .h2, .h6, .d1] }
    /// The documentation says fewer than 350, in another place 300; one less: see `request`.
    public var rowsPerPage: Int { 299 }
    public var pace: RequestPacer.Configuration { .init(rate: 5, burst: 5, minimumInterval: 0.1) }
    public var directoryRequest: String? { "/api/v3/brokerage/market/products" }

    public func request(symbol: String, timeframe: Timeframe, from: Double, to: Double) -> String {
        // As with Coinbase Exchange it is not said whether the end is included.
        "/api/v3/brokerage/market/products/\(percentEncoded(symbol))/candles?start=\(queryNumber(from))"
            + "&end=\(queryNumber(to))&granularity=\(Self.name(of: timeframe))&limit=\(rowsPerPage + 1)"
    }

    private static func name(of timeframe: Timeframe) -> String {
        switch timeframe {
        case .m5: "FIVE_MINUTE"
        case .m15: "FIFTEEN_MINUTE"
        case .m30: "THIRTY_MINUTE"
        case .h1: "ONE_HOUR"
        case .h2: "TWO_HOUR"
        case .h6: "SIX_HOUR"
        case .d1: "ONE_DAY"
        default: "ONE_MINUTE"
        }
    }

    public func candles(from body: [UInt8]) throws(HistoryError) -> [HistoryCandle] {
        try RESTBody.read(body, of: venue, as: "list of candles") { scanner in
            var candles: [HistoryCandle]?
            try scanner.eachField { key, scanner in
                guard key.equals("candles") else { return try scanner.skipValue() }
                var found: [HistoryCandle] = []
                try scanner.eachElement { scanner in
                    var bar = CandleFields()
                    try scanner.eachField { key, scanner in try bar.read(key, &scanner, start: "start") }
                    found.append(HistoryCandle(candle: try bar.candle(.init(start: "start"))))
                }
                candles = found
            }
            guard let candles else { throw VenueParseError.missingField("candles") }
            return candles
        }
    }

    public func symbols(from body: [UInt8]) throws(HistoryError) -> [VenueSymbol] {
        try RESTBody.read(body, of: venue, as: "list of products") { scanner in
            var symbols: [VenueSymbol] = []
            try scanner.eachField { key, scanner in
                guard key.equals("products") else { return try scanner.skipValue() }
                try scanner.eachElement { scanner in
                    if let symbol = try CoinbaseProduct.read(&scanner, Self.names) { symbols.append(symbol) }
                }
            }
            return symbols
        }
    }

    private static let names = CoinbaseProduct.Names(
        id: "product_id", base: "base_currency_id", quote: "quote_currency_id", increment: "price_increment")
}
