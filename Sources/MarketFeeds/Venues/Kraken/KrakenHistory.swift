public import MarketModel
public import StreamCore

/// Kraken's candles (docs.kraken.com, "Get OHLC Data"): the newest 720, whatever is requested, and after them the one
/// that is running.
///
/// Rows are `[time, open, high, low, close, vwap, volume, count]` under the pair's name, which may be another one than
/// was requested. An interval without trades has a row without volume. Errors come with HTTP status 200.
public struct KrakenHistory: HistoryAdapter {
    public let venue: Venue

    /// - Parameter venue: the stream whose names of symbols are taken: version 2 says `BTC`, version 1 `XBT`.
    public init(venue: Venue = .kraken) { self.venue = venue }

    public var endpoint: String { "https://api.kraken.com" }
    /// Weeks are left out: theirs may begin on a Thursday.
    public var timeframes: [Timeframe] { [.m1, .m5, .m15, .m30, .h1, .h4, .d1] }
    public var rowsPerPage: Int { 720 }
    public var newestOnly: Int? { 720 }
    public var fillsEmptyIntervals: Bool { true }
    /// One request a second is widely said to be the limit.
    public var pace: RequestPacer.Configuration { .init(rate: 1, burst: 1, minimumInterval: 1) }
    public var directoryRequest: String? { "/0/public/AssetPairs" }

    public func request(symbol: String, timeframe: Timeframe, from: Double, to: Double) -> String {
        let parts = symbol.uppercased().split(separator: "/").map { Self.restNames["\($0)"] ?? "\($0)" }
        // `since` may leave out the candle of that very time.
        return "/0/public/OHLC?pair=\(percentEncoded(parts.joined()))&interval=\(Int(timeframe.seconds / 60))"
            + "&since=\(queryNumber(from - timeframe.seconds))"
    }

    private static let restNames = ["BTC": "XBT", "DOGE": "XDG"]
    private static let streamNames = ["XBT": "BTC", "XDG": "DOGE"]

    public func candles(from body: [UInt8]) throws(HistoryError) -> [HistoryCandle] {
        try RESTBody.read(body, of: venue, as: "list of candles") { scanner in
            var candles: [HistoryCandle]?
            var last = Double.infinity
            try Self.eachResult(&scanner, of: venue) { key, scanner in
                if key.equals("last") {
                    last = try scanner.number()
                    return
                }
                var found: [HistoryCandle] = []
                try scanner.eachElement { scanner in
                    let row = try scanner.numbers(8)
                    found.append(
                        HistoryCandle(
                            candle: Candle(
                                timestamp: row[0], open: row[1], high: row[2], low: row[3], close: row[4],
                                volume: row[6]),
                            trades: UInt64(exactly: row[7])))
                }
                candles = found
            }
            guard var candles else { throw VenueParseError.missingField("result") }
            // What comes after the last finished one is running.
            for index in candles.indices where candles[index].candle.timestamp > last {
                candles[index].isRunning = true
            }
            return candles
        }
    }

    public func symbols(from body: [UInt8]) throws(HistoryError) -> [VenueSymbol] {
        try RESTBody.read(body, of: venue, as: "list of pairs") { scanner in
            var symbols: [VenueSymbol] = []
            try Self.eachResult(&scanner, of: venue) { key, scanner in
                var (name, precision, status) = ("", Int?.none, "")
                try scanner.eachField { key, scanner in
                    if key.equals("wsname") {
                        name = try scanner.anyText()
                    } else if key.equals("pair_decimals") {
                        precision = try scanner.integer()
                    } else if key.equals("status") {
                        status = try scanner.anyText()
                    } else {
                        try scanner.skipValue()
                    }
                }
                var parts = name.split(separator: "/").map(String.init)
                guard parts.count == 2 else { return }
                if venue == .kraken { parts = parts.map { Self.streamNames[$0] ?? $0 } }
                symbols.append(
                    VenueSymbol(
                        symbol: parts.joined(separator: "/"), base: parts[0], quote: parts[1], precision: precision,
                        status: status))
            }
            return symbols
        }
    }

    /// Walks over `result`; an `error` that is not empty ends it.
    private static func eachResult(
        _ scanner: inout JSONScanner, of venue: Venue, _ body: (JSONText, inout JSONScanner) throws -> Void
    ) throws {
        var complaints: [String] = []
        try scanner.eachField { key, scanner in
            if key.equals("error") {
                try scanner.eachElement { complaints.append(try $0.anyText()) }
            } else if key.equals("result") {
                try scanner.eachField(body)
            } else {
                try scanner.skipValue()
            }
        }
        guard let first = complaints.first else { return }
        let isPace = first.contains("Rate limit") || first.contains("Too many requests")
        throw HistoryError(
            isPace ? .rateLimitExceeded : RefusalReason.isPassing(first) ? .unreachable : .refused,
            "\(venue.rawValue) says “\(RESTBody.quoted(complaints.joined(separator: ", ")))”.")
    }
}
