import StreamCore

extension Venue { public static let intrinio = Venue("intrinio") }

extension VenueDeclaration {
    static let intrinio = VenueDeclaration(
        venue: .intrinio, numbering: .none,
        isEvidence: { $0["event"] != nil && $0.has("topic", "payload") },
        reader: IntrinioParser.self,
        feeds: [IntrinioAdapter()], history: IntrinioHistory(venue: .intrinio))
}

/// Intrinio's legacy stream: Phoenix channels, one a security. Source: readmes of intrinio/intrinio-realtime-web-sdk
/// and -node-sdk, phoenixframework/phoenix (`vsn=1.0.0` makes each frame an object). The SDKs send no `ref`; with one,
/// an answer says which request it is for.
struct IntrinioAdapter: IntrinioFeed {
    let venue = Venue.intrinio
    let title = "Intrinio"
    let endpoint = "wss://realtime.intrinio.com/socket/websocket"
    let capabilities = FeedCapabilities(
        gaps: .outages, detectsDuplicates: false, reportsSides: false, needsKey: true,
        caveat: "by documentation only, no recording was found; whether this protocol is still served is not known")
    /// The venue expects a heartbeat every 20 seconds.
    let liveness = FeedLiveness.ping(
        every: 15, text: #"{"topic":"phoenix","event":"heartbeat","payload":{},"ref":"heartbeat"}"#)
    private static let prefix = "iex:securities:"

    func request(_ action: FeedAction, _ symbols: [String], number: Int) -> String? {
        let topic = FeedAnswerReader.quoted(Self.prefix + (symbols.first ?? ""))
        let event = action == .subscribe ? "phx_join" : "phx_leave"
        return "{\"topic\":\(topic),\"event\":\"\(event)\",\"payload\":{},\"ref\":\"\(number)\"}"
    }

    func answers(to message: Bytes, _ kind: VenueMessageKind) -> [FeedAnswer] {
        guard let answer = FeedAnswerReader.read(message), let topic = answer["topic"]?.text,
            topic.hasPrefix(Self.prefix)
        else { return [] }
        let symbol = String(topic.dropFirst(Self.prefix.count))
        let number = answer["ref"]?.text.flatMap { Int($0) }
        switch (answer["event"]?.text, answer["payload"]?["status"]?.text) {
        case ("phx_reply", "ok"): return [number.map { .granted(request: $0) } ?? .subscribed([symbol])]
        case ("phx_reply", _):
            // A bare text, or an object with a reason.
            let response = answer["payload"]?["response"]
            let reason = response?.text ?? response?["reason"]?.text
            let text = reason == "L" ? "the stream is not in your package" : reason
            return [.refusal(text, request: number, symbols: number == nil ? [symbol] : [])]
        case ("phx_error", _), ("phx_close", _): return [.dropped([symbol])]
        default: return []
        }
    }
}

/// What both streams of Intrinio have in common.
protocol IntrinioFeed: ReferenceAdapter {}

extension IntrinioFeed {
    var exampleSymbol: String { "AAPL" }
    var limits: FeedLimits {
        FeedLimits(symbolsPerConnection: 500, symbolsPerRequest: 1, messagesPerSecond: 10, messageBurst: 20)
    }
    var needsToken: Bool { true }
    var tokenLifetime: Double? { IntrinioAccess.tokenLifetime }
    var credentialsName: String? { "intrinio" }
    var priceDecimals: Int { 3 }

    /// Tickers such as AAPL, BRK.B and BF-B.
    func isSymbol(_ text: String) -> Bool { text.isUpperSymbol(with: ".-") }

    func tokenRequest(_ credentials: FeedCredentials) -> FeedTokenRequest? { IntrinioAccess.tokenRequest(credentials) }

    func address(_ base: String, token: String) -> String {
        FeedAddress.stream(base, path: "/socket/websocket", query: [("vsn", "1.0.0"), ("token", token)])
    }
}

/// How requests to Intrinio are authorised. Sources: the realtime SDKs' readmes (`/auth`), docs.intrinio.com
/// "Authentication" (REST, version 2). A key goes into the address only where no header is documented for it.
enum IntrinioAccess {
    /// Names the program; the current protocol requires it.
    static let client = FeedHeader("Client-Information", "candlewire")
    /// A token is good for a week; it is replaced an hour before.
    static let tokenLifetime = 7 * 86_400.0 - 3600

    static func tokenRequest(_ credentials: FeedCredentials) -> FeedTokenRequest {
        switch credentials {
        case .apiKey(let key): FeedTokenRequest(target: "/auth?api_key=\(percentEncoded(key))", headers: [client])
        case .publicKey(let key):
            FeedTokenRequest(target: "/auth", headers: [client, FeedHeader("Authorization", "Public \(key)")])
        case .password:
            FeedTokenRequest(target: "/auth", headers: [client, FeedHeader("Authorization", credentials.basic ?? "")])
        }
    }

    static func restHeaders(_ credentials: FeedCredentials) -> [FeedHeader] {
        switch credentials {
        case .apiKey(let key): [FeedHeader("Authorization", "Bearer \(key)")]
        case .publicKey(let key): [FeedHeader("X-Authorization-Public-Key", key)]
        case .password: [FeedHeader("Authorization", credentials.basic ?? "")]
        }
    }
}
