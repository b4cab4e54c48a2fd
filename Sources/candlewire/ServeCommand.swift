import ArgumentParser
import CandlewireServer
import Foundation
import HistoryStore
import Logging
import MarketFeeds
import TradingCore
import WebSocketTransport

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the server: feed, candles, streams and the terminal page on one port.",
        discussion: """
            EXAMPLES
              candlewire serve
                  the simulated exchange, twelve markets, on http://127.0.0.1:8080/
              candlewire serve --feed sim:BTC-USD,ETH-USD --seed 7 --rate 1000
                  two markets, a thousand trades a second
              candlewire serve --feed coinbase:BTC-USD,ETH-USD --feed kraken:BTC/USD
                  markets of two venues, live; candlewire feeds lists the venues
              candlewire serve --feed intrinio:AAPL,MSFT --credentials keys.json
                  a venue that needs a key
              candlewire serve --feed provider:acme.json:BTC-USD
                  any provider of JSON messages, by a small file; candlewire feeds
                  acme.json checks it
              candlewire serve --feed replay:coinbase.jsonl.gz --speed 10 --loop
                  a recording, ten times as fast, again and again
              candlewire serve --feed stocks.json
                  a list of stocks with random prices, as candlewire tracker shows them
              candlewire serve --host 0.0.0.0 --tls-cert fullchain.pem \\
                  --tls-key privkey.pem --stream-token-file tokens
                  https and wss for others, who need a token for streams and trading
              candlewire serve --demo --fill-model through
                  opens the paper account paper-demo with three positions and six
                  orders; limit orders fill only when the market trades through them
              candlewire serve --consultation-types types.json
                  other consultations than about markets; candlewire
                  consultation-types prints an example
              candlewire serve --consultation-url http://127.0.0.1:11434/v1 \\
                  --consultation-model llama3.1
                  a language model on this machine answers in consultations, instead
                  of the built-in guide
              candlewire serve --host 0.0.0.0 --jwt-key login.pem \\
                  --jwt-issuer https://login.example.com
                  consultations for others, who show a token of their login service
            """)

    @Option(
        help: """
            Address to listen on. Any other than loopback needs --stream-token-file, logins of consultations, or \
            --open-to-everyone.
            """)
    var host = "127.0.0.1"

    @Option(signed: "Port to listen on; 0 for any free one.") var port = 8080

    @Option(
        """
        Where ticks come from: sim, sim:SYMBOL,..., sim:COUNT, replay:FILE (.jsonl or .jsonl.gz), VENUE:SYMBOL,... \
        as candlewire feeds lists them, provider:FILE[:SYMBOL,...] for any other by a configuration, or tracker, tracker:FILE \
        and FILE.json for a list of stocks. Repeatable. Default: sim.
        """, "feed")
    var feed: [String] = []

    @Option(
        """
        Live feeds: another address than the venue's own, ws://... or wss://...; with several feeds NAME=URL. The \
        tracker's is an echo server. Repeatable.
        """, "url")
    var url: [String] = []

    @OptionGroup var access: CredentialsOptions

    @Flag(help: "Live feeds: do not fetch the candles before the start, and those of outages, from the venue.")
    var noHistory = false

    @Option(
        signed: """
            Live feeds: pause a market after this many seconds without a reader, an order or a position. It resumes \
            with the next reader, and what it missed is fetched then, unless --no-history is set. Default: no market \
            pauses.
            """, "seconds")
    var pauseUnwatched: Double?

    @Option(
        signed: """
            Live feeds: drop a market's past from memory after this many seconds without a trade or a reader; it comes \
            back from the store. 0: never. Default: 3600.
            """, "seconds")
    var evictIdle: Double?

    @Option(
        """
        Reject a tick that deviates from the previous one by more than this percentage, unless two more confirm it. At \
        100 or more, falls are never rejected. With several feeds NAME=PERCENT for one of them. Repeatable. Default: \
        no limit.
        """, "percent", parsing: .unconditionalSingleValue)
    var maxDeviation: [String] = []

    @Option(help: "Simulated exchange: the same seed trades the same prices. Stored history stays as it is.")
    var seed: UInt64 = 42

    @Option(signed: "Simulated exchange: trades a second over all markets.", "trades-per-second")
    var rate = ServerConfiguration.defaultRate

    @Option(signed: "Replay: speed factor, or max. Default: 1.", "factor") var speed: String?
    @Flag(help: "Replay: loop the recording.") var loop = false

    @Option("Replay: the venue of the recording, where it cannot be detected: \(Venue.allowedNames).", "venue")
    var venue: String?

    @Flag(
        help: """
            Open the paper account paper-demo with three positions, six orders, their fills and events, filled at the prices \
            of the past 26 hours. It is left alone where it has orders already; resetting it empties it.
            """)
    var demo = false

    @Option(
        "When paper orders are filled: \(FillModelName.allNames). Docs/paper-trading.md has a table.", "name")
    var fillModel = FillModelName.volume.rawValue

    @Option(
        """
        Refuse orders in a market without a trade for this many seconds, or for 20 of its usual gaps between trades where that \
        is longer. 0: never.
        """, "seconds")
    var priceStaleAfter = 60.0

    @Option("Folder for the candles; created if missing.", "folder") var dataDir = DataDirectory.userDefault()
    @Option(
        """
        File of the key that signs the ledger's head; made if missing. Kept where the data folder cannot be read from, it \
        shows changes by those who can write that folder. Default: ledger.key in the data folder.
        """, "file")
    var ledgerKey: String?

    @Flag(
        help: """
            Start although the ledger lacks entries that it had, or its head or key is missing: go on with what is there, and \
            keep a new head.
            """)
    var acceptLedgerLoss = false

    @Option("Folder of the terminal page.", "folder") var webDir: String?

    @Option("TLS: PEM file of the certificate and those it is signed by. With --tls-key: https and wss.", "file")
    var tlsCert: String?

    @Option("TLS: PEM file of the certificate's key, without a passphrase.", "file") var tlsKey: String?

    @Option(
        """
        Streams need a token of this file in their first message, and so does trading over REST: a file of candlewire \
        tokens, or one token a line, each of which opens everything.
        """, "file")
    var streamTokenFile: String?

    @Option(
        """
        What else needs a token over REST: trading is accounts, orders and changes alone; all is candles, markets and \
        pictures, too. The page's files and /health need none.
        """, "what")
    var requireLogin = ServerConfiguration.RequiredLogin.trading

    @Flag(help: "Run on an address that other machines reach without any login: everyone there may read and trade.")
    var openToEveryone = false

    @Option(
        """
        A page of this origin may open streams and trade too, as https://desk.example.com, also a proxy's in front of \
        a server on loopback; * for every page. Repeatable.
        """, "origin")
    var allowOrigin: [String] = []

    @OptionGroup(title: "Consultations") var consultation: ConsultationServeOptions

    @Flag(
        help: """
            Echo at /raw to other machines too, messages of up to 16 MiB at any rate: for conformance suites. With a \
            loopback --host it is there anyway. With tokens, its requests need one.
            """)
    var raw = false

    @OptionGroup(title: "Connections") var connections: ConnectionServeOptions

    @Option(
        """
        What one client may do, by its login or, without one, by its address: requests=100, orders=50 (a second), \
        renderings=240, questions=30 (a minute), open-orders=5000 (of an account), streams=256 (of a login) are the defaults. Clients on \
        this machine without a login have only the limits that are given here. Repeatable.
        """, "name=count", parsing: .singleValue)
    var limit: [String] = []

    @OptionGroup(title: "Operation") var operation: OperationOptions

    @Option(
        """
        Candles older than this are deleted, by timeframe: 1s:7d,1m:90d (d days, w weeks, y years). Default: all are kept.
        """, "ages")
    var keepCandles: String?

    @Option(
        """
        A file with options, KEY = VALUE in each line: candlewire config check FILE. The environment (CANDLEWIRE_PORT) comes \
        before it, and the command line before that.
        """, "file")
    var config: String?

    func run() async throws {
        try await Failure.exitCleanly {
            let settings = try ServeSettings.ofProcess()
            try await settings.command().serve(settings)
        }
    }

    private func serve(_ settings: ServeSettings) async throws {
        var configuration: ServerConfiguration
        do { configuration = try await checkedConfiguration() } catch {
            // With the line of the file, where there is one.
            guard settings.path != nil, let problem = await settings.problems().first, problem.source != nil else {
                throw error
            }
            throw CommandFailure(Failure.sentence(of: error)?.code ?? 64, problem.description)
        }
        let levels = try operation.levels()
        let logger = try operation.apply(to: &configuration, levels)
        if let warning = configuration.tls?.warning(now: Date().timeIntervalSince1970) {
            logger.warning("\(warning)")
        }
        let screen = StartScreen(
            isSecure: configuration.tls != nil, needsToken: configuration.streamTokens != nil,
            assistant: consultation.assistant,
            consultsOthers: configuration.streamTokens != nil || consultation.hasLogin)
        let reload = ConfigurationReload(
            levels: levels, origins: configuration.allowedOrigins, directory: configuration.storeDirectory,
            logger: logger)
        let reloading = Task { await reload.run(settings) }
        defer { reloading.cancel() }
        try await CandlewireServer(configuration, logger: logger).run { screen.show($0) }
    }

    /// Everything that can be found wrong before something is started; reads the files that the options name.
    func checkedConfiguration() async throws -> ServerConfiguration {
        try operation.check(port: port)
        var configuration = try makeConfiguration()
        configuration.consultation = try await consultation.options()
        try configuration.checkLogins()
        return configuration
    }

    private func makeConfiguration() throws -> ServerConfiguration {
        let feeds = try (feed.isEmpty ? ["sim"] : feed).map { try FeedSpecification($0) }
        try require((0...65_535).contains(port), "The port \(port) must be a number from 0 to 65535.")
        try require(
            (0.01...10_000_000).contains(rate), "The rate \(rate) must be from 0.01 to 10000000 trades a second.")
        try require(!dataDir.isEmpty, "The data directory must not be empty.")
        var configuration = ServerConfiguration(
            host: host, port: port, feed: feeds[0], seed: seed, rate: rate, loops: loop, dataDirectory: dataDir)
        // Before any folder but a named one: an installed server must not serve what lies in the working folder.
        if webDir == nil { configuration.pageArchive = try PageArchive.ofThisProgram() }
        if configuration.pageArchive == nil { configuration.webDirectory = try WebDirectory.find(webDir) }
        try secure(&configuration)
        configuration.fillModel = try require(
            FillModelName(rawValue: fillModel),
            "Unknown fill model \"\(fillModel)\"; allowed are \(FillModelName.allNames).")
        configuration.loadsDemo = demo
        try require(
            priceStaleAfter == 0 || (1...86_400).contains(priceStaleAfter),
            "--price-stale-after must be from 1 to 86400 seconds, or 0 for never; it is \(priceStaleAfter).")
        configuration.priceStaleAfter = priceStaleAfter == 0 ? nil : priceStaleAfter
        configuration.ledgerKeyFile = ledgerKey
        configuration.acceptsLedgerLoss = acceptLedgerLoss
        if let speed { configuration.speed = try ReplaySpeed(speed) }
        if let venue { configuration.venue = try Venue(named: venue) }
        if let keepCandles { configuration.candleRetention = try CandleRetention.option(keepCandles) }
        configuration.feeds = feeds
        configuration.feedURLs = try addresses(feeds)
        configuration.fetchesHistory = !noHistory
        configuration.credentials = try access.found(
            feeds.compactMap { FeedCatalogue.adapter(named: $0.name)?.credentialsName })
        if let pauseUnwatched {
            try require(
                (1...86_400).contains(pauseUnwatched),
                "--pause-unwatched must be from 1 to 86400 seconds; it is \(pauseUnwatched).")
            try checkLive("--pause-unwatched", feeds)
            configuration.pausesUnwatchedAfter = pauseUnwatched
        }
        if let evictIdle {
            try require(
                evictIdle == 0 || (1...604_800).contains(evictIdle),
                "--evict-idle must be from 1 to 604800 seconds, or 0 for never; it is \(evictIdle).")
            try checkLive("--evict-idle", feeds)
            configuration.evictsIdleAfter = evictIdle == 0 ? nil : evictIdle
        }
        configuration.maxDeviation = try deviations(feeds.map(\.name))
        let isReplay = feeds.contains { if case .replay = $0 { true } else { false } }
        try require(
            isReplay || speed == nil && !loop && venue == nil,
            "--speed, --loop and --venue belong to a replay; the feed is "
                + "\"\(feed.isEmpty ? "sim" : feed.joined(separator: ", "))\".")
        return configuration
    }

    /// Refuses an option that would do nothing.
    private func checkLive(_ option: String, _ feeds: [FeedSpecification]) throws {
        try require(
            feeds.contains { if case .tracker = $0 { false } else { $0.hasAddress } },
            "\(option) belongs to live feeds, of which there is none: a venue's as candlewire feeds lists them, or a "
                + "provider's.")
    }

    /// The percentages of `--max-deviation` by feed.
    private func deviations(_ feeds: [String]) throws -> [String: Double] {
        var percentages: [String: Double] = [:]
        for text in maxDeviation {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let percent = try require(
                Double(parts[parts.count - 1]).flatMap { (0.01...1000).contains($0) ? $0 : nil },
                "--max-deviation must be PERCENT or NAME=PERCENT with 0.01 to 1000; it is \"\(text)\".")
            try require(
                parts.count == 1 || feeds.contains(parts[0]),
                "--max-deviation names \"\(parts[0])\"; the feeds are \(feeds.joined(separator: ", ")).")
            for name in feeds where parts.count == 2 ? name == parts[0] : percentages[name] == nil {
                percentages[name] = percent
            }
        }
        return percentages
    }

    /// The addresses of `--url` by feed.
    private func addresses(_ feeds: [FeedSpecification]) throws -> [String: String] {
        let live = feeds.filter(\.hasAddress).map(\.name)
        var addresses: [String: String] = [:]
        for text in url {
            var (name, address) = (live.count == 1 ? live[0] : nil, text)
            if let mark = text.firstIndex(of: "="), live.contains(String(text[..<mark])) {
                (name, address) = (String(text[..<mark]), String(text[text.index(after: mark)...]))
            }
            let feed = try require(
                name,
                "--url \(FeedAddress.shown(text)) does not say which feed it is for: give NAME=URL with one of the live "
                    + "feeds"
                    + (live.isEmpty ? ", of which there is none." : ": \(live.joined(separator: ", "))."))
            try require(
                address.hasPrefix("ws://") || address.hasPrefix("wss://"),
                "The address \"\(FeedAddress.shown(address))\" of --url must begin with ws:// or wss://.")
            addresses[feed] = address
        }
        return addresses
    }

    private func secure(_ configuration: inout ServerConfiguration) throws {
        switch (tlsCert, tlsKey) {
        case (let certificate?, let key?):
            configuration.tls = try WebSocketServerTLS(certificateFile: certificate, keyFile: key)
        case (nil, nil): break
        default: throw CommandFailure.usage("--tls-cert and --tls-key belong together; give both or none.")
        }
        if let streamTokenFile { configuration.streamTokens = try StreamTokens(file: streamTokenFile) }
        configuration.requiredLogin = requireLogin
        configuration.isOpenToEveryone = openToEveryone
        for origin in allowOrigin where origin != "*" && !origin.hasPrefix("http://") && !origin.hasPrefix("https://") {
            throw CommandFailure.usage(
                "The origin \"\(origin)\" must be as browsers send it, https://host[:port], or *.")
        }
        configuration.allowedOrigins = AllowedOrigins(allowOrigin)
        if raw { configuration.servesEcho = true }
        try connections.apply(to: &configuration)
        for text in limit {
            try require(
                configuration.limits.clients.choose(text), "--limit must be \(ClientLimits.rule); it is \"\(text)\".")
        }
    }
}

extension ServerConfiguration.RequiredLogin: WordArgument {}

extension FillModelName {
    fileprivate static var allNames: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

extension FeedSpecification {
    /// Whether it is at an address that `--url` may replace.
    fileprivate var hasAddress: Bool {
        switch self {
        case .live, .provider, .tracker: true
        case .simulated, .replay: false
        }
    }
}
