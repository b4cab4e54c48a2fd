import StreamCore

extension Venue { public static let kraken = Venue("kraken") }

extension VenueDeclaration {
    static let kraken = VenueDeclaration(
        venue: .kraken, numbering: .consecutive,
        isEvidence: { message in
            guard let channel = message["channel"] else { return message.has("method", "success", "time_in") }
            return channels.contains(channel) && message["type"] != nil && message.has("data", .array)
                || channel == "heartbeat" && message.count == 1
        },
        reader: KrakenParser.self,
        feeds: [KrakenAdapter()], history: KrakenHistory(venue: .kraken))

    private static let channels: Set<String> = ["status", "trade", "ohlc", "ticker", "book", "level3", "instrument"]
}

/// Kraken's WebSocket interface, version 2: `trade` with a snapshot of the last 50, which closes small holes by itself;
/// beside it `ohlc`, whose candles stand where ours have a gap, and `ticker` for the best prices and the day's figures.
/// Source: docs.kraken.com, WebSocket v2: trade, status, heartbeat; guides: reconnection.
struct KrakenAdapter: FeedAdapter {
    let venue = Venue.kraken
    let title = "Kraken"
    let endpoint = "wss://ws.kraken.com/v2"
    let exampleSymbol = "BTC/USD"
    let capabilities = FeedCapabilities(gaps: .numbers)
    let limits = FeedLimits(symbolsPerConnection: 200, symbolsPerRequest: 50, messagesPerSecond: 2, messageBurst: 5)
    /// A heartbeat a second; the guide says to reconnect after about five without anything.
    let liveness = FeedLiveness.traffic(every: 5)

    func isSymbol(_ text: String) -> Bool { text.isUpperSymbol(with: "/.", separator: "/") }

    func request(_ action: FeedAction, _ symbols: [String], number: Int) -> String? {
        Self.request(action, "trade", symbols, action == .subscribe ? ",\"snapshot\":true" : "", number)
    }

    var extras: [String] { ["ohlc", "ticker"] }

    func request(_ action: FeedAction, extra channel: String, _ symbols: [String], number: Int) -> String? {
        // By itself a ticker comes with trades alone, and its best prices grow old without a word.
        let parameters = channel == "ohlc" ? ",\"interval\":1" : ",\"event_trigger\":\"bbo\""
        return Self.request(action, channel, symbols, parameters, number)
    }

    private static func request(
        _ action: FeedAction, _ channel: String, _ symbols: [String], _ parameters: String, _ number: Int
    ) -> String {
        "{\"method\":\"\(action.rawValue)\",\"params\":{\"channel\":\"\(channel)\","
            + "\"symbol\":[\(FeedAnswerReader.list(symbols))]\(parameters)},\"req_id\":\(number)}"
    }

    func answers(to message: Bytes, _ kind: VenueMessageKind) -> [FeedAnswer] {
        guard let answer = FeedAnswerReader.read(message) else { return [] }
        if answer["channel"]?.text == "status" {
            guard let system = answer["data"]?.elements?.first?["system"]?.text else { return [] }
            // Trades go on in the other two states: only some orders are accepted.
            let isUp = system != "maintenance"
            return [.unavailable(isUp ? nil : "\(title) is in maintenance")]
        }
        if answer["success"]?.bool == true {
            let result = answer["result"]
            guard let symbol = result?["symbol"]?.text, result?["channel"]?.text == "trade" else { return [] }
            return [answer["method"]?.text == "unsubscribe" ? .ended([symbol]) : .subscribed([symbol])]
        }
        guard kind == .refusal else { return [] }
        // One answer a symbol: without its name it is unknown which of a request's symbols it is about.
        let symbols = answer["symbol"]?.text.map { [$0] } ?? []
        let text = answer["error"]?.text ?? answer["Error"]?.text
        return [.refusal(text, request: answer["req_id"]?.integer, symbols: symbols)]
    }
}
