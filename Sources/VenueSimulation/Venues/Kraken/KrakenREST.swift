import MarketModel

/// Kraken, whose stream has two versions and REST one: `feeds/kraken.md`. The newest 720 and the running one, whatever is
/// requested, a row for each interval; `last` is the newest finished one. Errors have HTTP status 200.
enum KrakenREST: VenueREST {
    static let pace = (perSecond: 1.0, burst: 15.0)

    private static let intervals: [String: Timeframe] = [
        "1": .m1, "5": .m5, "15": .m15, "30": .m30, "60": .h1, "240": .h4, "1440": .d1,
    ]
    private static let names = ["BTC": "XBT", "DOGE": "XDG"]

    static func answer(_ request: VenueRequest, _ book: VenueBook) -> VenueResponse? {
        switch request.path {
        case "/0/public/OHLC": return candles(request.query, book)
        case "/0/public/AssetPairs": return pairs(book)
        default: return nil
        }
    }

    static let refusal = VenueResponse(body: #"{"error":["EAPI:Rate limit exceeded"]}"#)

    private static func candles(_ query: [String: String], _ book: VenueBook) -> VenueResponse {
        guard let symbol = book.symbols.first(where: { pair($0) == query["pair"] || $0 == query["pair"] }) else {
            return VenueResponse(body: #"{"error":["EQuery:Unknown asset pair"]}"#)
        }
        guard let timeframe = intervals[query["interval"] ?? "1"] else {
            return VenueResponse(body: #"{"error":["EGeneral:Invalid arguments"]}"#)
        }
        let since = query["since"].flatMap(Double.init) ?? 0
        let rows = book.filled(symbol, timeframe, newest: 720).suffix(721).filter { $0.candle.timestamp > since }
        let running = timeframe.bucketStart(of: book.clock)
        let texts = rows.map { row in
            let candle = row.candle
            let prices = [candle.open, candle.high, candle.low, candle.close].map(quoted)
            return "[\(number(candle.timestamp)),\(prices.joined(separator: ",")),\"0.0\","
                + "\(quoted(candle.volume)),\(row.trades)]"
        }
        let last = number(running - timeframe.seconds)
        return VenueResponse(body: #"{"error":[],"result":{\#(quoted(pair(symbol))):\#(list(texts)),"last":\#(last)}}"#)
    }

    private static func pairs(_ book: VenueBook) -> VenueResponse {
        let texts = book.symbols.map { symbol in
            let parts = parts(symbol)
            return #"\#(quoted(pair(symbol))):{"altname":\#(quoted(pair(symbol))),"#
                + #""wsname":\#(quoted(parts.joined(separator: "/"))),"#
                + #""pair_decimals":\#(book.decimals(symbol)),"status":"online"}"#
        }
        return VenueResponse(body: #"{"error":[],"result":{\#(texts.joined(separator: ","))}}"#)
    }

    private static func parts(_ symbol: String) -> [String] {
        symbol.split(separator: "/").map { names["\($0)"] ?? "\($0)" }
    }

    private static func pair(_ symbol: String) -> String { parts(symbol).joined() }
}

/// What Kraken's candles and tickers begin with, made of the trades that were played; in the recording's times.
struct KrakenSnapshot {
    let symbol: String
    /// Ascending.
    let trades: [RecordedTrade]

    private static let rows = 720
    private static let day: Int64 = 86_400_000_000_000

    /// Minutes, ascending, none for those without trades; the last one runs.
    func candles(_ book: VenueBook) -> [String] {
        book.candles(symbol, .m1).suffix(Self.rows).map { row -> String in
            let start = Int64(row.candle.timestamp) * 1_000_000_000
            let text = number
            let candle = row.candle
            let members: [String] = [
                #""symbol":\#(quoted(symbol))"#, #""open":\#(text(candle.open))"#,
                #""high":\#(text(candle.high))"#, #""low":\#(text(candle.low))"#, #""close":\#(text(candle.close))"#,
                #""trades":\#(row.trades)"#, #""volume":\#(text(candle.volume))"#, #""vwap":0.0"#,
                #""interval_begin":"\#(VenueTime.rfc3339(start, digits: 9))""#, #""interval":1"#,
                #""timestamp":"\#(VenueTime.rfc3339(start + 60_000_000_000))""#,
            ]
            return "{" + members.joined(separator: ",") + "}"
        }
    }

    /// The last 24 hours. A recording of trades has no book: the last sale and the last purchase stands for it.
    var ticker: String? {
        guard let last = trades.last, let price = Double(last.price) else { return nil }
        let day = trades.filter { $0.time > last.time - Self.day }
        let prices = day.compactMap { Double($0.price) }
        let sold = day.last { !$0.isBuy }.flatMap { Double($0.price) } ?? price
        let bought = day.last { $0.isBuy }.flatMap { Double($0.price) } ?? price
        guard let first = prices.first, let low = prices.min(), let high = prices.max() else { return nil }
        let text = number
        let volume = day.compactMap { Double($0.size) }.reduce(0, +)
        let members: [String] = [
            #""symbol":\#(quoted(symbol))"#, #""bid":\#(text(min(sold, bought)))"#, #""bid_qty":1.0"#,
            #""ask":\#(text(max(sold, bought)))"#, #""ask_qty":1.0"#, #""last":\#(last.price)"#,
            #""volume":\#(text(volume))"#, #""vwap":0.0"#, #""low":\#(text(low))"#, #""high":\#(text(high))"#,
            #""change":\#(text(price - first))"#, #""change_pct":\#(text((price - first) / first * 100))"#,
            #""timestamp":"\#(VenueTime.rfc3339(last.time))""#,
        ]
        return "{" + members.joined(separator: ",") + "}"
    }
}
