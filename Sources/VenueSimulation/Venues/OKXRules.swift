import MarketModel
import StreamCore

/// OKX, version 5: an answer a channel, and the bare text `pong` to a `ping`. A connection on which nothing was sent
/// for 30 seconds is closed, as is one without a subscription in that time; 480 requests an hour are accepted. As the
/// venue documents it (okx.com/docs-v5, "WebSocket", "Notification", error codes); no recorded session was found.
struct OKXRules: VenueRules {
    static let facts = VenueFacts(
        paths: ["/ws/v5/public", "/ws/v5/business"], subscriptionDeadline: 30, heartbeatInterval: 30)

    private static let requestsPerHour = 480
    private static let hour: Int64 = 3_600_000_000_000

    private let market: VenueMarket
    private let id: String
    private var isBusiness = false
    /// When requests came, of the last hour.
    private var requests: [Int64] = []

    init(_ market: VenueMarket, connection: Int) {
        self.market = market
        id = "a4d3ae" + String(16 + connection % 240, radix: 16)
    }

    static func sort(_ message: [UInt8]) -> RecordedPart {
        guard let channel = peek(message, "arg", "channel"), let symbol = peek(message, "arg", "instId"),
            peek(message, "event") == nil
        else { return .own }
        let topic = VenueTopic(channel, symbol)
        return peek(message, "action") == "snapshot" ? .first(topic) : .data([topic])
    }

    static func trades(in message: [UInt8], _ part: RecordedPart, of session: RecordedSession) -> [RecordedTrade] {
        guard case .data(let topics) = part, let channel = topics.first?.channel, channel.hasPrefix("trades"),
            let rows = VenueJSON(message)?["data"]?.array
        else { return [] }
        return rows.compactMap { RecordedTrade($0, members, kind: channel) }
    }

    static let members: RecordedTrade.Members? = .init(
        symbol: "instId", number: "tradeId", price: "px", size: "sz", time: "ts", side: "side", buy: "buy")

    mutating func opened(target: String, at moment: VenueMoment) -> [VenueReply] {
        isBusiness = target.contains("/business")
        return []
    }

    mutating func received(text: [UInt8], at moment: VenueMoment) -> [VenueReply] {
        text == Array("ping".utf8) ? [.send("pong")] : received(VenueJSON(text), at: moment)
    }

