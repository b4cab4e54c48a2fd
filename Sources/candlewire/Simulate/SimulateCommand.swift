import ArgumentParser
import Foundation
import MarketFeeds
import MarketModel
import UnixSignals
import VenueSimulation
import WebSocketTransport

/// `candlewire simulate`: a venue on this machine, played from a recording.
struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "A venue on this machine: its WebSocket interface, played from a recording.",
        discussion: """
            Acts as the venue does: acks, heartbeats, errors, limits, disconnects. The recording begins with the first \
            subscription, and its times are moved by whole minutes so that it plays now.

            Speed has its bounds where times are moved: they are never ahead of the clock and at most 290 s behind it. \
            A recording of 30 s can be played at any speed, a longer one at max only with --as-recorded.

            EXAMPLES
              candlewire simulate coinbase --recording session.jsonl.gz --port 9000
                  then, in another terminal, the line it prints
              candlewire simulate binance --recording session.jsonl.gz --speed 2 --loop
                  twice as fast, again and again; trades count on
              candlewire simulate kraken --recording session.jsonl --as-recorded --speed max
                  byte for byte, as fast as it is read
              candlewire simulate binance --recording session.jsonl --max-age 60
                  connections are ended after a minute instead of a day
              candlewire simulate provider --config acme.json --symbols BTC-USD,ETH-USD
                  any provider of JSON messages by its configuration (Docs/providers.md),
                  with synthetic prices: two trades a second in each market without a
                  pause; a snapshot, and every five seconds the candles, of the
                  timeframe that the subscriber requests
              candlewire simulate intrinio
                  a venue without a recording: prices are made, and the key is demo

            EXIT CODES
              0 stopped, 64 wrong usage, 66 the recording cannot be read,
              69 the port is in use
            """)

    @Argument("Which venue: \(Self.allowed).", "VENUE") var venue: String

    @Option(
        """
        A recorded session of it: .jsonl or .jsonl.gz. It may be left out for \(Self.made): \
        prices are made, again and again.
        """, "FILE")
    var recording: String?

    @Option("Of provider: its configuration.", "FILE") var config: String?

    @Option("Of a provider without a recording: its markets, instead of those of the configuration.", "SYMBOL,...")
    var symbols: String?

    @Option(signed: "Port on the loopback interface; 0 for any free one.") var port = 0
    @Option(signed: "Speed factor, or max: as fast as it is read.", "factor") var speed: String?
    @Flag(help: "Loop the recording.") var loop = false
    @Flag(help: "Leave the times in the messages as they are.") var asRecorded = false
    @Option(signed: "End connections after this time, whatever the venue does.", "seconds") var maxAge: Double?

    static let made =
        "provider, " + SimulatedVenue.all.filter { !$0.needsRecording }.map(\.name).joined(separator: ", ")
    static let allowed = (SimulatedVenue.all.map(\.name) + ["provider"]).joined(separator: ", ")

    func run() async throws {
        try await Failure.exitCleanly {
            var settings = try makeSettings()
            let played = try Played(venue: venue, recording: recording, config: config, symbols: symbols)
            if played.recording == nil { settings.loops = true }
            if let problem = settings.problem(duration: played.session.duration) {
                throw FeedError(.usage, "\(problem) (--speed, --as-recorded)")
            }
            let console = SimulateConsole()
            let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
            let server: VenueSimulator
            do {
                server = try await VenueSimulator.start(
                    played.venue, session: played.session, settings: settings, port: port,
                    onEvent: { console.show($0) })
            } catch { throw CommandFailure(69, "Port \(port) cannot be listened on: \(NetworkFailure(error).words).") }
            guard !server.symbols.isEmpty else {
                await server.stop()
                throw CommandFailure(
                    66, "\(recording ?? venue) holds nothing that \(venue) sends to those who subscribe.")
            }
            console.begin(server, played, settings)
            await console.lines.run(until: signals)
            let log = server.log
            await server.stop()
            console.end(log)
        }
    }

    private func makeSettings() throws -> VenueSettings {
        try require((0...65_535).contains(port), "--port must be a number from 0 to 65535; it is \(port).")
        var settings = VenueSettings(pace: .recorded(), times: asRecorded ? .asRecorded : .now, loops: loop)
        if let speed {
            settings.pace =
                switch try ReplaySpeed(speed) {
                case .max: .asFastAsRead
                case .times(let factor): .recorded(factor)
                }
        }
        if let maxAge {
            try require(
                maxAge > 0 && maxAge.isFinite, "--max-age must be a number of seconds above 0; it is \(maxAge).")
            settings.maximumAge = maxAge
        }
        return settings
    }
}

