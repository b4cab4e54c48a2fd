import StreamCore

extension Venue { public static let bitfinex = Venue("bitfinex") }

extension VenueDeclaration {
    static let bitfinex = VenueDeclaration(
        venue: .bitfinex, numbering: .unique,
        isEvidence: { message in
            // Kraken Futures has an `info` with a version, too. Data is not evidence: arrays of a number and anything.
            switch message["event"] {
            case "info": return message.has("version", "serverId")
            case "subscribed": return message.has("channel", "chanId")
            default: return false
            }
        },
        reader: BitfinexParser.self,
        feeds: [BitfinexAdapter()], history: BitfinexHistory(),
        pair: { symbol in
            // `tBTCUSD`, `tTESTBTC:TESTUSD`
            symbol.first == "t" && symbol.dropFirst().first?.isUppercase == true ? symbol.dropFirst() : nil
        })
}

/// Bitfinex, version 2: a channel a market, with a number that is valid on its connection only. Source:
/// docs.bitfinex.com, WebSocket general and public channels: at most 25 channels a connection; `info` codes 20051
/// (restarts), 20060 and 20061 (maintenance begins and ends).
struct BitfinexAdapter: FeedAdapter {
    let venue = Venue.bitfinex
    let title = "Bitfinex"
    let endpoint = "wss://api-pub.bitfinex.com/ws/2"
    let exampleSymbol = "tBTCUSD"
    let capabilities = FeedCapabilities(gaps: .outages)
    let limits = FeedLimits(symbolsPerConnection: 25, symbolsPerRequest: 1, messagesPerSecond: 5, messageBurst: 10)
    /// A heartbeat every 15 seconds and channel.
    let liveness = FeedLiveness.traffic(every: 20)

    func isSymbol(_ text: String) -> Bool {
        text.hasPrefix("t") && (7...40).contains(text.count) && String(text.dropFirst()).isUpperSymbol(with: ":")
    }

    /// To unsubscribe the channel's number would be needed, which only the reader of the data knows.
    func request(_ action: FeedAction, _ symbols: [String], number: Int) -> String? {
        guard action == .subscribe else { return nil }
        let symbol = FeedAnswerReader.quoted(symbols.first ?? "")
        return "{\"event\":\"subscribe\",\"channel\":\"trades\",\"symbol\":\(symbol)}"
    }

    func answers(to message: Bytes, _ kind: VenueMessageKind) -> [FeedAnswer] {
        guard let answer = FeedAnswerReader.read(message) else { return [] }
        let code = answer["code"]?.integer
        let symbols = answer["symbol"]?.text.map { [$0] } ?? []
        switch answer["event"]?.text {
        case "subscribed": return answer["channel"]?.text == "trades" && !symbols.isEmpty ? [.subscribed(symbols)] : []
        case "error":
            // A refused book costs no trades.
            if let channel = answer["channel"]?.text, channel != "trades" { return [] }
            // Already subscribed: an unsubscription never went out, and its trades come.
            if code == 10301, !symbols.isEmpty { return [.subscribed(symbols)] }
            return [.refusal(answer["msg"]?.text, code: code, symbols: symbols)]
        case "info":
            switch code {
            case 20051: return [.goingAway("the venue restarts its server")]
            case 20060: return [.unavailable("Bitfinex is in maintenance")]
            case 20061: return [.unavailable(nil), .goingAway("the maintenance is over")]
            default:
                let isDown = answer["platform"]?["status"]?.integer == 0
                return [.unavailable(isDown ? "Bitfinex is in maintenance" : nil)]
            }
        default: return []
        }
    }
}
