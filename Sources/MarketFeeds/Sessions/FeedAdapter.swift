/// What differs between one venue's live feed and another's: addresses, requests, answers, limits. A value without state;
/// `FeedSession` keeps the connection, `VenueSession` reads the data.
///
/// A new venue is a folder with a parser, one of these, a `VenueDeclaration`, and a line in `VenueCatalogue`.
public protocol FeedAdapter: Sendable {
    /// Who reads its messages.
    var venue: Venue { get }
    /// `--feed` calls it so.
    var name: String { get }
    /// As people call it.
    var title: String { get }
    /// Where it is reached; `--url` replaces it.
    var endpoint: String { get }
    /// A symbol as the venue writes it, for help texts and errors.
    var exampleSymbol: String { get }
    var capabilities: FeedCapabilities { get }
    var limits: FeedLimits { get }
    var liveness: FeedLiveness { get }

    /// Whether the venue may write a symbol so.
    func isSymbol(_ text: String) -> Bool
    /// What is wrong with this symbol; `nil`: nothing that can be seen from here.
    func flaw(of symbol: String) -> String?
    /// Sent first on each connection.
    var greeting: [String] { get }
    /// Requests the trades of these symbols, at most `limits.symbolsPerRequest`, or ends them.
    /// - Parameter number: of this request on its connection, from 1 on; sent along where the venue returns it.
    /// - Returns: `nil` where the venue has no such request: the trades are dropped as they come.
    func request(_ action: FeedAction, _ symbols: [String], number: Int) -> String?
    /// Channels that are requested besides the trades, by requests of their own, once the trades are granted. What comes of
    /// them is not waited for, and one that is refused costs only itself.
    var extras: [String] { get }
    /// Requests such a channel, or ends it.
    func request(_ action: FeedAction, extra channel: String, _ symbols: [String], number: Int) -> String?
    /// The same as it is sent; of its own where a venue accepts bytes.
    func frame(_ action: FeedAction, _ symbols: [String], number: Int) -> FeedFrame?
    /// Sent with the handshake.
    var headers: [FeedHeader] { get }
    /// Whether there must be a token before a connection can be made, and the address with it.
    var needsToken: Bool { get }
    func address(_ base: String, token: String) -> String
    /// Seconds after which a new token is fetched, the connection staying open; `nil`: it is good until it is refused.
    var tokenLifetime: Double? { get }
    /// How a token is requested; `nil` where these credentials are none that the venue accepts.
    func tokenRequest(_ credentials: FeedCredentials) -> FeedTokenRequest?
    /// The name of the credentials in files and, in capitals, in the environment; `nil` where none are needed.
    var credentialsName: String? { get }
    /// What an acknowledgement, a refusal or a status message says. Not called for data.
    func answers(to message: UnsafeRawBufferPointer, _ kind: VenueMessageKind) -> [FeedAnswer]
    /// Reads its messages.
    func venueSession(markets: [String]) -> VenueSession
    /// Fetches its candles; `nil` where none can be had.
    var history: (any HistoryAdapter)? { get }
    /// Why there is no `history`, as a sentence; `nil`: nothing particular is known.
    var noHistoryReason: String? { get }
    /// Why the feed has no simulation of its own name, as a sentence; `nil`: nothing particular is known.
    var noSimulationReason: String? { get }
    /// What prices are in where a symbol does not say it, as a stock's.
    var quoteCurrency: String { get }
    /// Decimals that its prices have at least.
    var priceDecimals: Int { get }
    /// Sent with each request for candles.
    var historyHeaders: [FeedHeader] { get }
}

extension FeedAdapter {
    public func flaw(of symbol: String) -> String? {
        isSymbol(symbol) ? nil : "\(title) has no symbol \"\(symbol)\"; its symbols look like \(exampleSymbol)."
    }
    public var greeting: [String] { [] }
    public var name: String { venue.rawValue }
    /// Whether a configuration describes its messages: there may be candles and no trades.
    package var isConfigured: Bool { venue.declaration.shape != nil }
    public var needsToken: Bool { false }
    public var headers: [FeedHeader] { [] }
    public var tokenLifetime: Double? { nil }
    public var credentialsName: String? { nil }
    public func tokenRequest(_ credentials: FeedCredentials) -> FeedTokenRequest? { nil }
    public func request(_ action: FeedAction, _ symbols: [String], number: Int) -> String? { nil }
    public var extras: [String] { [] }
    public func request(_ action: FeedAction, extra channel: String, _ symbols: [String], number: Int) -> String? {
        nil
    }
    public func frame(_ action: FeedAction, _ symbols: [String], number: Int) -> FeedFrame? {
        request(action, symbols, number: number).map(FeedFrame.text)
    }
    public func address(_ base: String, token: String) -> String { base }
    public func venueSession(markets: [String]) -> VenueSession { VenueSession(venue: venue, markets: markets) }
    public var history: (any HistoryAdapter)? { HistoryCatalogue.adapter(for: venue) }
    public var noHistoryReason: String? { nil }
    public var noSimulationReason: String? { nil }
    public var historyHeaders: [FeedHeader] { [] }
    public var quoteCurrency: String { "USD" }
    public var priceDecimals: Int { 2 }
}

public enum FeedAction: String, Sendable { case subscribe, unsubscribe }

/// What a venue says about requests and about itself.
public enum FeedAnswer: Sendable, Equatable {
    /// The request of this number was granted.
    case granted(request: Int)
    /// The oldest request without an answer was granted: the venue answers in order and names nothing.
    case grantedOldest
    /// Trades of these symbols come from now on.
    case subscribed([String])
    /// Trades of these symbols come no more.
    case ended([String])
    /// The venue ended these by its own fault or will: they are requested again after a pause.
    case dropped([String])
    /// A request was refused, by its number or by its symbols; with neither, the oldest one without an answer.
    case refused(request: Int?, symbols: [String], reason: String)
    /// The venue will close this connection: another one is to be opened at once.
    case goingAway(String)
    /// The venue works (`nil`), or says why not: maintenance.
    case unavailable(String?)
}

extension FeedAnswer {
    /// A refusal for the reasons that the venue gives.
    static func refusal(
        _ texts: String?..., code: Int? = nil, request: Int? = nil, symbols: [String] = []
    ) -> FeedAnswer {
        .refused(request: request, symbols: symbols, reason: FeedAnswerReader.reason(texts, code: code))
    }
}

/// What is sent to a venue in one message.
public enum FeedFrame: Sendable, Equatable {
    case text(String)
    case binary([UInt8])
}
