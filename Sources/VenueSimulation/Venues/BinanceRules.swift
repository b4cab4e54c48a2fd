import MarketModel

/// Binance spot and Binance.US, raw and combined streams: `feeds/binance.md`. Streams of a path are there at once,
/// others after `SUBSCRIBE`, which succeeds for streams that do not exist, too (the documents do not say). Five
/// messages of the client a second, pings and pongs among them; 1,024 streams; 24 hours.
struct BinanceRules: VenueRules {
    static let facts = VenueFacts(
        paths: ["/ws", "/ws/", "/stream"], pings: (interval: 20, deadline: 60),
        clientMessages: (perSecond: 5, burst: 5, countsControls: true), maximumAge: 86_400)

    private static let streamLimit = 1024

    private var isCombined = false
    /// Names, in the order they were requested.
    private var streams: [String] = []

    init(_ market: VenueMarket, connection: Int) {}

    static func sort(_ message: [UInt8]) -> RecordedPart {
        if let stream = peek(message, "stream") { return stream.hasPrefix("!") ? .own : .data([topic(stream)]) }
        guard let symbol = peek(message, "s") else { return .own }
        switch peek(message, "e") {
        case "kline":
            let interval = peek(message, "k", "i") ?? "1m"
            return .data([VenueTopic("kline_\(interval)", symbol)])
        case "depthUpdate": return .data([VenueTopic("depth", symbol), VenueTopic("depth@100ms", symbol)])
        case "24hrMiniTicker": return .data([VenueTopic("miniTicker", symbol)])
        case "24hrTicker": return .data([VenueTopic("ticker", symbol)])
        case let event?: return .data([VenueTopic(event, symbol)])
        case nil: return .data([VenueTopic("bookTicker", symbol)])
        }
    }

    /// `btcusdt@depth@100ms`: symbols of streams are in lower case, and others do not exist.
    private static func topic(_ stream: String) -> VenueTopic {
        let parts = stream.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let symbol = parts[0]
        let isKnown = symbol == symbol.lowercased()
        return VenueTopic(parts.count > 1 ? parts[1] : "", isKnown ? symbol.uppercased() : "\(symbol)?")
    }

    static func tradeNumbers(of session: RecordedSession) -> [String] { ["t", "a"] }

    static func trades(in message: [UInt8], _ part: RecordedPart, of session: RecordedSession) -> [RecordedTrade] {
        let event = peek(message, "data", "e") ?? peek(message, "e")
        guard event == "trade" || event == "aggTrade", let whole = VenueJSON(message) else { return [] }
        // The buyer was the maker, so the taker sold.
        let members = RecordedTrade.Members(
            symbol: "s", number: event == "trade" ? "t" : "a", price: "p", size: "q", time: "T", side: "m", buy: "false"
        )
        return [RecordedTrade(whole["data"] ?? whole, members, kind: event ?? "")].compactMap { $0 }
    }

