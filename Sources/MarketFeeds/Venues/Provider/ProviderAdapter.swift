import StreamCore

/// A configured provider as a feed: its addresses, requests and answers.
///
/// Holds the token where there is one; nothing of it is in what is shown (`endpoint` has its place only).
public struct ProviderAdapter: FeedAdapter {
    public let configuration: ProviderConfiguration
    private let token: String

    /// - Parameter token: what the variable that the configuration names holds.
    /// - Throws: `FeedError` of kind `usage` where the configuration needs a token and there is none, or one that no address
    ///   and no header could carry.
    public init(_ configuration: ProviderConfiguration, token: String? = nil) throws(FeedError) {
        self.configuration = configuration
        guard let variable = configuration.tokenVariable else {
            self.token = ""
            return
        }
        guard let token, !token.isEmpty else {
            throw FeedError(
                .usage,
                "The provider \(configuration.name) needs a token: set the variable \(variable) of the environment.")
        }
        guard token.utf8.allSatisfy({ $0 > 32 && $0 < 127 }) else {
            throw FeedError(
                .usage, "The variable \(variable) of the environment must hold printable characters of ASCII only.")
        }
        self.token = token
    }

    public var venue: Venue { .provider }
    public var name: String { configuration.name }
    public var title: String { configuration.title }
    /// With its places: to be shown.
    public var endpoint: String { configuration.url.text }
    /// Where its candles are fetched.
    var historyEndpoint: String { configuration.rest ?? FeedAddress.rest(configuration.url.text) }
    public var quoteCurrency: String { configuration.quoteCurrency }
    public var exampleSymbol: String { configuration.symbols.first ?? "BTC-USD" }

    public var capabilities: FeedCapabilities {
        let shape = configuration.shape
        let answers = shape.rule(.accepted) != nil
        return FeedCapabilities(
            gaps: shape.numbering == .consecutive ? .numbers : .outages, detectsDuplicates: shape.numbering != .none,
            acknowledges: answers, reportsSides: shape.rule(.tick)?.fields[.side] != nil,
            needsKey: configuration.tokenVariable != nil, assumesGranted: !answers)
    }

    public var limits: FeedLimits {
        let acceptsSeveral = configuration.subscribe.has(.symbols)
        return FeedLimits(
            symbolsPerConnection: configuration.symbolsPerConnection,
            symbolsPerRequest: acceptsSeveral ? min(100, configuration.symbolsPerConnection) : 1,
            messagesPerSecond: configuration.requestsPerSecond, messageBurst: max(1, configuration.requestsPerSecond))
    }

    public var liveness: FeedLiveness {
        guard let heartbeat = configuration.heartbeat else { return .traffic(every: configuration.silence) }
        return .ping(every: heartbeat.every, text: heartbeat.text.filled(.json) { _ in [] })
    }

    static let symbolRule = "1 to 64 printable characters of ASCII, none of them a quote, backslash, comma or brace"

    static func isSymbol(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0 > 32 && $0 < 127 && !Array("\"\\,{}".utf8).contains($0) }
    }

    public func isSymbol(_ text: String) -> Bool { Self.isSymbol(text) }

    public func flaw(of symbol: String) -> String? {
        Self.isSymbol(symbol) ? nil : "\(title) has no symbol \"\(symbol)\"; a symbol has \(Self.symbolRule)."
    }

    public var greeting: [String] { configuration.login.map { [fill($0, .json)] } ?? [] }

    public func request(_ action: FeedAction, _ symbols: [String], number: Int) -> String? {
        let template = action == .subscribe ? configuration.subscribe : configuration.unsubscribe
        return template.map { fill($0, .json, symbols, number) }
    }

    public func address(_ base: String, token: String) -> String {
        // Another server's address has no places, unless its user wrote some.
        guard let template = try? ProviderTemplate(base) else { return base }
        return fill(template, .url)
    }

    public var headers: [FeedHeader] { configuration.headers.map { FeedHeader($0.name, fill($0.value, .plain)) } }
    public var historyHeaders: [FeedHeader] { headers }

    private func fill(
        _ template: ProviderTemplate, _ form: ProviderTemplate.Form, _ symbols: [String] = [], _ number: Int = 0
    ) -> String {
        template.filled(form) { place in
            switch place {
            case .symbol, .symbols: symbols
            case .timeframe: [configuration.shape.timeframeNames[configuration.timeframe] ?? ""]
            case .token: [token]
            case .id: ["\(number)"]
            case .limit, .from, .to: []
            }
        }
    }

    public func answers(to message: UnsafeRawBufferPointer, _ kind: VenueMessageKind) -> [FeedAnswer] {
        // No other message has an answer in it, and none needs to be read twice.
        switch kind {
        case .acknowledgement, .refusal, .trades, .candles: break
        case .quotes, .book, .heartbeat, .status, .other, .malformed: return []
        }
        var reader = ProviderReader(ProviderMapping(configuration.shape), collectsAnswers: true)
        var batch = VenueBatch()
        guard (try? reader.parse(message, into: &batch)) != nil else { return [] }
        return reader.answers
    }

    public func venueSession(markets: [String]) -> VenueSession { VenueSession(configuration, markets: markets) }
    public var history: (any HistoryAdapter)? { configuration.history.map { ProviderHistory($0, self) } }

    /// Path and query, the places filled.
    func historyRequest(_ history: ProviderHistoryShape, _ values: (ProviderTemplate.Place) -> String) -> String {
        history.path.filled(.url) { $0 == .token ? [token] : [values($0)] }
    }
}
