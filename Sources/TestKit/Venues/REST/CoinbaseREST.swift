import MarketModel

/// Coinbase Exchange: `feeds/coinbase.md`. Newest first, low and high before open, nothing for a quiet interval, 300 candles
/// at most, by the stretch of time; the end is included.
enum CoinbaseREST: VenueREST {
    private static let granularities: [String: Timeframe] = [
        "60": .m1, "300": .m5, "900": .m15, "3600": .h1, "21600": .h6, "86400": .d1,
    ]

    static func answer(_ request: VenueRequest, _ book: VenueBook) -> VenueResponse? {
        let parts = request.path.split(separator: "/").map(String.init)
        guard parts.first == "products" else { return nil }
        if parts.count == 1 { return products(book) }
        guard parts.count == 3, parts[2] == "candles" else { return nil }
        guard book.symbols.contains(parts[1]) else { return error(404, "NotFound") }
        guard let timeframe = granularities[request.query["granularity"] ?? "60"] else {
            return error(400, "Unsupported granularity")
        }
        var rows = book.candles(parts[1], timeframe)
        if let start = request.query["start"], let end = request.query["end"] {
            guard let from = VenueTime.nanoseconds(start), let to = VenueTime.nanoseconds(end) else {
                return error(400, "start is not a valid date")
            }
            let (first, last) = (Double(from) / 1e9, Double(to) / 1e9)
            guard (last - first) / timeframe.seconds < 300 else {
                return error(
                    400,
                    "granularity too small for the requested time range. Count of aggregations requested exceeds 300")
            }
            rows = rows.filter { $0.candle.timestamp >= first && $0.candle.timestamp <= last }
        }
        return VenueResponse(
            body: VenueRESTText.list(
                rows.suffix(300).reversed().map { row in
                    let candle = row.candle
                    return VenueRESTText.list(
                        [candle.timestamp, candle.low, candle.high, candle.open, candle.close, candle.volume].map(
                            VenueRESTText.number))
                }))
    }

    private static func products(_ book: VenueBook) -> VenueResponse {
        VenueResponse(
            body: VenueRESTText.list(
                book.symbols.map { symbol in
                    let (base, quote) = VenueRESTText.currencies(symbol)
                    return #"{"id":\#(VenueJSON.quoted(symbol)),"base_currency":\#(VenueJSON.quoted(base)),"#
                        + #""quote_currency":\#(VenueJSON.quoted(quote)),"quote_increment":"\#(book.step(symbol))","#
                        + #""status":"online","trading_disabled":false}"#
                }))
    }

    private static func error(_ status: Int, _ message: String) -> VenueResponse {
        VenueResponse(status: status, body: #"{"message":\#(VenueJSON.quoted(message))}"#)
    }
}