/// What `candlewire simulate` plays: a venue, and a recorded session of it or a made one.
struct Played {
    let venue: SimulatedVenue
    let session: RecordedSession
    /// `nil`: it is made.
    let recording: Recording?
    /// A provider's configuration, for the line that tries it.
    let config: String?
    /// Those that trade, as far as that is known.
    let symbols: [String]

    init(venue name: String, recording path: String?, config: String?, symbols: String?) throws {
        guard name == "provider" else {
            venue = try require(
                SimulatedVenue(named: name),
                "\(FeedOutline.withoutSimulator(name)) There are \(SimulateCommand.allowed).")
            try require(
                config == nil && symbols == nil, "--config and --symbols belong to candlewire simulate provider.")
            self.config = nil
            recording = try path.map { try Recording(path: $0, venue: Venue(named: name), needsTrades: false) }
            session = try require(
                recording.map { RecordedSession($0) } ?? venue.madeSession(),
                "\(name) needs a recorded session: --recording FILE.")
            self.symbols = recording?.markets.map(\.symbol) ?? []
            return
        }
        let config = try require(config, "A provider is simulated by its configuration: --config FILE.")
        self.config = config
        let configuration = try ProviderConfiguration(file: config)
        try require(
            configuration.canBePlayed, "\(config) cannot be played: its messages come in an envelope (\"batch\").")
        let provider = try SimulatedProvider(outline: configuration.outline)
        venue = .provider(provider)
        if let path {
            try require(symbols == nil, "--symbols belongs to synthetic prices; a recording has its own.")
            // Only the configuration knows what its messages mean.
            let recording = try Recording(path: path, venue: .provider, needsTrades: false, mustBeUnderstood: false)
            (self.recording, session, self.symbols) = (recording, RecordedSession(recording), [])
            return
        }
        let named = symbols?.split(separator: ",").map(String.init) ?? configuration.symbols
        try require(!named.isEmpty, "\(config) names no symbols: give --symbols SYMBOL,... .")
        (recording, session, self.symbols) = (nil, .made(provider, symbols: named), named)
    }
}

extension RecordedSession {
    /// What a file holds, as values. Times that were not recorded are left to the session.
    init(_ recording: Recording) {
        let messages = (0..<recording.messageCount).map { recording.withMessage($0) { Array($0) } }
        // A double holds today's seconds to a quarter of a microsecond. No recording is from after 2100.
        let times =
            recording.hasReceiveTimes ? recording.times.map { Int64(min(max($0, 0), 4_102_444_800) * 1e6) * 1000 } : nil
        self.init(messages: messages, times: times)
    }
}

/// Writes what clients of a simulated venue do, a line an event, but no more than a person can read.
final class SimulateConsole: Sendable {
    let lines = EventLines(linesPerSecond: 20)

