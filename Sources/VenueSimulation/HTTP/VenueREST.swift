import MarketModel
import StreamCore

/// How a venue shapes its candles and its list of markets over HTTP, and what it is strict about.
protocol VenueREST: Sendable {
    /// Requests that are answered.
    static var pace: (perSecond: Double, burst: Double) { get }
    /// - Returns: `nil` where there is nothing at the path.
    static func answer(_ request: VenueRequest, _ book: VenueBook) -> VenueResponse?
    /// The answer to a client that requests too often.
    static var refusal: VenueResponse { get }
}

extension VenueREST {
    static var pace: (perSecond: Double, burst: Double) { (10, 15) }
    static var refusal: VenueResponse { tooMany(#"{"message":"Rate limit exceeded"}"#) }

    static func tooMany(_ body: String) -> VenueResponse {
        VenueResponse(status: 429, headers: [("Retry-After", "1")], body: body)
    }
}

extension VenueMachine {
    /// Answers a request over HTTP. Where a venue has its streams and its REST interface on two hosts, both are here.
    ///
    /// The header `Date` is the venue's clock: where the times of the recording are moved, what it has sent so far ends up
    /// to a minute before the present.
    package mutating func answer(_ request: VenueRequest, now: Double) -> VenueResponse {
        let response = respond(request, now)
        note(.requested(target: request.target, status: response.status))
        return response
    }

    private mutating func respond(_ request: VenueRequest, _ now: Double) -> VenueResponse {
        let running = timeline ?? VenueTimeline(market.session, settings, now: now)
        let shift = running.shift(running.place(at: now).round)
        let book = book(now: now)
        if let order = answerOrder(request, book, now: now) { return order }
        let played = settings.times == .now ? running.recordingTime(at: now) : now
        if let own = venue.rules.answer(request, market, shift: shift, now: played) { return own }
        var response = VenueResponse(status: 404, body: #"{"message":"NotFound"}"#)
        if request.method == "GET", let rest = venue.rest, let answer = rest.answer(request, book) {
            var bucket = requests ?? TokenBucket(rate: rest.pace.perSecond, burst: rest.pace.burst, now: now)
            response = bucket.consume(now: now) ? answer : rest.refusal
            requests = bucket
        }
        response.headers.append(("Date", VenueTime.header(book.clock)))
        return response
    }
}

/// A venue's order entry for one account.
protocol VenueOrders: Sendable {
    init()

    /// Placing and cancelling requests that were carried out.
    var changes: Int { get }

    /// - Parameters:
    ///   - price: a market's last one; `nil`: there is no such market.
    ///   - now: milliseconds since 1970.
    /// - Returns: `nil`: nothing of this is at the path.
    mutating func answer(_ request: VenueRequest, price: (String) -> Double?, now: Int64) -> VenueResponse?
}

extension VenueMachine {
    private mutating func answerOrder(_ request: VenueRequest, _ book: VenueBook, now: Double) -> VenueResponse? {
        guard let before = orders?.changes else { return nil }
        let answer = orders?.answer(
            request,
            price: { symbol in
                book.candles(symbol, .m1).last?.candle.close
                    ?? book.market.trades[symbol]?.first.flatMap { Double($0.trade.price) }
            }, now: Int64(now * 1000))
        guard var answer else { return nil }
        answer.isLost = (orders?.changes ?? 0) > before && settings.lostOrderAnswers.contains(before)
        return answer
    }
}

func number(_ value: Double) -> String { JSONValue.number(value).json }

func quoted(_ value: Double) -> String { "\"\(number(value))\"" }

/// Texts that are JSON as an array.
func list(_ rows: some Sequence<String>) -> String { "[" + rows.joined(separator: ",") + "]" }

/// An object of a candle's values as texts, the start under a name of the venue's.
func object(_ candle: Candle, start: String) -> String {
    let members: [(String, Double)] = [
        (start, candle.timestamp), ("open", candle.open), ("high", candle.high), ("low", candle.low),
        ("close", candle.close), ("volume", candle.volume),
    ]
    return "{" + members.map { "\"\($0)\":\(quoted($1))" }.joined(separator: ",") + "}"
}

/// A market's two currencies, where its name has a mark between them, else by the usual second ones.
func currencies(_ symbol: String) -> (base: String, quote: String) {
    let parts = symbol.split { "-/:_".contains($0) }.map(String.init)
    if parts.count == 2 { return (parts[0], parts[1]) }
    let usual = ["USDT", "USDC", "BUSD", "USD", "EUR", "GBP", "BTC", "ETH", "BNB", "JPY"]
    for quote in usual where symbol.uppercased().hasSuffix(quote) && symbol.count > quote.count {
        return (String(symbol.dropLast(quote.count)), String(symbol.suffix(quote.count)))
    }
    return (symbol, "")
}
