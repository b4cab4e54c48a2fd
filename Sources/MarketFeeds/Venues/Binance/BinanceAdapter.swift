import StreamCore

extension Venue { public static let binance = Venue("binance") }

extension VenueDeclaration {
    static let binance = VenueDeclaration(
        venue: .binance, numbering: .consecutive,
        isEvidence: { message in
            // `{"stream":"btcusdt@trade","data":{..}}`, `{"e":"trade","s":"BTCUSDT",..}`, or a spot quote without a type.
            if let stream = message["stream"] { return message.has("data") && stream.contains { "@!".contains($0) } }
            if let event = message["e"] { return events.contains(event) && message.has("s") }
            return message.has("u", "s", "b", "B", "a", "A")
        },
        reader: BinanceParser.self,
        feeds: [BinanceAdapter.spot, BinanceAdapter.us, BinanceAdapter.aggregates], history: BinanceHistory.spot)

    private static let events: Set<String> = [
        "trade", "aggTrade", "kline", "depthUpdate", "24hrTicker", "24hrMiniTicker", "bookTicker", "markPriceUpdate",
        "forceOrder", "serverShutdown",
    ]
}

/// Binance spot and Binance.US: one combined connection, streams by name. A symbol has three streams: its trades, one
/// by one or as aggregates, which are the only ones that count; `kline_1m`, whose closed candles stand where ours have
/// a gap; and `ticker`, once a second, for the best prices and the day's figures. Source: binance-spot-api-docs,
/// web-socket-streams.md. A connection lives 24 hours at most, so it is replaced after 23; five messages a second are
/// allowed, pings and pongs included, so no more than four are sent in any second.
struct BinanceAdapter: FeedAdapter {
    static let spot = BinanceAdapter(
        name: "binance", title: "Binance", endpoint: "wss://stream.binance.com:9443/stream", past: .spot)
    /// The fills of one order at one price are one trade, in place of one for each order that was hit: fewer messages.
    static let aggregates = BinanceAdapter(
        name: "binance-aggregates", title: "Binance, aggregate trades",
        endpoint: "wss://stream.binance.com:9443/stream", past: .spot, tradeStream: "aggTrade",
        noSimulationReason:
            "Binance's simulation plays it, of a recording that has aggTrade: candlewire simulate binance.")
    static let us = BinanceAdapter(
        name: "binance-us", title: "Binance.US", endpoint: "wss://stream.binance.us:9443/stream", past: .us)

    let venue = Venue.binance
    let name: String
    let title: String
    let endpoint: String
    let past: BinanceHistory
    var history: (any HistoryAdapter)? { past }
    var tradeStream = "trade"
    var noSimulationReason: String?
    let exampleSymbol = "BTCUSDT"
    let capabilities = FeedCapabilities(gaps: .numbers)
    let limits = FeedLimits(
        // 1,024 streams.
        symbolsPerConnection: 340, symbolsPerRequest: 50, messagesPerSecond: 2, messageBurst: 2, rotation: 23 * 3600)
    /// The venue pings every 20 seconds.
    let liveness = FeedLiveness.traffic(every: 30)

    func isSymbol(_ text: String) -> Bool {
        // Some names are not ASCII.
        text.isSymbol { $0.isLetter || $0.isNumber || $0 == "_" } && text == text.uppercased()
    }

    func request(_ action: FeedAction, _ symbols: [String], number: Int) -> String? {
        let streams = FeedAnswerReader.list(
            symbols.flatMap { symbol in [tradeStream, "kline_1m", "ticker"].map { "\(symbol.lowercased())@\($0)" } })
        return "{\"method\":\"\(action.rawValue.uppercased())\",\"params\":[\(streams)],\"id\":\(number)}"
    }

    func answers(to message: Bytes, _ kind: VenueMessageKind) -> [FeedAnswer] {
        guard let answer = FeedAnswerReader.read(message) else { return [] }
        if answer["e"]?.text == "serverShutdown" || answer["stream"]?.text == "!serverShutdown" {
            return [.goingAway("the venue shuts this connection down")]
        }
        let id = answer["id"]?.integer
        if kind == .refusal {
            let error = answer["error"]
            let code = answer["code"]?.integer ?? error?["code"]?.integer
            return [.refusal(answer["msg"]?.text ?? error?["msg"]?.text, code: code, request: id)]
        }
        return id.map { [.granted(request: $0)] } ?? []
    }
}
