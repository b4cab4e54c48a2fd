public import MarketModel
public import StreamCore

/// Coinbase Exchange's candles (docs.cdp.coinbase.com, Exchange, "Get product candles").
///
/// Rows are `[time, low, high, open, close, volume]`, of which some may lie outside of what was requested; the order is
/// not documented. 300 candles are the most, counted by the stretch of time, not by the rows; an interval without trades
/// has none. Without both ends the venue ignores either.
public struct CoinbaseHistory: HistoryAdapter {
    public init() {}

    public var venue: Venue { .coinbase }
    public var endpoint: String { "https://api.exchange.coinbase.com" }
    public var timeframes: [Timeframe] { [.m1, .m5, .m15, .h1, .h6, .d1] }
    /// One less than the 300 that the venue allows: see `request`.
    public var rowsPerPage: Int { 299 }
    /// Of ten requests a second that the venue allows, half: others at this address may want some.
    public var pace: RequestPacer.Configuration { .init(rate: 5, burst: 5, minimumInterval: 0.1) }
    public var directoryRequest: String? { "/products" }

    public func request(symbol: String, timeframe: Timeframe, from: Double, to: Double) -> String {
        // Whether the end is included, the documentation does not say: requested up to `to`, the last candle is there in
        // either case, and the one that may follow it is left out with what else was not requested.
        "/products/\(percentEncoded(symbol))/candles?granularity=\(Int(timeframe.seconds))"
            + "&start=\(RFC3339.text(from))&end=\(RFC3339.text(to))"
    }

    public func candles(from body: [UInt8]) throws(HistoryError) -> [HistoryCandle] {
        try RESTBody.read(body, of: venue, as: "list of candles") { scanner in
            var candles: [HistoryCandle] = []
            try scanner.eachElement { scanner in
                let row = try scanner.numbers(6)
                candles.append(
                    HistoryCandle(
                        candle: Candle(
                            timestamp: row[0], open: row[3], high: row[2], low: row[1], close: row[4], volume: row[5])))
            }
            return candles
        }
    }

    public func symbols(from body: [UInt8]) throws(HistoryError) -> [VenueSymbol] {
        try RESTBody.read(body, of: venue, as: "list of products") { scanner in
            var symbols: [VenueSymbol] = []
            try scanner.eachElement { scanner in
                if let symbol = try CoinbaseProduct.read(&scanner, Self.names) { symbols.append(symbol) }
            }
            return symbols
        }
    }

    private static let names = CoinbaseProduct.Names(
        id: "id", base: "base_currency", quote: "quote_currency", increment: "quote_increment")
}

/// A product of Coinbase's two directories, which say the same in other words.
enum CoinbaseProduct {
    /// What a directory calls the fields.
    struct Names {
        var id: StaticString
        var base: StaticString
        var quote: StaticString
        var increment: StaticString
    }

    /// - Returns: `nil` for one without a name.
    static func read(_ scanner: inout JSONScanner, _ names: Names) throws -> VenueSymbol? {
        var (id, base, quote, increment, status) = ("", "", "", "", "")
        try scanner.eachField { key, scanner in
            if key.equals(names.id) {
                id = try scanner.anyText()
            } else if key.equals(names.base) {
                base = try scanner.anyText()
            } else if key.equals(names.quote) {
                quote = try scanner.anyText()
            } else if key.equals(names.increment) {
                increment = try scanner.anyText()
            } else if key.equals("status") {
                status = try scanner.anyText()
            } else {
                try scanner.skipValue()
            }
        }
        guard !id.isEmpty else { return nil }
        return VenueSymbol(
            symbol: id, base: base, quote: quote, precision: RESTBody.decimals(increment), status: status)
    }
}
