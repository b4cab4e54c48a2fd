import StreamCore

extension Venue { public static let coinbaseAdvanced = Venue("coinbase-advanced") }

extension VenueDeclaration {
    static let coinbaseAdvanced = VenueDeclaration(
        venue: .coinbaseAdvanced, numbering: .consecutive,
        isEvidence: { $0["channel"] != nil && $0.has("events", .array) },
        reader: CoinbaseAdvancedParser.self,
        feeds: [CoinbaseAdvancedAdapter()], history: CoinbaseAdvancedHistory())
}

/// Coinbase Advanced Trade: `market_trades`, and `heartbeats`, without which the venue closes a quiet connection.
/// Source: Coinbase Developer docs, Advanced Trade WebSocket, and a recorded session.
struct CoinbaseAdvancedAdapter: FeedAdapter {
    let venue = Venue.coinbaseAdvanced
    let title = "Coinbase Advanced Trade"
    let endpoint = "wss://advanced-trade-ws.coinbase.com"
    let exampleSymbol = "BTC-USD"
    let capabilities = FeedCapabilities(gaps: .numbers)
    let limits = FeedLimits(symbolsPerConnection: 100, symbolsPerRequest: 50, messagesPerSecond: 4, messageBurst: 8)
    /// A heartbeat a second.
    let liveness = FeedLiveness.traffic(every: 5)
    let greeting = ["{\"type\":\"subscribe\",\"channel\":\"heartbeats\"}"]
    func isSymbol(_ text: String) -> Bool { text.isUpperSymbol(with: "-", separator: "-") }

    func request(_ action: FeedAction, _ symbols: [String], number: Int) -> String? {
        "{\"type\":\"\(action.rawValue)\",\"product_ids\":[\(FeedAnswerReader.list(symbols))],\"channel\":\"market_trades\"}"
    }

    func answers(to message: Bytes, _ kind: VenueMessageKind) -> [FeedAnswer] {
        guard let answer = FeedAnswerReader.read(message) else { return [] }
        if kind == .refusal { return [.refusal(answer["message"]?.text)] }
        let products = answer["events"]?.elements?.flatMap { $0["subscriptions"]?["market_trades"]?.texts ?? [] } ?? []
        return products.isEmpty ? [] : [.subscribed(products)]
    }
}
