import MarketModel

/// Coinbase Advanced Trade: newest first, objects of texts, nothing for a quiet interval.
enum CoinbaseAdvancedREST: VenueREST {
    private static let granularities: [String: Timeframe] = [
        "ONE_MINUTE": .m1, "FIVE_MINUTE": .m5, "FIFTEEN_MINUTE": .m15, "THIRTY_MINUTE": .m30, "ONE_HOUR": .h1,
        "TWO_HOUR": .h2, "SIX_HOUR": .h6, "ONE_DAY": .d1,
    ]

    static func answer(_ request: VenueRequest, _ book: VenueBook) -> VenueResponse? {
        let base = "/api/v3/brokerage/market/products"
        guard request.path.hasPrefix(base) else { return nil }
        let parts = request.path.dropFirst(base.count).split(separator: "/").map(String.init)
        if parts.isEmpty { return products(book) }
        guard parts.count == 2, parts[1] == "candles" else { return nil }
        guard book.symbols.contains(parts[0]) else { return error(404, "NOT_FOUND", "ProductID is invalid") }
        guard let timeframe = granularities[request.query["granularity"] ?? ""] else {
            return error(400, "INVALID_ARGUMENT", "invalid value for enum field granularity")
        }
        guard let from = request.query["start"].flatMap(Double.init), let to = request.query["end"].flatMap(Double.init)
        else { return error(400, "INVALID_ARGUMENT", "start and end are required") }
        guard (to - from) / timeframe.seconds < 350 else {
            return error(400, "INVALID_ARGUMENT", "number of candles requested should be less than 350 ")
        }
        let limit = request.query["limit"].flatMap { Int($0) } ?? 350
        let rows = book.candles(parts[0], timeframe).filter { from...max(from, to) ~= $0.candle.timestamp }
        let texts = rows.suffix(max(0, min(limit, 350))).reversed().map { row in
            let candle = row.candle
            return #"{"start":\#(VenueRESTText.quoted(candle.timestamp)),"low":\#(VenueRESTText.quoted(candle.low)),"#
                + #""high":\#(VenueRESTText.quoted(candle.high)),"open":\#(VenueRESTText.quoted(candle.open)),"#
                + #""close":\#(VenueRESTText.quoted(candle.close)),"volume":\#(VenueRESTText.quoted(candle.volume))}"#
        }
        return VenueResponse(body: #"{"candles":\#(VenueRESTText.list(texts))}"#)
    }

    private static func products(_ book: VenueBook) -> VenueResponse {
        let texts = book.symbols.map { symbol in
            let (base, quote) = VenueRESTText.currencies(symbol)
            return #"{"product_id":\#(VenueJSON.quoted(symbol)),"base_currency_id":\#(VenueJSON.quoted(base)),"#
                + #""quote_currency_id":\#(VenueJSON.quoted(quote)),"price_increment":"\#(book.step(symbol))","#
                + #""status":"online"}"#
        }
        return VenueResponse(body: #"{"products":\#(VenueRESTText.list(texts)),"num_products":\#(texts.count)}"#)
    }

    private static func error(_ status: Int, _ code: String, _ message: String) -> VenueResponse {
        VenueResponse(
            status: status, body: #"{"error":"\#(code)","error_details":"","message":\#(VenueJSON.quoted(message))}"#)
    }
}
