import MarketModel

/// Binance spot and Binance.US: `feeds/binance.md`. Oldest first, arrays of texts, a row for quiet intervals, and the running
/// candle at the end; 500 rows unless more are asked for, 1,000 at most. An unknown symbol is code -1121.
enum BinanceREST: VenueREST {
    // A page weighs 2 of the 6,000 a minute.
    static let pace = (perSecond: 50.0, burst: 100.0)

    static func answer(_ request: VenueRequest, _ book: VenueBook) -> VenueResponse? {
        switch request.path {
        case "/api/v3/klines": return klines(request.query, book)
        case "/api/v3/exchangeInfo": return information(book)
        default: return nil
        }
    }

    static func refusal(retryAfter: Int) -> VenueResponse {
        VenueResponse(
            status: 429, headers: [("Retry-After", "\(retryAfter)")],
            body: #"{"code":-1003,"msg":"Too many requests; please use the websocket for live updates."}"#)
    }

    private static func klines(_ query: [String: String], _ book: VenueBook) -> VenueResponse {
        guard let symbol = query["symbol"], book.symbols.contains(symbol) else {
            return error(-1121, "Invalid symbol.")
        }
        guard let timeframe = query["interval"].flatMap(Timeframe.init(rawValue:)), timeframe != .s5, timeframe != .s15
        else { return error(-1120, "Invalid interval.") }
        let limit = query["limit"].flatMap { Int($0) } ?? 500
        guard (1...1000).contains(limit) else { return error(-1130, "Data sent for parameter 'limit' is not valid.") }
        let from = query["startTime"].flatMap(Double.init).map { $0 / 1000 }
        let to = query["endTime"].flatMap(Double.init).map { $0 / 1000 } ?? .infinity
        let rows = book.filled(symbol, timeframe).filter {
            $0.candle.timestamp >= from ?? -.infinity && $0.candle.timestamp <= to
        }
        // Without a start the newest are told.
        let shown = from == nil ? rows.suffix(limit) : rows.prefix(limit)
        return VenueResponse(body: VenueRESTText.list(shown.map { kline($0, timeframe) }))
    }

    private static func kline(_ row: VenueBook.Row, _ timeframe: Timeframe) -> String {
        let candle = row.candle
        let end = timeframe.bucketEnd(ofBucketAt: candle.timestamp) * 1000 - 1
        let texts = [candle.open, candle.high, candle.low, candle.close, candle.volume].map(VenueRESTText.quoted)
        return "[\(VenueRESTText.number(candle.timestamp * 1000)),\(texts.joined(separator: ",")),"
            + "\(VenueRESTText.number(end)),\"0\",\(row.trades),\"0\",\"0\",\"0\"]"
    }

    private static func information(_ book: VenueBook) -> VenueResponse {
        let texts = book.symbols.map { symbol in
            let (base, quote) = VenueRESTText.currencies(symbol)
            return #"{"symbol":\#(VenueJSON.quoted(symbol)),"status":"TRADING","baseAsset":\#(VenueJSON.quoted(base)),"#
                + #""quoteAsset":\#(VenueJSON.quoted(quote)),"#
                + #""filters":[{"filterType":"PRICE_FILTER","tickSize":"\#(book.step(symbol))"}]}"#
        }
        return VenueResponse(body: #"{"timezone":"UTC","symbols":\#(VenueRESTText.list(texts))}"#)
    }

    private static func error(_ code: Int, _ message: String) -> VenueResponse {
        VenueResponse(status: 400, body: #"{"code":\#(code),"msg":\#(VenueJSON.quoted(message))}"#)
    }
}
