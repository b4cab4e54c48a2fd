import StreamCore

extension Venue { public static let okx = Venue("okx") }

extension VenueDeclaration {
    static let okx = VenueDeclaration(
        venue: .okx, numbering: .unique,
        isEvidence: { message in
            // Bitget has the same members, and `action` beside its data.
            if message.has("arg", .object), message.has("data", .array) { return message.count == 2 }
            return message["event"] != nil && message["connId"] != nil
        },
        reader: OKXParser.self,
        feeds: [OKXAdapter.trades, OKXAdapter.everyTrade], history: OKXHistory())
}

/// OKX, version 5. `okx` is at the public address: `trades`, in which the fills of one order at one price are one
/// trade, and `tickers` for the best prices and the day's figures. `okx-all` is at the business address: `trades-all`,
/// one by one, and `candle1m`, whose closed candles stand where ours have a gap. Source: okx.com/docs-v5, "WebSocket":
/// connect (480 requests an hour and connection; a connection without a subscription or without data for 30 seconds is
/// closed with 4004, which the text `ping` prevents; it is answered by the text `pong`), "Notification" (a `notice`
/// 64008 before a connection is closed for an upgrade), "Public Data", error codes.
struct OKXAdapter: FeedAdapter {
    static let trades = OKXAdapter(
        name: "okx", title: "OKX", endpoint: "wss://ws.okx.com:8443/ws/v5/public", channel: "trades",
        extras: ["tickers"])
    static let everyTrade = OKXAdapter(
        name: "okx-all", title: "OKX, every trade", endpoint: "wss://ws.okx.com:8443/ws/v5/business",
        channel: "trades-all", extras: ["candle1m"])

    let venue = Venue.okx
    let name: String
    let title: String
    let endpoint: String
    /// Whose trades count.
    let channel: String
    let extras: [String]
    let exampleSymbol = "BTC-USDT"
    let capabilities = FeedCapabilities(
        gaps: .outages,
        caveat: "by documentation only, no recording was found; volumes of futures and swaps are contracts")
    let limits = FeedLimits(
        // 480 requests an hour.
        symbolsPerConnection: 100, symbolsPerRequest: 50, messagesPerSecond: 0.12, messageBurst: 40)
    let liveness = FeedLiveness.ping(every: 20, text: "ping")

    func isSymbol(_ text: String) -> Bool { text.isUpperSymbol(with: "-", separator: "-") }

    func request(_ action: FeedAction, _ symbols: [String], number: Int) -> String? {
        Self.request(action, channel, symbols, number)
    }

    func request(_ action: FeedAction, extra: String, _ symbols: [String], number: Int) -> String? {
        Self.request(action, extra, symbols, number)
    }

    private static func request(_ action: FeedAction, _ channel: String, _ symbols: [String], _ number: Int) -> String {
        let arguments = symbols.map { "{\"channel\":\"\(channel)\",\"instId\":\(FeedAnswerReader.quoted($0))}" }
        return "{\"id\":\"\(number)\",\"op\":\"\(action.rawValue)\",\"args\":[\(arguments.joined(separator: ","))]}"
    }

    func answers(to message: Bytes, _ kind: VenueMessageKind) -> [FeedAnswer] {
        guard let answer = FeedAnswerReader.read(message) else { return [] }
        let (event, text) = (answer["event"]?.text, answer["msg"]?.text)
        switch event {
        case "subscribe", "unsubscribe":
            guard let symbol = answer["arg"]?["instId"]?.text, answer["arg"]?["channel"]?.text == channel else {
                return []
            }
            return [event == "subscribe" ? .subscribed([symbol]) : .ended([symbol])]
        case "error":
            let code = answer["code"]?.text.flatMap { Int($0) }
            let number = answer["id"]?.text.flatMap { Int($0) }
            return [.refusal(text, code: code, request: number, symbols: Self.symbols(named: text ?? "", channel))]
        case "notice": return [.goingAway(FeedAnswerReader.reason([text]))]
        default: return []
        }
    }

    /// The instrument that an error names: `Wrong URL or channel:trades,instId:NO-NE doesn't exist.`
    private static func symbols(named text: String, _ channel: String) -> [String] {
        guard let mark = text.firstRange(of: "channel:\(channel),instId:") else { return [] }
        let symbol = text[mark.upperBound...].prefix { $0.isUpperSymbol || $0 == "-" }
        return symbol.isEmpty ? [] : [String(symbol)]
    }
}
