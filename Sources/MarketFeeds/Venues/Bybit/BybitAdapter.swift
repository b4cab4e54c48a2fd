import StreamCore

extension Venue { public static let bybit = Venue("bybit") }

extension VenueDeclaration {
    static let bybit = VenueDeclaration(
        venue: .bybit, numbering: .unique,
        isEvidence: { message in
            // Versions before 5 have other topics, no `ts`, and their answers repeat the request.
            if let topic = message["topic"] {
                return message.has("data", "ts") && topics.contains { topic.hasPrefix($0) }
            }
            return message.has("success", "conn_id", "op")
        },
        reader: BybitParser.self,
        feeds: [BybitAdapter()], history: BybitHistory())

    private static let topics = ["publicTrade.", "orderbook.", "tickers.", "kline.", "liquidation.", "allLiquidation."]
}

/// Bybit, version 5, spot: topics by name. Acknowledgements name none of them; a request's `req_id` comes back. Source:
/// bybit-exchange.github.io, v5 WebSocket: connect (a ping every 20 seconds, spot: at most 10 topics a request), and
/// recorded sessions, whose requests had no `req_id` and got byte-identical answers.
struct BybitAdapter: FeedAdapter {
    let venue = Venue.bybit
    let title = "Bybit"
    let endpoint = "wss://stream.bybit.com/v5/public/spot"
    let exampleSymbol = "BTCUSDT"
    let capabilities = FeedCapabilities(
        gaps: .outages, caveat: "No recorded session has its trades: they are read by the documentation.")
    let limits = FeedLimits(symbolsPerConnection: 100, symbolsPerRequest: 10, messagesPerSecond: 5, messageBurst: 10)
    let liveness = FeedLiveness.ping(every: 20, text: "{\"op\":\"ping\"}")
    func isSymbol(_ text: String) -> Bool { text.isUpperSymbol(with: "-") }

    func request(_ action: FeedAction, _ symbols: [String], number: Int) -> String? {
        let topics = FeedAnswerReader.list(symbols.map { "publicTrade." + $0 })
        return "{\"req_id\":\"\(number)\",\"op\":\"\(action.rawValue)\",\"args\":[\(topics)]}"
    }

    func answers(to message: Bytes, _ kind: VenueMessageKind) -> [FeedAnswer] {
        guard let answer = FeedAnswerReader.read(message), let success = answer["success"]?.bool else { return [] }
        let number = answer["req_id"]?.text.flatMap { Int($0) }
        guard success else { return [.refusal(answer["ret_msg"]?.text, request: number)] }
        guard answer["op"]?.text != "ping" else { return [] }
        return [number.map { .granted(request: $0) } ?? .grantedOldest]
    }
}
