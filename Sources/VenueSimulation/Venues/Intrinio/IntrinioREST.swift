import MarketModel

/// Intrinio's candles: `feeds/intrinio.md`, "Historical candles". `intervals` as objects, none for quiet ones, pages of
/// `page_size` and where to go on in `next_page`. The order is not documented; here the oldest come first.
enum IntrinioREST: VenueREST {
    static func answer(_ request: VenueRequest, _ book: VenueBook) -> VenueResponse? {
        let parts = request.path.split(separator: "/").map(String.init)
        guard parts.count == 4, parts[0] == "securities", parts[2] == "prices", parts[3] == "intervals" else {
            return nil
        }
        guard IntrinioDesk.isKnown(request) else { return IntrinioDesk.refused }
        guard book.symbols.contains(parts[1]) else { return error(404, "Identifier not found") }
        guard let timeframe = timeframe(request.query["interval_size"] ?? "5m") else {
            return error(400, "Invalid interval_size")
        }
        guard let from = moment("start", request.query, otherwise: -.infinity),
            let to = moment("end", request.query, otherwise: .infinity)
        else { return error(400, "Invalid date") }
        guard let size = Int(request.query["page_size"] ?? "100"), (1...100).contains(size),
            let first = Int(request.query["next_page"] ?? "0"), first >= 0
        else { return error(400, "Invalid page_size or next_page") }
        let rows = book.candles(parts[1], timeframe).filter { (from...to).contains($0.candle.timestamp) }
        let page = rows.dropFirst(first).prefix(size).map { interval($0, timeframe) }
        let next = first + page.count < rows.count ? "\"\(first + page.count)\"" : "null"
        return VenueResponse(
            body: #"{"intervals":\#(list(page)),"security":{"ticker":\#(quoted(parts[1]))},"#
                + #""source":"made","next_page":\#(next)}"#)
    }

    private static func interval(_ row: VenueBook.Row, _ timeframe: Timeframe) -> String {
        let candle = row.candle
        let end = timeframe.bucketEnd(ofBucketAt: candle.timestamp)
        return #"{"time":"\#(time(candle.timestamp))","open":\#(number(candle.open)),"close":\#(number(candle.close)),"#
            + #""high":\#(number(candle.high)),"low":\#(number(candle.low)),"volume":\#(number(candle.volume)),"#
            + #""close_time":"\#(time(end))","interval":"\#(timeframe.rawValue)","trade_count":\#(row.trades).0}"#
    }

    private static func time(_ seconds: Double) -> String { RFC3339.text(seconds.rounded(.down), fractionDigits: 3) }

    /// `1m`, `60m` and `1h`; those of days are another address.
    private static func timeframe(_ text: String) -> Timeframe? {
        guard let unit = text.last, let count = Double(text.dropLast()), unit == "m" || unit == "h" else { return nil }
        let seconds = count * (unit == "m" ? 60 : 3600)
        return Timeframe.allCases.first { $0.seconds == seconds && $0.index <= Timeframe.h1.index }
    }

    /// `start_date` and `start_time`. `nil`: there is a date that is none.
    private static func moment(_ name: String, _ query: [String: String], otherwise: Double) -> Double? {
        guard let date = query["\(name)_date"] else { return otherwise }
        let time = query["\(name)_time"] ?? "00:00:00"
        return VenueTime.nanoseconds("\(date)T\(time)Z").map { Double($0) / 1e9 }
    }

    private static func error(_ status: Int, _ words: String) -> VenueResponse {
        VenueResponse(status: status, body: #"{"error":\#(quoted(words))}"#)
    }
}

/// Intrinio's REST side, but for candles (`IntrinioREST`): the token, the search, reference prices. One account: `demo` is the
/// user, the password, the key and the public key.
enum IntrinioDesk {
    /// With characters that must be encoded in an address.
    static let token = "SFMyNTY.demo+/=&%"

    /// Path and query of an accepted handshake.
    static let target = "/socket/websocket?vsn=1.0.0&token=SFMyNTY.demo%2B%2F%3D%26%25"

    static func answer(_ request: VenueRequest, _ market: VenueMarket, shift: Int64) -> VenueResponse? {
        guard ["/auth", "/companies", "/prices"].contains(request.path) else { return nil }
        guard isKnown(request) else { return refused }
        return switch request.path {
        case "/auth": VenueResponse(headers: [("Content-Type", "text/plain")], body: token)
        case "/companies": companies(request.query["query"] ?? "")
        default: prices(request.query["identifier"] ?? "", on: session(of: market, shift))
        }
    }

    /// The status that a WebSocket is refused with; Phoenix has no other one for a token it does not accept.
    static func refusal(of target: String) -> Int? {
        let query = VenueRequest(target: target).query
        return query["token"] == token && query["vsn"] == "1.0.0" ? nil : 403
    }

    static let refused = VenueResponse(status: 401, body: #"{"errors":[{"human":"Not authorised"}]}"#)

    static func isKnown(_ request: VenueRequest) -> Bool {
        switch request.headers["authorization"] {
        case "Basic ZGVtbzpkZW1v", "Bearer demo", "Public demo": true
        case .some: false
        case nil: request.query["api_key"] == "demo" || request.headers["x-authorization-public-key"] == "demo"
        }
    }

    private static let listed = [
        ("Apple Inc", "AAPL", "0000320193"), ("General Electric Co", "GE", "0000040545"),
        ("Microsoft Corp", "MSFT", "0000789019"),
    ]

    private static func companies(_ text: String) -> VenueResponse {
        let rows = listed.filter { "\($0.0) \($0.1)".lowercased().contains(text.lowercased()) }.map {
            #"{"name":"\#($0.0)","ticker":"\#($0.1)","cik":"\#($0.2)"}"#
        }
        return VenueResponse(body: #"{"data":[\#(rows.joined(separator: ","))],"result_count":\#(rows.count)}"#)
    }

    /// The day in New York of what is being played. Five hours before UTC no session is on two days.
    private static func session(of market: VenueMarket, _ shift: Int64) -> Substring {
        let last = Double(market.session.times.last ?? 0) / 1e9 + Double(shift)
        return RFC3339.text(last - 5 * 3600).prefix(10)
    }

    private static func prices(_ ticker: String, on date: Substring) -> VenueResponse {
        guard let index = listed.firstIndex(where: { $0.1 == ticker }) else {
            return VenueResponse(status: 404, body: #"{"errors":[{"human":"Identifier not found"}]}"#)
        }
        let open = 100 * (index + 1)
        return VenueResponse(
            body: #"{"data":[{"date":"\#(date)","open":\#(open).0,"high":\#(open + 5).5,"low":\#(open - 2).25,"#
                + #""close":\#(open + 5).0,"volume":51234567.0}],"result_count":1}"#)
    }
}
