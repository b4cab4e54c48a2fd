import StreamCore

extension Venue { public static let gemini = Venue("gemini") }

extension VenueDeclaration {
    static let gemini = VenueDeclaration(
        venue: .gemini, numbering: .unique,
        isEvidence: { message in
            guard message["symbol"] != nil else { return false }
            return message["type"] == "l2_updates" || message["type"] == "trade" && message.has("event_id")
        },
        reader: GeminiParser.self,
        feeds: [GeminiAdapter()])
}

/// Gemini's market data, version 2: trades come with the `l2` channel. Source: docs.gemini.com, WebSocket market data
/// v2, and a recorded session, whose subscription got no acknowledgement: the first data is one.
struct GeminiAdapter: FeedAdapter {
    let venue = Venue.gemini
    let title = "Gemini"
    let endpoint = "wss://api.gemini.com/v2/marketdata"
    let exampleSymbol = "BTCUSD"
    let noHistoryReason: String? = "Gemini's candles cannot be requested by time."
    let capabilities = FeedCapabilities(gaps: .outages, acknowledges: false)
    let limits = FeedLimits(symbolsPerConnection: 50, symbolsPerRequest: 50, messagesPerSecond: 1, messageBurst: 5)
    /// A heartbeat every 5 seconds.
    let liveness = FeedLiveness.traffic(every: 15)

    func isSymbol(_ text: String) -> Bool { text.isUpperSymbol() }

    func request(_ action: FeedAction, _ symbols: [String], number: Int) -> String? {
        "{\"type\":\"\(action.rawValue)\",\"subscriptions\":"
            + "[{\"name\":\"l2\",\"symbols\":[\(FeedAnswerReader.list(symbols))]}]}"
    }

    func answers(to message: Bytes, _ kind: VenueMessageKind) -> [FeedAnswer] {
        guard let answer = FeedAnswerReader.read(message) else { return [] }
        if kind == .refusal { return [.refusal(answer["reason"]?.text, answer["message"]?.text)] }
        let symbols = answer["subscriptions"]?.elements?.flatMap { $0["symbols"]?.texts ?? [] } ?? []
        return symbols.isEmpty ? [] : [.subscribed(symbols)]
    }
}
