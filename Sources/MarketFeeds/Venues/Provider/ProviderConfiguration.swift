public import MarketModel

/// A provider of JSON messages, as a small file describes it: where it is, what is requested, and how its messages are built.
///
/// `{"url": "wss://stream.example.com/v1"}` is a whole file: everything else then is as the integration guide has it.
/// Docs/providers.md has each key. Secrets are not in it: `token_env` names a variable of the environment.
///
/// ```swift
/// let provider = try ProviderConfiguration(file: "acme.json")
/// var session = FeedSession(try ProviderAdapter(provider), symbols: provider.symbols, seed: 1)
/// ```
public struct ProviderConfiguration: Sendable, Equatable {
    struct Header: Sendable, Equatable {
        var name: String
        var value: ProviderTemplate
    }

    struct Heartbeat: Sendable, Equatable {
        var text: ProviderTemplate
        var every: Double
    }

    /// What `--feed` and the names of its markets begin with.
    public var name = "provider"
    /// As people call it.
    public var title: String
    /// Followed where no symbol is named.
    public var symbols: [String] = []
    /// What prices are in where a symbol does not say it.
    public var quoteCurrency = "USD"
    /// The length of the candles that are requested.
    public var timeframe: Timeframe { shape.timeframe }
    /// The variable of the environment that holds the token; `nil`: none is needed.
    public var tokenVariable: String?

    var url: ProviderTemplate
    /// Where REST requests go; `nil`: at the stream's host.
    var rest: String?
    var headers: [Header] = []
    var symbolsPerConnection = 100
    var requestsPerSecond = 5.0
    var login: ProviderTemplate?
    var subscribe: ProviderTemplate
    var unsubscribe: ProviderTemplate?
    var heartbeat: Heartbeat?
    /// The provider says something at least this often, seconds, or answers pings.
    var silence = 30.0
    var shape = ProviderShape()
    var history: ProviderHistoryShape? = ProviderHistoryShape()

    /// As the integration guide has it.
    /// - Throws: where the address has a place that is none.
    init(url: String) throws(ProviderTemplateError) {
        self.url = try ProviderTemplate(url)
        title = name
        subscribe = try ProviderTemplate(Self.usualSubscribe)
        unsubscribe = try ProviderTemplate(Self.usualUnsubscribe)
    }

    /// Reads a file.
    /// - Throws: `FeedError` of kind `input`, one sentence.
    public init(file path: String) throws(FeedError) {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let bytes = try SmallFile.bytes(
            of: path, called: "The configuration", limit: ProviderConfigurationReader.maxBytes)
        self = try ProviderConfigurationReader(name: name).read(bytes)
    }

    static let usualSubscribe = #"{"action":"subscribe","symbol":"{symbol}","timeframe":"{timeframe}"}"#
    /// With the timeframe: of two subscriptions of a symbol only one is to end.
    static let usualUnsubscribe = #"{"action":"unsubscribe","symbol":"{symbol}","timeframe":"{timeframe}"}"#
}

/// How a provider's candles are requested over REST, and how its answers are built.
struct ProviderHistoryShape: Sendable, Equatable {
    var path: ProviderTemplate
    /// Candles of one answer.
    var limit = 1000
    var requestsPerSecond = 1.0
    var unit = ProviderTimeUnit.seconds
    /// `rows` is where the list is; `nil`: the answer is the list.
    var rule: ProviderRule

    static let usualPath = "/v1/candles?symbol={symbol}&timeframe={timeframe}&limit={limit}"

    init() {
        var rule = ProviderRule.usual(.candle)
        for field in [ProviderField.symbol, .timeframe, .final] { rule.fields[field] = nil }
        self.rule = rule
        // A constant whose places exist.
        path = try! ProviderTemplate(Self.usualPath)
    }
}
