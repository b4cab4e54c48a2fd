public import HistoryStore
public import MarketFeeds
public import TradingCore
public import WebSocketTransport

/// Everything `candlewire serve` can be configured with.
public struct ServerConfiguration: Sendable {
    public var host: String
    /// 0: any free port.
    public var port: Int
    /// At least one. With several, each market's name begins with its feed's: `kraken:BTC/USD`.
    public var feeds: [FeedSpecification]
    /// Live feeds: other addresses than the venues' own, by the feed's name. REST requests go to the same host.
    public var feedURLs: [String: String] = [:]
    /// Live feeds that want a key: by `FeedAdapter.credentialsName`.
    public var credentials: [String: FeedCredentials] = [:]
    /// How paper orders are filled.
    public var fillModel = FillModelName.volume
    /// Orders in a market are refused after this many seconds without a trade, later where it trades seldom; `nil`: never.
    public var priceStaleAfter: Double? = 60
    /// Whether a paper account with an example's positions and orders is opened.
    public var loadsDemo = false
    /// Live feeds: fetch the candles of the time before, and of outages, from the venues.
    public var fetchesHistory = true
    /// Live feeds: a market without readers, open orders and positions is paused after this many seconds, until a client
    /// requests it; `nil`: never.
    public var pausesUnwatchedAfter: Double?
    /// Live feeds: the past of a market without trades, readers, open orders and positions leaves the memory after this many
    /// seconds, and comes back from the store when a client requests it; `nil`: never.
    public var evictsIdleAfter: Double? = 3600
    /// By the feed's name: a tick that differs from the one before by more percent is not accepted, unless two more follow
    /// there; without an entry all are.
    public var maxDeviation: [String: Double] = [:]
    /// Simulated exchange: what its randomness starts from.
    public var seed: UInt64
    /// Simulated exchange: trades a second over all markets.
    public var rate: Double
    /// Replay: how fast.
    public var speed: ReplaySpeed
    /// Replay: restart at the end.
    public var loops: Bool
    /// Replay: whose messages they are; `nil`: recognised.
    public var venue: Venue?
    public var dataDirectory: String
    /// The file of the key that signs the ledger's head and snapshots, made if missing; `nil`: in the ledger's folder.
    public var ledgerKeyFile: String?
    /// Whether to go on with a ledger that lacks entries that it had.
    public var acceptsLedgerLoss = false
    /// How long candles are kept.
    public var candleRetention = CandleRetention.keepAll
    /// The folder of the terminal page; `nil`: no page, only the interfaces.
    public var webDirectory: String?
    /// The page inside the program, where there is no `webDirectory`.
    public var pageArchive: PageArchive?

    /// HTTPS and wss instead of HTTP and ws; `nil`: none.
    public var tls: WebSocketServerTLS?
    /// Who may open the stream and trade; `nil`: everyone.
    public var streamTokens: StreamTokens?
    /// What else needs a token, where there are some. The page's files and `/health` never do.
    public var requiredLogin = RequiredLogin.trading
    /// Whether a server that other machines reach may run without a token and without logins, so that they trade too.
    public var isOpenToEveryone = false
    /// Origins of pages besides the server's own that may open the stream and change things; `*`: every page.
    public var allowedOrigins: AllowedOrigins = []
    public var limits = ServerLimits()
    /// Proxies in front of the server.
    public var proxies = TrustedProxies()
    /// Seconds for which the server, told to stop, goes on while `/health` says that it is closing.
    public var drainDelay = 0.0
    /// Seconds that clients then have to end what they began; what is left is cut off.
    public var shutdownTimeout = 10.0
    /// Conversations with an assistant.
    public var consultation = ConsultationOptions()
    /// Whether `/raw` echoes messages of up to 16 MiB, for conformance suites and tests of proxies; `nil`: to programs of
    /// this machine only, where `host` is loopback.
    public var servesEcho: Bool?
    /// A second port, on 127.0.0.1 alone, with `/metrics`, `/health`, `/livez` and `/readyz` for programs of this machine; the
    /// other one has no `/metrics` then. 0: any free port; `nil`: none.
    public var metricsPort: Int?
    /// What libraries count through swift-metrics; `nil`: `/metrics` has the server's own figures alone.
    public var libraryMetrics: MetricsRegistry?
    /// How much each subsystem logs, for `/v1/log-levels`; `nil`: that is the application's to decide.
    public var logLevels: LogLevels?
    /// Where spans of ticks, requests and answers go; `nil`: nothing is traced.
    public var tracing: ServerTracing?
    /// What `/readyz` reports.
    public var readiness = Readiness()

    /// What of the REST interface a server's tokens open.
    public enum RequiredLogin: String, Sendable, CaseIterable {
        /// Everything under `/v1`: candles, markets and pictures, too.
        case all
        /// Accounts, orders and changes.
        case trading
    }