    mutating func frame(_ message: [UInt8]) -> [UInt8] {
        let isWrapped = peek(message, "stream") != nil
        if isCombined == isWrapped { return message }
        if isWrapped { return peek(message, "data").map { Array($0.utf8) } ?? message }
        guard case .data(let topics) = Self.sort(message), let topic = topics.first else { return message }
        return Array(#"{"stream":"\#(topic.symbol.lowercased())@\#(topic.channel)","data":"#.utf8) + message + [0x7D]
    }

    mutating func opened(target: String, at moment: VenueMoment) -> [VenueReply] {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        var names: [String] = []
        if parts[0] == "/stream" {
            isCombined = true
            let query = parts.count > 1 ? parts[1].split(separator: "&") : []
            let list = query.first { $0.hasPrefix("streams=") }?.dropFirst("streams=".count) ?? ""
            names = list.split(separator: "/").map(String.init)
        } else {
            names = parts[0].dropFirst("/ws/".count).split(separator: "/").map(String.init)
        }
        streams = Array(names.prefix(Self.streamLimit))
        return streams.map { .subscribe(Self.topic($0)) }
    }

    mutating func received(_ json: VenueJSON?, at moment: VenueMoment) -> [VenueReply] {
        guard let json else { return [.answer(#"{"code":3,"msg":"Invalid JSON: expected value at line 1 column 1"}"#)] }
        let id = json["id"]?.text ?? "null"
        let method = json["method"]?.string ?? ""
        switch method {
        case "SUBSCRIBE", "UNSUBSCRIBE":
            guard let names = json["params"]?.strings else {
                return [.answer(#"{"code":2,"msg":"Invalid request: missing field `params`","id":\#(id)}"#)]
            }
            let done = VenueReply.answer(#"{"result":null,"id":\#(id)}"#)
            return method == "SUBSCRIBE" ? subscribe(names, id, done) : unsubscribe(names, done)
        case "LIST_SUBSCRIPTIONS": return [.answer(#"{"result":\#(VenueJSON.list(streams)),"id":\#(id)}"#)]
        case "SET_PROPERTY", "GET_PROPERTY":
            guard json["params"]?[0]?.string == "combined" else {
                return [.answer(#"{"code":0,"msg":"Unknown property","id":\#(id)}"#)]
            }
            if method == "GET_PROPERTY" { return [.answer(#"{"result":\#(isCombined),"id":\#(id)}"#)] }
            isCombined = json["params"]?[1]?.bool ?? isCombined
            return [.answer(#"{"result":null,"id":\#(id)}"#)]
        default:
            // Without an id: the request was not understood so far.
            let text =
                "Invalid request: unknown variant `\(method)`, expected one of `SUBSCRIBE`, `UNSUBSCRIBE`, "
                + "`LIST_SUBSCRIPTIONS`, `SET_PROPERTY`, `GET_PROPERTY` at line 1 column 28"
            return [.answer(#"{"code":2,"msg":\#(quoted(text))}"#)]
        }
    }

    private mutating func subscribe(_ names: [String], _ id: String, _ done: VenueReply) -> [VenueReply] {
        let new = names.filter { !streams.contains($0) }
        guard streams.count + new.count <= Self.streamLimit else {
            return [.answer(#"{"code":2,"msg":"Invalid request: too many subscriptions","id":\#(id)}"#)]
        }
        streams += new
        return [done] + new.map { .subscribe(Self.topic($0)) }
    }

    private mutating func unsubscribe(_ names: [String], _ done: VenueReply) -> [VenueReply] {
        streams.removeAll { names.contains($0) }
        return names.map { .unsubscribe(Self.topic($0)) } + [done]
    }

    mutating func farewell(at moment: VenueMoment) -> [VenueReply] {
        let event = #"{"e":"serverShutdown","E":\#(moment.time / 1_000_000)}"#
        return [.send(isCombined ? #"{"stream":"!serverShutdown","data":\#(event)}"# : event)]
    }
}

/// Binance spot and Binance.US: `feeds/binance.md`. Oldest first, arrays of texts, a row for quiet intervals, and the running
/// candle at the end; 500 rows unless more are requested, 1,000 at most. An unknown symbol is code -1121.
enum BinanceREST: VenueREST {
    // A page weighs 2 of the 6,000 a minute.
    static let pace = (perSecond: 50.0, burst: 100.0)

    static func answer(_ request: VenueRequest, _ book: VenueBook) -> VenueResponse? {
        switch request.path {
        case "/api/v3/klines": return klines(request, book)
        case "/api/v3/exchangeInfo": return information(book)
        case "/api/v3/depth": return depth(request, book)
        default: return nil
        }
    }

    static var refusal: VenueResponse {
        tooMany(#"{"code":-1003,"msg":"Too many requests; please use the websocket for live updates."}"#)
    }

    private static func klines(_ request: VenueRequest, _ book: VenueBook) -> VenueResponse {
        let query = request.query
        guard let symbol = query["symbol"], book.symbols.contains(symbol) else {
            return error(-1121, "Invalid symbol.")
        }
        guard let timeframe = query["interval"].flatMap(Timeframe.init(rawValue:)), timeframe != .s5, timeframe != .s15
        else { return error(-1120, "Invalid interval.") }
        let limit = query["limit"].flatMap { Int($0) } ?? 500
        guard (1...1000).contains(limit) else { return error(-1130, "Data sent for parameter 'limit' is not valid.") }
        let rows = request.rows(book.filled(symbol, timeframe), from: "startTime", to: "endTime", unit: 1000)
        // Without a start the newest are sent.
        let shown = query["startTime"].flatMap(Double.init) == nil ? rows.suffix(limit) : rows.prefix(limit)
        return VenueResponse(body: list(shown.map { kline($0, timeframe) }))
    }

    private static func kline(_ row: VenueBook.Row, _ timeframe: Timeframe) -> String {
        let candle = row.candle
        let end = timeframe.bucketEnd(ofBucketAt: candle.timestamp) * 1000 - 1
        let texts = [candle.open, candle.high, candle.low, candle.close, candle.volume].map(quoted)
        return "[\(number(candle.timestamp * 1000)),\(texts.joined(separator: ",")),"
            + "\(number(end)),\"0\",\(row.trades),\"0\",\"0\",\"0\"]"
    }

    /// The whole book as far as the changes of the recording show it that were played in this round.
    private static func depth(_ request: VenueRequest, _ book: VenueBook) -> VenueResponse {
        guard let symbol = request.query["symbol"], book.symbols.contains(symbol) else {
            return error(-1121, "Invalid symbol.")
        }
        let limit = request.limit(100, max: 5000)
        var levels = OrderBook()
        var last = "0"
        for message in book.market.session.messages.prefix(book.rounds.last?.position ?? 0) {
            guard peek(message, "data", "e") ?? peek(message, "e") == "depthUpdate", let whole = VenueJSON(message)
            else { continue }
            let change = whole["data"] ?? whole
            guard change["s"]?.string == symbol else { continue }
            last = change["u"]?.digits ?? last
            for (side, name) in [(BookSide.bid, "b"), (.ask, "a")] {
                for row in change[name]?.array ?? [] {
                    guard let price = row[0]?.string.flatMap({ BookDecimal($0) }),
                        let size = row[1]?.string.flatMap({ BookDecimal($0) })
                    else { continue }
                    levels.set(side, price: price, size: size)
                }
            }
        }
        func rows(_ side: BookSide) -> String {
            list(
                (0..<limit).lazy.map { levels.level(side, $0) }.prefix { $0 != nil }.map {
                    "[\(quoted($0!.price.description)),\(quoted($0!.size.description))]"
                })
        }
        return VenueResponse(body: #"{"lastUpdateId":\#(last),"bids":\#(rows(.bid)),"asks":\#(rows(.ask))}"#)
    }

    private static func information(_ book: VenueBook) -> VenueResponse {
        let texts = book.symbols.map { symbol in
            let (base, quote) = currencies(symbol)
            return #"{"symbol":\#(quoted(symbol)),"status":"TRADING","baseAsset":\#(quoted(base)),"#
                + #""quoteAsset":\#(quoted(quote)),"#
                + #""filters":[{"filterType":"PRICE_FILTER","tickSize":"\#(book.step(symbol))"}]}"#
        }
        return VenueResponse(body: #"{"timezone":"UTC","symbols":\#(list(texts))}"#)
    }

    private static func error(_ code: Int, _ message: String) -> VenueResponse {
        VenueResponse(status: 400, body: #"{"code":\#(code),"msg":\#(quoted(message))}"#)
    }
}
