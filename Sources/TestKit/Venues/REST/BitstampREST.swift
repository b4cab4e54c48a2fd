import MarketModel

/// Bitstamp: `data.ohlc`, objects of texts, oldest first.
enum BitstampREST: VenueREST {
    private static let steps: [String: Timeframe] = [
        "60": .m1, "180": .m3, "300": .m5, "900": .m15, "1800": .m30, "3600": .h1, "7200": .h2, "14400": .h4,
        "21600": .h6, "43200": .h12, "86400": .d1,
    ]

    static func answer(_ request: VenueRequest, _ book: VenueBook) -> VenueResponse? {
        let parts = request.path.split(separator: "/").map(String.init)
        guard parts.count == 4, parts[0...2] == ["api", "v2", "ohlc"] else { return nil }
        guard book.symbols.contains(parts[3]) else {
            return VenueResponse(status: 404, body: #"{"code":"404","errors":[{"message":"Not Found"}]}"#)
        }
        let limit = request.query["limit"].flatMap { Int($0) } ?? 1000
        guard let timeframe = steps[request.query["step"] ?? ""], (1...1000).contains(limit) else {
            return VenueResponse(status: 400, body: #"{"code":"400","message":"Invalid step or limit."}"#)
        }
        let from = request.query["start"].flatMap(Double.init) ?? -.infinity
        let to = request.query["end"].flatMap(Double.init) ?? .infinity
        let rows = book.candles(parts[3], timeframe).filter { $0.candle.timestamp >= from && $0.candle.timestamp <= to }
        let texts = rows.suffix(limit).map { row in
            let candle = row.candle
            return
                #"{"timestamp":\#(VenueRESTText.quoted(candle.timestamp)),"open":\#(VenueRESTText.quoted(candle.open)),"#
                + #""high":\#(VenueRESTText.quoted(candle.high)),"low":\#(VenueRESTText.quoted(candle.low)),"#
                + #""close":\#(VenueRESTText.quoted(candle.close)),"volume":\#(VenueRESTText.quoted(candle.volume))}"#
        }
        return VenueResponse(
            body: #"{"data":{"pair":\#(VenueJSON.quoted(parts[3])),"ohlc":\#(VenueRESTText.list(texts))}}"#)
    }
}