    public init(
        host: String = "127.0.0.1", port: Int = 8080, feed: FeedSpecification, seed: UInt64 = 42,
        rate: Double = ServerConfiguration.defaultRate, speed: ReplaySpeed = .times(1), loops: Bool = false,
        venue: Venue? = nil, dataDirectory: String, webDirectory: String? = nil
    ) {
        self.host = host
        self.port = port
        feeds = [feed]
        self.seed = seed
        self.rate = rate
        self.speed = speed
        self.loops = loops
        self.venue = venue
        self.dataDirectory = dataDirectory
        self.webDirectory = webDirectory
    }

    /// About four trades a second for the busiest market, one in two seconds for the quietest.
    public static let defaultRate = 24.0

    /// Feeds that run by a recording's time and not the present.
    var isReplay: Bool { feeds.contains { if case .replay = $0 { true } else { false } } }

    /// Markets of the real world, whose past and whose accounts are not the simulated exchange's.
    var isLive: Bool {
        feeds.contains { feed in
            switch feed {
            case .live, .provider: true
            case .simulated, .replay, .tracker: false
            }
        }
    }

    /// Nothing but the tracker's stocks: random prices that begin again with each start.
    var isTracker: Bool { feeds.allSatisfy { if case .tracker = $0 { true } else { false } } }

    /// Where the stores and the audit log are. Recordings have stores of their own: their past is not the present's history. And
    /// so have real markets: what was simulated must not stand among their candles, nor its orders among those of their
    /// accounts.
    package var storeDirectory: String {
        if isReplay { return dataDirectory + "/replay" }
        if isLive { return DataDirectory.live(dataDirectory) }
        return isTracker ? dataDirectory + "/tracker" : dataDirectory
    }

    /// - Throws: `ServerError` where clients could do what the configuration does not state explicitly.
    package func checkLogins() throws(ServerError) {
        guard streamTokens == nil else { return }
        guard requiredLogin == .trading else {
            throw ServerError(
                .access,
                "--require-login all needs tokens: give --stream-token-file a file of them (candlewire tokens create).")
        }
        guard isLoopback || consultation.distinguishesUsers || isOpenToEveryone else {
            throw ServerError(
                .access,
                "The address \(host) is open to other machines, and without a login everyone there could trade and reset "
                    + "accounts. Give --stream-token-file a file of tokens (candlewire tokens create), or add --open-to-everyone."
            )
        }
    }

    var echoes: Bool { servesEcho ?? isLoopback }

    var originPolicy: OriginPolicy { OriginPolicy(allowed: allowedOrigins, allowsLoopback: isLoopback) }

    var hasPage: Bool { webDirectory != nil || pageArchive != nil }

    /// An address, and no name that looks like one: `127.example.net` may be anywhere.
    var isLoopback: Bool { host == "localhost" || IPAddress(host)?.isLoopback == true }
}

/// What clients may cost the server.
public struct ServerLimits: Sendable, Equatable {
    /// WebSockets at the same time; more are refused with 503.
    public var connections = 20_000
    /// WebSockets of one address, those of the machine itself not counted; more are refused with 429.
    public var connectionsPerAddress = 256
    /// Messages a second of one connection, ten times as many at once; more close it with 4009.
    public var messagesPerSecond = 100.0
    /// Connections at the same time that are no WebSockets, or not yet; more get answers about the server's health alone, and
    /// else 503.
    public var httpConnections = 4096
    /// The same of one address, those of the machine itself not counted; more get 429.
    public var httpConnectionsPerAddress = 256
    /// Seconds from the connection to its first request; then it is answered 408.
    public var handshakeTime = 30.0
    /// Seconds that a connection may lie idle between two requests; then it is closed.
    public var idleTime = 75.0
    /// Seconds from a request's head to the end of its body; then it is answered 408.
    public var bodyTime = 120.0
    /// Seconds that a client may take to read an answer.
    public var answerTime = 300.0
    /// Bytes a second, over ten seconds, that a body must have, and that a client must read of an answer that waits for it.
    public var transferRate = 240.0
    /// What one client may do over time.
    public var clients = ClientLimits()
    /// Markets that may be added to a feed while the server runs.
    public var addedMarkets = 100
    /// Seconds between pings, and a client that has not answered one after ten is gone.
    public var pingInterval = 20.0

    public init() {}

    var exchange: HTTPExchange.Limits {
        HTTPExchange.Limits(
            bodyTime: .clamped(seconds: bodyTime), answerTime: .clamped(seconds: answerTime),
            bytesPerSecond: transferRate, idleTime: .clamped(seconds: idleTime))
    }
}
