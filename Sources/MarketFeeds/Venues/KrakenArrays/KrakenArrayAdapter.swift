import StreamCore

extension Venue { public static let krakenArrays = Venue("kraken-v1") }

extension VenueDeclaration {
    static let krakenArrays = VenueDeclaration(
        venue: .krakenArrays, numbering: .none,
        isEvidence: { message in
            // An array ends with the names of the channel and the pair.
            if let first = message.elements.first {
                return first == .number && (4...5).contains(message.count)
                    && message.elements.suffix(2) == [.string, .string]
            }
            switch message["event"] {
            case "systemStatus", "subscriptionStatus": return true
            case "heartbeat": return message.count == 1
            default: return false
            }
        },
        reader: KrakenArrayParser.self,
        feeds: [KrakenArrayAdapter()], history: KrakenHistory(venue: .krakenArrays))
}

/// Kraken's WebSocket interface, version 1. Source: a recorded session, and the documentation.
struct KrakenArrayAdapter: FeedAdapter {
    let venue = Venue.krakenArrays
    let title = "Kraken, version 1"
    let endpoint = "wss://ws.kraken.com"
    let exampleSymbol = "XBT/USD"
    let capabilities = FeedCapabilities(
        gaps: .outages, detectsDuplicates: false, caveat: "Trades have no numbers; version 2 (kraken) has.")
    let limits = FeedLimits(symbolsPerConnection: 200, symbolsPerRequest: 50, messagesPerSecond: 2, messageBurst: 5)
    let liveness = FeedLiveness.traffic(every: 5)

    func isSymbol(_ text: String) -> Bool { text.isUpperSymbol(with: "/.", separator: "/") }

    func request(_ action: FeedAction, _ symbols: [String], number: Int) -> String? {
        "{\"event\":\"\(action.rawValue)\",\"reqid\":\(number),\"pair\":[\(FeedAnswerReader.list(symbols))],"
            + "\"subscription\":{\"name\":\"trade\"}}"
    }

    func answers(to message: Bytes, _ kind: VenueMessageKind) -> [FeedAnswer] {
        guard let answer = FeedAnswerReader.read(message) else { return [] }
        // The book's answers say nothing of the trades.
        let name = answer["subscription"]?["name"]?.text ?? "trade"
        let symbols = name == "trade" ? answer["pair"]?.text.map { [$0] } ?? [] : []
        switch (answer["event"]?.text, answer["status"]?.text) {
        case ("systemStatus", let status?):
            return [.unavailable(status == "maintenance" ? "Kraken is in maintenance" : nil)]
        case ("subscriptionStatus", "subscribed"): return symbols.isEmpty ? [] : [.subscribed(symbols)]
        case ("subscriptionStatus", "unsubscribed"): return symbols.isEmpty ? [] : [.ended(symbols)]
        case ("subscriptionStatus", "error"), ("error", _):
            return [.refusal(answer["errorMessage"]?.text, request: answer["reqid"]?.integer, symbols: symbols)]
        default: return []
        }
    }
}
