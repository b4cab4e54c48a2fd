public import MarketModel
public import StreamCore

/// Binance's klines (binance-spot-api-docs, `rest-api.md`), those of Binance.US at its own address.
///
/// Rows are arrays that begin with the open time in milliseconds, open, high, low, close, volume; the ninth value is the
/// number of trades. Oldest first; the last one may still be running.
public struct BinanceHistory: HistoryAdapter {
    public static let spot = BinanceHistory(name: "binance", endpoint: "https://api.binance.com")
    public static let us = BinanceHistory(name: "binance-us", endpoint: "https://api.binance.us")

    public let name: String
    public let endpoint: String
    public var venue: Venue { .binance }
    public var timeframes: [Timeframe] { Timeframe.allCases.filter { $0 != .s5 && $0 != .s15 } }
    public var rowsPerPage: Int { 1000 }
    /// A page weighs 2 of the 6,000 a minute; a burst of 429s ends in a ban.
    public var pace: RequestPacer.Configuration { .init(rate: 10, burst: 10, minimumInterval: 0.05) }
    public var directoryRequest: String? { "/api/v3/exchangeInfo" }

    public func request(symbol: String, timeframe: Timeframe, from: Double, to: Double) -> String {
        // Both ends are included, and compared with the open time.
        "/api/v3/klines?symbol=\(percentEncoded(symbol.uppercased()))&interval=\(timeframe.rawValue)"
            + "&startTime=\(queryNumber(from * 1000))&endTime=\(queryNumber(to * 1000 - 1))&limit=\(rowsPerPage)"
    }

    public func candles(from body: [UInt8]) throws(HistoryError) -> [HistoryCandle] {
        try RESTBody.read(body, of: name, as: "list of klines") { scanner in
            var candles: [HistoryCandle] = []
            try scanner.eachElement { scanner in
                let row = try scanner.numbers(9)
                candles.append(
                    HistoryCandle(
                        candle: Candle(
                            timestamp: row[0] / 1000, open: row[1], high: row[2], low: row[3], close: row[4],
                            volume: row[5]),
                        trades: UInt64(exactly: row[8])))
            }
            return candles
        }
    }

    public func symbols(from body: [UInt8]) throws(HistoryError) -> [VenueSymbol] {
        try RESTBody.read(body, of: name, as: "list of symbols") { scanner in
            var symbols: [VenueSymbol] = []
            try scanner.eachField { key, scanner in
                guard key.equals("symbols") else { return try scanner.skipValue() }
                try scanner.eachElement { scanner in
                    let symbol = try Self.symbol(&scanner)
                    if !symbol.symbol.isEmpty { symbols.append(symbol) }
                }
            }
            return symbols
        }
    }

    private static func symbol(_ scanner: inout JSONScanner) throws -> VenueSymbol {
        var symbol = VenueSymbol(symbol: "", base: "", quote: "", precision: nil, status: "")
        try scanner.eachField { key, scanner in
            if key.equals("symbol") {
                symbol.symbol = try scanner.anyText()
            } else if key.equals("baseAsset") {
                symbol.base = try scanner.anyText()
            } else if key.equals("quoteAsset") {
                symbol.quote = try scanner.anyText()
            } else if key.equals("status") {
                symbol.status = try scanner.anyText()
            } else if key.equals("filters") {
                // The step of prices is in one of the filters.
                try scanner.eachElement { scanner in
                    try scanner.eachField { key, scanner in
                        guard key.equals("tickSize") else { return try scanner.skipValue() }
                        symbol.precision = RESTBody.decimals(try scanner.anyText())
                    }
                }
            } else {
                try scanner.skipValue()
            }
        }
        return symbol
    }
}
