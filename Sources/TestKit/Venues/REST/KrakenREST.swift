import MarketModel

/// Kraken, whose stream has two versions and REST one: `feeds/kraken.md`. The newest 720 and the running one, whatever is asked
/// for, a row for each interval; `last` is the newest finished one. Errors have HTTP status 200.
enum KrakenREST: VenueREST {
    static let pace = (perSecond: 1.0, burst: 15.0)

    private static let intervals: [String: Timeframe] = [
        "1": .m1, "5": .m5, "15": .m15, "30": .m30, "60": .h1, "240": .h4, "1440": .d1,
    ]
    private static let names = ["BTC": "XBT", "DOGE": "XDG"]

    static func answer(_ request: VenueRequest, _ book: VenueBook) -> VenueResponse? {
        switch request.path {
        case "/0/public/OHLC": return candles(request.query, book)
        case "/0/public/AssetPairs": return pairs(book)
        default: return nil
        }
    }

    static func refusal(retryAfter: Int) -> VenueResponse {
        VenueResponse(body: #"{"error":["EAPI:Rate limit exceeded"]}"#)
    }

    private static func candles(_ query: [String: String], _ book: VenueBook) -> VenueResponse {
        guard let symbol = book.symbols.first(where: { pair($0) == query["pair"] || $0 == query["pair"] }) else {
            return VenueResponse(body: #"{"error":["EQuery:Unknown asset pair"]}"#)
        }
        guard let timeframe = intervals[query["interval"] ?? "1"] else {
            return VenueResponse(body: #"{"error":["EGeneral:Invalid arguments"]}"#)
        }
        let since = query["since"].flatMap(Double.init) ?? 0
        let rows = book.filled(symbol, timeframe, newest: 720).suffix(721).filter { $0.candle.timestamp > since }
        let running = timeframe.bucketStart(of: book.clock)
        let texts = rows.map { row in
            let candle = row.candle
            let prices = [candle.open, candle.high, candle.low, candle.close].map(VenueRESTText.quoted)
            return "[\(VenueRESTText.number(candle.timestamp)),\(prices.joined(separator: ",")),\"0.0\","
                + "\(VenueRESTText.quoted(candle.volume)),\(row.trades)]"
        }
        let last = VenueRESTText.number(running - timeframe.seconds)
        return VenueResponse(
            body:
                #"{"error":[],"result":{\#(VenueJSON.quoted(pair(symbol))):\#(VenueRESTText.list(texts)),"last":\#(last)}}"#
        )
    }

    private static func pairs(_ book: VenueBook) -> VenueResponse {
        let texts = book.symbols.map { symbol in
            let parts = parts(symbol)
            return #"\#(VenueJSON.quoted(pair(symbol))):{"altname":\#(VenueJSON.quoted(pair(symbol))),"#
                + #""wsname":\#(VenueJSON.quoted(parts.joined(separator: "/"))),"#
                + #""pair_decimals":\#(book.decimals(symbol)),"status":"online"}"#
        }
        return VenueResponse(body: #"{"error":[],"result":{\#(texts.joined(separator: ","))}}"#)
    }

    private static func parts(_ symbol: String) -> [String] {
        symbol.split(separator: "/").map { names["\($0)"] ?? "\($0)" }
    }

    private static func pair(_ symbol: String) -> String { parts(symbol).joined() }
}
