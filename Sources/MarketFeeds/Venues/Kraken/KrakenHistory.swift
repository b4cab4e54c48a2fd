import MarketModel
import StreamCore

/// Kraken's candles (docs.kraken.com, "Get OHLC Data"): the newest 720, whatever is requested, and the running one.
/// Rows are `[time, open, high, low, close, vwap, volume, count]` under the pair's name, which may be another one than
/// was requested; quiet intervals have one without volume. Errors come with HTTP status 200.
struct KrakenHistory: HistoryAdapter {
    /// The stream whose names of symbols are accepted: version 2 says `BTC`, version 1 `XBT`.
    var venue = Venue.kraken
    let endpoint = "https://api.kraken.com"
    /// Weeks are left out: theirs may begin on a Thursday.
    let timeframes: [Timeframe] = [.m1, .m5, .m15, .m30, .h1, .h4, .d1]
    let rowsPerPage = 720
    let newestOnly: Int? = 720
    /// One request a second is widely said to be the limit.
    let pace = RequestPacer.Configuration(rate: 1, burst: 1, minimumInterval: 1)
    let directoryRequest: String? = "/0/public/AssetPairs"
    private static let columns = CandleColumns(count: 8, volume: 6, trades: 7, unitsPerSecond: 1)

    func request(symbol: String, timeframe: Timeframe, from: Double, to: Double) -> String {
        let parts = symbol.uppercased().split(separator: "/").map { Self.restNames["\($0)"] ?? "\($0)" }
        // `since` may leave out the candle of that very time.
        return "/0/public/OHLC?pair=\(percentEncoded(parts.joined()))&interval=\(Int(timeframe.seconds / 60))"
            + "&since=\(queryNumber(from - timeframe.seconds))"
    }

    private static let restNames = ["BTC": "XBT", "DOGE": "XDG"]
    private static let streamNames = ["XBT": "BTC", "XDG": "DOGE"]

    func candles(from body: [UInt8]) throws(HistoryError) -> [HistoryCandle] {
        try RESTBody.read(body, of: name, as: "list of candles") { scanner in
            var candles: [HistoryCandle]?
            var last = Double.infinity
            try Self.eachResult(&scanner, of: name) { key, scanner in
                if key.equals("last") {
                    last = try scanner.number()
                    return
                }
                var found: [HistoryCandle] = []
                try scanner.eachElement { found.append(try Self.columns.read(&$0)) }
                candles = found
            }
            guard var candles else { throw ParseError.missingField("result") }
            // What comes after the last finished one is running.
            for index in candles.indices where candles[index].candle.timestamp > last {
                candles[index].isRunning = true
            }
            return candles
        }
    }

    func symbols(from body: [UInt8]) throws(HistoryError) -> [VenueSymbol] {
        try RESTBody.read(body, of: name, as: "list of pairs") { scanner in
            var symbols: [VenueSymbol] = []
            try Self.eachResult(&scanner, of: name) { key, scanner in
                var (name, precision, status) = ("", Int?.none, "")
                try scanner.eachField { key, scanner in
                    switch key {
                    case "wsname": name = try scanner.anyText()
                    case "pair_decimals": precision = try scanner.integer()
                    case "status": status = try scanner.anyText()
                    default: try scanner.skipValue()
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
        _ scanner: inout JSONScanner, of name: String, _ body: (JSONText, inout JSONScanner) throws -> Void
    ) throws {
        var messages: [String] = []
        try scanner.eachField { key, scanner in
            switch key {
            case "error": try scanner.eachElement { messages.append(try $0.anyText()) }
            case "result": try scanner.eachField(body)
            default: try scanner.skipValue()
            }
        }
        guard let first = messages.first else { return }
        let isPace = first.contains("Rate limit") || first.contains("Too many requests")
        throw HistoryError(
            isPace ? .rateLimitExceeded : RefusalReason.isPassing(first) ? .unreachable : .refused,
            "\(name) says “\(RESTBody.quoted(messages.joined(separator: ", ")))”.")
    }
}