    func begin(_ server: VenueSimulator, _ played: Played, _ settings: VenueSettings) {
        let symbols = (played.symbols.isEmpty ? server.symbols : played.symbols).map(TextTable.printable)
        let trades = played.recording.map { "\($0.tradeCount) trades" } ?? "prices made for it"
        let pace =
            switch settings.pace {
            case .recorded(1): "as recorded"
            case .recorded(let factor): "\(factor) times as fast"
            case .asFastAsRead: "as fast as it is read"
            }
        // Where all of them trade, there is nothing to distinguish. Bitfinex has a letter before its pairs.
        let quiet = server.quietSymbols.map(TextTable.printable).filter { name in
            !symbols.contains { name == $0 || name == "t\($0)" }
        }
        let markets =
            quiet.isEmpty
            ? "Markets    \(symbols.joined(separator: ", "))"
            : """
            Markets with trades  \(symbols.joined(separator: ", "))
              Quiet markets        \(quiet.joined(separator: ", ")) (can be subscribed to, and do not trade)
            """
        let times = settings.times == .now ? "moved, so that it plays now" : "as recorded"
        Console.write(
            """
            \(server.venue.name) is simulated with \(played.session.messages.count) messages, \(trades), \
            \(String(format: "%.0f", played.session.duration)) s.

              WebSocket  \(server.url)
              \(markets)
              Pace       \(pace)\(settings.loops ? ", again and again" : ""); times \(times)
              Try        \(Self.trial(server, symbols, played.config))
              Stop       Ctrl-C


            """)
    }

    /// What a person may do with it: a server on this feed where it can have one, else a recording of it.
    private static func trial(_ server: VenueSimulator, _ symbols: [String], _ config: String?) -> String {
        if let config {
            let feed = "provider:\(config):\(symbols.joined(separator: ","))"
            return "candlewire serve --feed \(Console.shellWord(feed)) --url \(server.url)"
        }
        let feed = "\(server.venue.name):\(symbols.joined(separator: ","))"
        guard (try? FeedSpecification(feed)) != nil else {
            return "candlewire record \(server.url) --out session.jsonl"
        }
        // Where a key is wanted, the simulation knows one.
        let name = FeedCatalogue.adapter(named: server.venue.name)?.credentialsName
        let key = name.map { "\($0.uppercased())_API_KEY=demo " } ?? ""
        return "\(key)candlewire serve --feed \(Console.shellWord(feed)) --url \(server.baseURL)"
    }

    func show(_ event: VenueEvent) { lines.show(Self.line(event)) }

    func end(_ log: VenueLog) {
        Console.write(
            """

            The simulation ends after \(String(format: "%.1f", lines.age)) s.
              connections  \(log.connections) (\(log.open) still open, \(log.refused) refused, \(log.kicks.count) ended \
            by the venue)
              messages     \(log.receivedCount) received, \(log.sent) sent
              pongs        \(log.pongs)

            """)
    }

    /// An address without the values of what lets people in.
    static func hidden(_ target: String) -> String {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return target }
        let fields = parts[1].split(separator: "&", omittingEmptySubsequences: false).map { field -> String in
            let isSecret = field.hasPrefix("token=") || field.hasPrefix("api_key=")
            return isSecret ? String(field.prefix(while: { $0 != "=" })) + "=…" : String(field)
        }
        return "\(parts[0])?\(fields.joined(separator: "&"))"
    }

    private static func line(_ event: VenueEvent) -> String {
        switch event {
        case .opened(let number, let target): "#\(number) opened \(hidden(target))"
        case .refused(let number, let status): "#\(number) refused with \(status)"
        case .received(let number, let text): "#\(number) says \(text.count > 200 ? text.prefix(200) + "..." : text)"
        case .subscribed(let number, let topic): "#\(number) subscribed to \(topic)"
        case .unsubscribed(let number, let topic): "#\(number) unsubscribed from \(topic)"
        case .ponged(let number): "#\(number) answered a ping"
        case .kicked(let number, let reason): "#\(number) ended by the venue: \(reason)"
        case .ended(let number): "#\(number) has the whole recording"
        case .closed(let number): "#\(number) closed"
        case .requested(let target, let status): "GET \(hidden(target)) \(status)"
        }
    }
}
