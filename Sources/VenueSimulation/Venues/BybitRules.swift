import MarketModel

/// Bybit's public streams, version 5, spot and linear: acks that do not say what they are about, all alike.
struct BybitRules: VenueRules {
    static let facts = VenueFacts(paths: ["/v5/public/spot", "/v5/public/linear", "/v5/public/inverse"])

    /// Topics in one request on the spot market.
    private static let spotArguments = 10

    private let market: VenueMarket
    private let id: String
    private var isSpot = true

    init(_ market: VenueMarket, connection: Int) {
        self.market = market
        let digits = String(connection, radix: 16)
        id = "1764937c-c1f0-4e2b-969d-" + String(repeating: "0", count: max(0, 12 - digits.count)) + digits
    }

    static func sort(_ message: [UInt8]) -> RecordedPart {
        guard let topic = peek(message, "topic").flatMap(topic) else { return .own }
        // The book of one level is sent whole every time.
        let isBook = topic.channel.hasPrefix("orderbook.") && topic.channel != "orderbook.1"
        return isBook && peek(message, "type") == "snapshot" ? .first(topic) : .data([topic])
    }

    /// `orderbook.1.BTCUSDT`
    private static func topic(_ text: String) -> VenueTopic? {
        guard let dot = text.lastIndex(of: ".") else { return nil }
        return VenueTopic(String(text[..<dot]), String(text[text.index(after: dot)...]))
    }

    /// Of a trade, a number in the spot market; names of others are no numbers, and stay.
    static func trades(in message: [UInt8], _ part: RecordedPart, of session: RecordedSession) -> [RecordedTrade] {
        guard case .data(let topics) = part, topics.first?.channel == "publicTrade",
            let rows = VenueJSON(message)?["data"]?.array
        else { return [] }
        return rows.compactMap { RecordedTrade($0, members) }
    }

    static let members: RecordedTrade.Members? = .init(
        symbol: "s", number: "i", price: "p", size: "v", time: "T", side: "S", buy: "Buy")

    mutating func opened(target: String, at moment: VenueMoment) -> [VenueReply] {
        isSpot = target.contains("/spot")
        return []
    }

    mutating func received(_ json: VenueJSON?, at moment: VenueMoment) -> [VenueReply] {
        let operation = json?["op"]?.string ?? ""
        switch operation {
        case "ping": return [answer(true, "pong", json, operation)]
        case "subscribe", "unsubscribe":
            let texts = json?["args"]?.strings ?? []
            guard !isSpot || texts.count <= Self.spotArguments else {
                return [answer(false, "args size >10", json, operation)]
            }
            var replies: [VenueReply] = []
            for text in texts {
                guard let topic = Self.topic(text), market.symbols.contains(topic.symbol) else {
                    return [answer(false, "error:handler not found,topic:\(text)", json, operation)]
                }
                replies.append(operation == "subscribe" ? .subscribe(topic) : .unsubscribe(topic))
            }
            return [answer(true, isSpot ? operation : "", json, operation)] + replies
        default: return [answer(false, "error:unknown op", json, operation)]
        }
    }

    /// Spot repeats an id only where there is one; the other markets always have the member.
    private func answer(_ success: Bool, _ message: String, _ json: VenueJSON?, _ operation: String) -> VenueReply {
        let given = json?["req_id"]?.string
        let request = isSpot && given == nil ? "" : #""req_id":\#(quoted(given ?? "")),"#
        return .answer(
            #"{"success":\#(success),"ret_msg":\#(quoted(message)),"conn_id":"\#(id)",\#(request)"#
                + #""op":\#(quoted(operation))}"#)
    }
}

/// Bybit: `result.list`, arrays of texts, newest first; errors have HTTP status 200 and a code.
enum BybitREST: VenueREST {
    static func answer(_ request: VenueRequest, _ book: VenueBook) -> VenueResponse? {
        switch request.path {
        case "/v5/market/kline": return klines(request, book)
        case "/v5/market/instruments-info":
            let texts = book.symbols.map { symbol in
                let (base, quote) = currencies(symbol)
                return #"{"symbol":\#(quoted(symbol)),"baseCoin":\#(quoted(base)),"#
                    + #""quoteCoin":\#(quoted(quote)),"status":"Trading","#
                    + #""priceFilter":{"tickSize":"\#(book.step(symbol))"}}"#
            }
            return result(#"{"category":"spot","list":\#(list(texts))}"#)
        default: return nil
        }
    }

    private static func klines(_ request: VenueRequest, _ book: VenueBook) -> VenueResponse {
        guard let symbol = request.query["symbol"], book.symbols.contains(symbol) else {
            return error(10_001, "Not supported symbols")
        }
        guard let timeframe = timeframe(request.query["interval"] ?? "") else {
            return error(10_001, "Invalid interval")
        }
        let rows = request.rows(book.candles(symbol, timeframe), unit: 1000)
        let texts = rows.suffix(request.limit(200, max: 1000)).reversed().map { row in
            let candle = row.candle
            return list(
                [candle.timestamp * 1000, candle.open, candle.high, candle.low, candle.close, candle.volume, 0].map(
                    quoted))
        }
        return result(#"{"category":"spot","symbol":\#(quoted(symbol)),"list":\#(list(texts))}"#)
    }

    private static func timeframe(_ text: String) -> Timeframe? {
        ["D": Timeframe.d1, "W": .w1, "M": .mo1][text]
            ?? Int(text).flatMap { minutes in Timeframe.allCases.first { $0.seconds == Double(minutes) * 60 } }
    }

    private static func result(_ text: String) -> VenueResponse {
        VenueResponse(body: #"{"retCode":0,"retMsg":"OK","result":\#(text)}"#)
    }

    private static func error(_ code: Int, _ message: String) -> VenueResponse {
        VenueResponse(body: #"{"retCode":\#(code),"retMsg":\#(quoted(message)),"result":{}}"#)
    }
}
