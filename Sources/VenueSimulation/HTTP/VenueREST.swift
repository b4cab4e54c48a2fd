import MarketModel
import StreamCore

/// How a venue shapes its candles and its list of markets over HTTP, and what it is strict about.
protocol VenueREST: Sendable {
    /// Requests that are answered.
    static var pace: (perSecond: Double, burst: Double) { get }
    /// - Returns: `nil` where there is nothing at the path.
    static func answer(_ request: VenueRequest, _ book: VenueBook) -> VenueResponse?
    /// The answer to a client that requests too often.
    static func refusal(retryAfter: Int) -> VenueResponse
}

extension VenueREST {
    static var pace: (perSecond: Double, burst: Double) { (10, 15) }

    static func refusal(retryAfter: Int) -> VenueResponse {
        VenueResponse(
            status: 429, headers: [("Retry-After", "\(retryAfter)")], body: #"{"message":"Rate limit exceeded"}"#)
    }
}

extension VenueMachine {
    /// Answers a request over HTTP. Where a venue has its streams and its REST interface on two hosts, both are here.
    ///
    /// The header `Date` is the venue's clock: where the times of the recording are moved, what it has sent so far ends up
    /// to a minute before the present.
    public mutating func answer(_ request: VenueRequest, now: Double) -> VenueResponse {
        let response = respond(request, now)
        note(.requested(target: request.target, status: response.status))
        return response
    }

    private mutating func respond(_ request: VenueRequest, _ now: Double) -> VenueResponse {
        let running = timeline ?? VenueTimeline(market.session, settings, now: now)
        let shift = running.shift(running.place(at: now).round)
        if let own = venue.rules.answer(request, market, shift: shift, now: now) { return own }
        let book = book(now: now)
        var response = VenueResponse(status: 404, body: #"{"message":"NotFound"}"#)
        if request.method == "GET", let rest = venue.rest, let answer = rest.answer(request, book) {
            var bucket = requests ?? TokenBucket(rate: rest.pace.perSecond, burst: rest.pace.burst, now: now)
            response = bucket.consume(now: now) ? answer : rest.refusal(retryAfter: 1)
            requests = bucket
        }
        response.headers.append(("Date", VenueTime.header(book.clock)))
        return response
    }
}

extension VenueRequest {
    /// The rows whose start lies between two fields of the query, both included.
    /// - Parameter unit: of the fields, in a second.
    func rows(
        _ rows: [VenueBook.Row], from: String = "start", to: String = "end", unit: Double = 1
    ) -> [VenueBook.Row] {
        let first = query[from].flatMap(Double.init) ?? -.infinity
        let last = query[to].flatMap(Double.init) ?? .infinity
        return rows.filter { first <= $0.candle.timestamp * unit && $0.candle.timestamp * unit <= last }
    }

    /// How many rows are requested.
    func limit(_ usual: Int, most: Int = .max) -> Int { max(0, min(query["limit"].flatMap { Int($0) } ?? usual, most)) }
}

extension VenueTime {
    /// `Thu, 08 Aug 2024 00:10:05 GMT` (RFC 9110, section 5.6.7).
    static func header(_ seconds: Double) -> String {
        let whole = Int64(min(max(seconds, 0), 4e9))
        let civil = RFC3339.text(Double(whole)).dropLast()
        let names = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let parts = civil.split { $0 == "-" || $0 == "T" }
        let month = months[(Int(parts[1]) ?? 1) - 1]
        return "\(names[Int(whole / 86_400 % 7)]), \(parts[2]) \(month) \(parts[0]) \(parts[3]) GMT"
    }
}

/// Numbers of answers.
enum VenueRESTText {
    static func number(_ value: Double) -> String {
        var bytes: [UInt8] = []
        bytes.number(value)
        return String(decoding: bytes, as: UTF8.self)
    }

    static func quoted(_ value: Double) -> String { "\"\(number(value))\"" }

    static func list(_ rows: some Sequence<String>) -> String { "[" + rows.joined(separator: ",") + "]" }

    /// An object of a candle's values as texts, the start under a name of the venue's.
    static func object(_ candle: Candle, start: String) -> String {
        let members: [(String, Double)] = [
            (start, candle.timestamp), ("open", candle.open), ("high", candle.high), ("low", candle.low),
            ("close", candle.close), ("volume", candle.volume),
        ]
        return "{" + members.map { "\"\($0)\":\(quoted($1))" }.joined(separator: ",") + "}"
    }

    /// A market's two currencies, where its name has a mark between them, else by the usual second ones.
    static func currencies(_ symbol: String) -> (base: String, quote: String) {
        let parts = symbol.split { "-/:_".contains($0) }.map(String.init)
        if parts.count == 2 { return (parts[0], parts[1]) }
        let usual = ["USDT", "USDC", "BUSD", "USD", "EUR", "GBP", "BTC", "ETH", "BNB", "JPY"]
        for quote in usual where symbol.uppercased().hasSuffix(quote) && symbol.count > quote.count {
            return (String(symbol.dropLast(quote.count)), String(symbol.suffix(quote.count)))
        }
        return (symbol, "")
    }
}
