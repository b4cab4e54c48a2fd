import StreamCore

extension Venue { public static let coinbase = Venue("coinbase") }

extension VenueDeclaration {
    static let coinbase = VenueDeclaration(
        venue: .coinbase, numbering: .consecutive,
        isEvidence: { message in
            guard let type = message["type"], types.contains(type), !message.has("feed") else { return false }
            return message.has("product_id") || message.has("channels")
        },
        reader: CoinbaseParser.self,
        feeds: [CoinbaseAdapter()], history: CoinbaseHistory())

    private static let types: Set<String> = [
        "subscriptions", "snapshot", "l2update", "ticker", "match", "last_match", "heartbeat", "status", "received",
        "open", "done", "change", "activate",
    ]
}

/// Coinbase Exchange: `matches` for the trades, `heartbeat` for the liveness and dropped trades, `ticker` for the best
/// prices and the day's figures. Source: Coinbase Developer docs, Exchange, WebSocket feed.
struct CoinbaseAdapter: FeedAdapter {
    let venue = Venue.coinbase
    let title = "Coinbase Exchange"
    let endpoint = "wss://ws-feed.exchange.coinbase.com"
    let exampleSymbol = "BTC-USD"
    let capabilities = FeedCapabilities(gaps: .numbers)
    let limits = FeedLimits(symbolsPerConnection: 100, symbolsPerRequest: 50, messagesPerSecond: 4, messageBurst: 8)
    /// A heartbeat a second and product.
    let liveness = FeedLiveness.traffic(every: 5)

    func isSymbol(_ text: String) -> Bool { text.isUpperSymbol(with: "-", separator: "-") }

    func request(_ action: FeedAction, _ symbols: [String], number: Int) -> String? {
        "{\"type\":\"\(action.rawValue)\",\"product_ids\":[\(FeedAnswerReader.list(symbols))],"
            + "\"channels\":[\"matches\",\"heartbeat\",\"ticker\"]}"
    }

    func answers(to message: Bytes, _ kind: VenueMessageKind) -> [FeedAnswer] {
        guard let answer = FeedAnswerReader.read(message) else { return [] }
        switch answer["type"]?.text {
        case "subscriptions":
            // Everything that is subscribed by now, and not only what was requested last.
            let matches = answer["channels"]?.elements?.first { $0["name"]?.text == "matches" }
            let products = matches?["product_ids"]?.texts ?? []
            return products.isEmpty ? [] : [.subscribed(products)]
        case "error": return [.refusal(answer["message"]?.text, answer["reason"]?.text)]
        default: return []
        }
    }
}