    mutating func received(_ json: VenueJSON?, at moment: VenueMoment) -> [VenueReply] {
        let request = json?["id"]?.string
        let operation = json?["op"]?.string ?? ""
        guard let json, operation == "subscribe" || operation == "unsubscribe", let arguments = json["args"]?.array,
            !arguments.isEmpty
        else { return [error("60012", "Invalid request: \(json?.text ?? "")", request)] }
        requests = requests.filter { $0 > moment.time - Self.hour } + [moment.time]
        guard requests.count <= Self.requestsPerHour else { return [error("60014", "Requests too frequent", request)] }
        return arguments.flatMap { argument -> [VenueReply] in
            let (channel, symbol) = (argument["channel"]?.string ?? "", argument["instId"]?.string ?? "")
            guard isChannel(channel), market.symbols.contains(symbol) else {
                let text =
                    "Wrong URL or channel:\(channel),instId:\(symbol) doesn't exist. "
                    + "Please use the correct URL, channel and parameters referring to API document."
                return [error("60018", text, request)]
            }
            let answer = VenueReply.answer(
                #"{\#(named(request))"event":"\#(operation)","arg":{"channel":\#(quoted(channel)),"#
                    + #""instId":\#(quoted(symbol))},"connId":"\#(id)"}"#)
            let topic = VenueTopic(channel, symbol)
            return operation == "subscribe" ? [answer, .subscribe(topic)] : [.unsubscribe(topic), answer]
        }
    }

    /// Each address has channels of its own.
    private func isChannel(_ name: String) -> Bool {
        isBusiness
            ? name == "trades-all" || name.hasPrefix("candle")
            : ["trades", "tickers", "books", "books5", "bbo-tbt"].contains(name)
    }

    private func named(_ request: String?) -> String { request.map { #""id":\#(quoted($0)),"# } ?? "" }

    private func error(_ code: String, _ text: String, _ request: String?) -> VenueReply {
        .answer(#"{\#(named(request))"event":"error","code":"\#(code)","msg":\#(quoted(text)),"connId":"\#(id)"}"#)
    }

    /// Nothing is sent: after 30 seconds of silence the connection is closed.
    mutating func heartbeat(isQuiet: Bool, at moment: VenueMoment) -> [VenueReply] {
        isQuiet ? [.close(WebSocketCloseCode(rawValue: 4004), reason: "No data received in 30s")] : []
    }

    mutating func farewell(at moment: VenueMoment) -> [VenueReply] {
        let text = "The connection will soon be closed for a service upgrade. Please reconnect."
        return [.send(#"{"event":"notice","code":"64008","msg":"\#(text)","connId":"\#(id)"}"#)]
    }
}

/// OKX: `data`, arrays of texts, newest first; errors have a code, some of them with HTTP status 200.
enum OKXREST: VenueREST {
    private static let bars: [String: Timeframe] = [
        "1m": .m1, "3m": .m3, "5m": .m5, "15m": .m15, "30m": .m30, "1H": .h1, "2H": .h2, "4H": .h4, "6Hutc": .h6,
        "12Hutc": .h12, "1Dutc": .d1, "1Wutc": .w1, "1Mutc": .mo1,
    ]

    static func answer(_ request: VenueRequest, _ book: VenueBook) -> VenueResponse? {
        switch request.path {
        case "/api/v5/market/history-candles": return candles(request.query, book)
        case "/api/v5/public/instruments":
            let rows = book.symbols.map { symbol in
                let (base, quote) = currencies(symbol)
                return
                    #"{"instType":"SPOT","instId":\#(quoted(symbol)),"baseCcy":\#(quoted(base)),"#
                    + #""quoteCcy":\#(quoted(quote)),"tickSz":"\#(book.step(symbol))","state":"live"}"#
            }
            return result(rows)
        default: return nil
        }
    }

    static let refusal = VenueResponse(status: 429, body: #"{"code":"50011","msg":"Rate limit reached","data":[]}"#)

    private static func candles(_ query: [String: String], _ book: VenueBook) -> VenueResponse {
        guard let symbol = query["instId"], book.symbols.contains(symbol) else {
            return error("51001", "Instrument ID does not exist")
        }
        guard let timeframe = bars[query["bar"] ?? "1m"] else { return error("51000", "Parameter bar error") }
        let limit = query["limit"].flatMap { Int($0) } ?? 100
        // Neither end is included.
        let newerThan = query["before"].flatMap(Double.init) ?? -.infinity
        let olderThan = query["after"].flatMap(Double.init) ?? .infinity
        let running = timeframe.bucketStart(of: book.clock)
        let rows = book.candles(symbol, timeframe).filter {
            $0.candle.timestamp * 1000 > newerThan && $0.candle.timestamp * 1000 < olderThan
        }
        return result(
            rows.suffix(max(0, min(limit, 100))).reversed().map { row in
                OKXSession.candle(row.candle, isClosed: row.candle.timestamp < running)
            })
    }

    private static func result(_ rows: [String]) -> VenueResponse {
        VenueResponse(body: #"{"code":"0","msg":"","data":\#(list(rows))}"#)
    }

    private static func error(_ code: String, _ message: String) -> VenueResponse {
        VenueResponse(body: #"{"code":"\#(code)","msg":\#(quoted(message)),"data":[]}"#)
    }
}

/// A session in the layouts that OKX documents: four trades a second, each sent in both channels, a ticker a second and a
/// closed candle at the end of each minute.
enum OKXSession {
    private static let start: Int64 = 1_700_000_040_000

    static func made(_ symbols: [String], _ seconds: Int, _ seed: UInt64) -> RecordedSession {
        let symbols = symbols.isEmpty ? ["BTC-USDT", "ETH-USDT"] : symbols
        var random = SeededGenerator(seed: seed)
        var cents: [Int] = symbols.indices.map { 4_200_000 / ($0 + 1) }
        var lines: [String] = []
        var times: [Int64] = []
        func add(_ channel: String, _ symbol: String, _ row: String, _ milliseconds: Int64) {
            lines.append(#"{"arg":{"channel":"\#(channel)","instId":\#(quoted(symbol))},"data":[\#(row)]}"#)
            times.append(milliseconds * 1_000_000)
        }
        var opened = Array<Candle?>(repeating: nil, count: symbols.count)
        for tick in 0..<seconds * 4 {
            let which = Int.random(in: symbols.indices, using: &random)
            let name = quoted(symbols[which])
            cents[which] = max(100, cents[which] + Int.random(in: -90...90, using: &random))
            let milliseconds = start + Int64(tick) * 250
            let now = cents[which]
            let (price, size) = (decimal(cents: now), "0.\(Int.random(in: 1...9999, using: &random))")
            let side = Bool.random(using: &random) ? "buy" : "sell"
            let row =
                #"{"instId":\#(name),"tradeId":"\#(130_000_000 + tick)","px":"\#(price)","sz":"\#(size)","#
                + #""side":"\#(side)","ts":"\#(milliseconds)""#
            add("trades", symbols[which], row + #","count":"1","source":"0","seqId":\#(1000 + tick)}"#, milliseconds)
            add("trades-all", symbols[which], row + #","source":"0"}"#, milliseconds)
            let value = Double(cents[which]) / 100
            let trade = Candle(at: Double(start) / 1000, value, volume: Double(size) ?? 0)
            var candle = opened[which] ?? trade
            if opened[which] != nil { candle.add(trade) }
            opened[which] = candle
            guard tick % 4 == 3 else { continue }
            add("candle1m", symbols[which], Self.candle(candle, isClosed: false), milliseconds)
            add(
                "tickers", symbols[which],
                #"{"instType":"SPOT","instId":\#(name),"last":"\#(price)","lastSz":"\#(size)","#
                    + #""askPx":"\#(decimal(cents: now + 5))","askSz":"1","#
                    + #""bidPx":"\#(decimal(cents: now - 5))","bidSz":"2","#
                    + #""open24h":"\#(decimal(cents: now - 700))","high24h":"\#(decimal(cents: now + 900))","#
                    + #""low24h":"\#(decimal(cents: now - 900))","volCcy24h":"2222","vol24h":"11","#
                    + #""sodUtc0":"1","sodUtc8":"1","ts":"\#(milliseconds)"}"#,
                milliseconds)
        }
        return RecordedSession(lines: lines, times: times)
    }

    /// `[milliseconds, open, high, low, close, volume, volume in the currency, in the quote currency, closed]`
    static func candle(_ candle: Candle, isClosed: Bool) -> String {
        let values = [
            candle.timestamp * 1000, candle.open, candle.high, candle.low, candle.close, candle.volume, candle.volume,
            candle.volume * candle.close,
        ]
        return list(values.map(quoted) + [isClosed ? "\"1\"" : "\"0\""])
    }
}
