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
            body: #"{"intervals":\#(VenueRESTText.list(page)),"security":{"ticker":\#(VenueJSON.quoted(parts[1]))},"#
                + #""source":"made","next_page":\#(next)}"#)
    }

    private static func interval(_ row: VenueBook.Row, _ timeframe: Timeframe) -> String {
        let candle = row.candle
        let end = timeframe.bucketEnd(ofBucketAt: candle.timestamp)
        func number(_ value: Double) -> String { VenueRESTText.number(value) }
        return #"{"time":"\#(time(candle.timestamp))","open":\#(number(candle.open)),"close":\#(number(candle.close)),"#
            + #""high":\#(number(candle.high)),"low":\#(number(candle.low)),"volume":\#(number(candle.volume)),"#
            + #""close_time":"\#(time(end))","interval":"\#(timeframe.rawValue)","trade_count":\#(row.trades).0}"#
    }

    private static func time(_ seconds: Double) -> String {
        VenueTime.civil(seconds: Int64(min(max(seconds, 0), 4e9))) + ".000Z"
    }

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
        VenueResponse(status: status, body: #"{"error":\#(VenueJSON.quoted(words))}"#)
    }
}
