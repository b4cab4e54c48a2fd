import MarketModel

/// Bitfinex: `[ms, open, close, high, low, volume]`; errors begin with `"error"`.
enum BitfinexREST: VenueREST {
    static let pace = (perSecond: 0.5, burst: 10.0)

    static func answer(_ request: VenueRequest, _ book: VenueBook) -> VenueResponse? {
        let parts = request.path.split(separator: "/").map(String.init)
        guard parts.count == 4, parts[0] == "v2", parts[1] == "candles", parts[3] == "hist" else { return nil }
        let key = parts[2].split(separator: ":", maxSplits: 2).map(String.init)
        guard key.count == 3, key[0] == "trade", book.symbols.contains(key[2]) else {
            return VenueResponse(status: 500, body: #"["error",10020,"symbol: invalid"]"#)
        }
        guard let timeframe = Timeframe(rawValue: key[1] == "1D" ? "1d" : key[1]) else {
            return VenueResponse(status: 500, body: #"["error",10020,"time_interval: invalid"]"#)
        }
        let limit = min(request.query["limit"].flatMap { Int($0) } ?? 120, 10_000)
        let from = request.query["start"].flatMap(Double.init) ?? -.infinity
        let to = request.query["end"].flatMap(Double.init) ?? .infinity
        let rows = book.candles(key[2], timeframe).filter { from...max(from, to) ~= $0.candle.timestamp * 1000 }
        let isOldestFirst = request.query["sort"] == "1"
        let shown = isOldestFirst ? Array(rows.prefix(max(0, limit))) : rows.suffix(max(0, limit)).reversed()
        return VenueResponse(
            body: VenueRESTText.list(
                shown.map { row in
                    let candle = row.candle
                    return VenueRESTText.list(
                        [candle.timestamp * 1000, candle.open, candle.close, candle.high, candle.low, candle.volume]
                            .map(
                                VenueRESTText.number))
                }))
    }

    static func refusal(retryAfter: Int) -> VenueResponse {
        VenueResponse(
            status: 429, headers: [("Retry-After", "\(retryAfter)")], body: #"["error",11010,"ratelimit: error"]"#)
    }
}
