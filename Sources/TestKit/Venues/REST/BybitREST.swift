import MarketModel

/// Bybit: `result.list`, arrays of texts, newest first; errors have HTTP status 200 and a code.
enum BybitREST: VenueREST {
    static func answer(_ request: VenueRequest, _ book: VenueBook) -> VenueResponse? {
        switch request.path {
        case "/v5/market/kline": return klines(request.query, book)
        case "/v5/market/instruments-info":
            let texts = book.symbols.map { symbol in
                let (base, quote) = VenueRESTText.currencies(symbol)
                return #"{"symbol":\#(VenueJSON.quoted(symbol)),"baseCoin":\#(VenueJSON.quoted(base)),"#
                    + #""quoteCoin":\#(VenueJSON.quoted(quote)),"status":"Trading","#
                    + #""priceFilter":{"tickSize":"\#(book.step(symbol))"}}"#
            }
            return result(#"{"category":"spot","list":\#(VenueRESTText.list(texts))}"#)
        default: return nil
        }
    }

    private static func klines(_ query: [String: String], _ book: VenueBook) -> VenueResponse {
        guard let symbol = query["symbol"], book.symbols.contains(symbol) else {
            return error(10_001, "Not supported symbols")
        }
        guard let timeframe = timeframe(query["interval"] ?? "") else { return error(10_001, "Invalid interval") }
        let limit = query["limit"].flatMap { Int($0) } ?? 200
        let from = query["start"].flatMap(Double.init) ?? -.infinity
        let to = query["end"].flatMap(Double.init) ?? .infinity
        let rows = book.candles(symbol, timeframe).filter { from...max(from, to) ~= $0.candle.timestamp * 1000 }
        let texts = rows.suffix(max(0, min(limit, 1000))).reversed().map { row in
            let candle = row.candle
            return VenueRESTText.list(
                [candle.timestamp * 1000, candle.open, candle.high, candle.low, candle.close, candle.volume, 0].map(
                    VenueRESTText.quoted))
        }
        return result(
            #"{"category":"spot","symbol":\#(VenueJSON.quoted(symbol)),"list":\#(VenueRESTText.list(texts))}"#)
    }

    private static func timeframe(_ text: String) -> Timeframe? {
        switch text {
        case "D": .d1
        case "W": .w1
        case "M": .mo1
        default: Int(text).flatMap { minutes in Timeframe.allCases.first { $0.seconds == Double(minutes) * 60 } }
        }
    }

    private static func result(_ text: String) -> VenueResponse {
        VenueResponse(body: #"{"retCode":0,"retMsg":"OK","result":\#(text)}"#)
    }

    private static func error(_ code: Int, _ message: String) -> VenueResponse {
        VenueResponse(body: #"{"retCode":\#(code),"retMsg":\#(VenueJSON.quoted(message)),"result":{}}"#)
    }
}
