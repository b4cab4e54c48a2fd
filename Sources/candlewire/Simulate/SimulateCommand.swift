import ArgumentParser
import Foundation
import MarketFeeds
import UnixSignals
import VenueSimulation

/// `candlewire simulate`: a venue on this machine, played from a recording.
struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "A venue on this machine: its WebSocket interface, played from a recording.",
        discussion: """
            Speaks as the venue does: acks, heartbeats, errors, limits, disconnects. The recording begins with the first
            subscription, and its times are moved by whole minutes so that it plays now.

            Speed has its bounds where times are moved: they are never ahead of the clock and at most 290 s behind it. A
            recording of 30 s can be played at any speed, a longer one at max only with --as-recorded.

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
                  any provider of JSON messages by its configuration (Docs/providers.md), with made prices
              candlewire simulate intrinio
                  a venue of which no recording was found: prices are made, and the key is demo

            EXIT CODES
              0 stopped, 64 wrong usage, 66 the recording cannot be read, 69 the port is in use
            """)

    @Argument(help: ArgumentHelp("Which venue: \(Self.allowed).", valueName: "VENUE"))
    var venue: String

    @Option(
        help: ArgumentHelp(
            """
            A recorded session of it: .jsonl or .jsonl.gz. It may be left out for a provider, Intrinio and OKX: prices \
            are made, again and again.
            """,
            valueName: "FILE"))
    var recording: String?

    @Option(help: ArgumentHelp("Of provider: its configuration.", valueName: "FILE"))
    var config: String?

    @Option(
        help: ArgumentHelp(
            "Of a provider without a recording: its markets, instead of those of the configuration.",
            valueName: "SYMBOL,..."))
    var symbols: String?

    @Option(parsing: .unconditional, help: "Port on the loopback interface; 0 for any free one.")
    var port = 0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("So many times as fast as recorded, or max: as fast as it is read.", valueName: "factor"))
    var speed: String?

    @Flag(help: "Begin anew at the end.")
    var loop = false

    @Flag(help: "Leave the times in the messages as they are.")
    var asRecorded = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("End connections after so long, whatever the venue does.", valueName: "seconds"))
    var maxAge: Double?

    static let allowed = (SimulatedVenue.all.map(\.name) + ["provider"]).joined(separator: ", ")

    func run() async throws {
        try await Failure.exitCleanly {
            var settings = try makeSettings()
            let played = try Played(venue: venue, recording: recording, config: config, symbols: symbols)
            if played.recording == nil { settings.loops = true }
            try check(&settings, played.session)
            let console = SimulateConsole()
            let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
            let server: VenueSimulator
            do {
                server = try await VenueSimulator.start(
                    played.venue, session: played.session, settings: settings, port: port,
                    onEvent: { console.show($0) })
            } catch {
                throw Failure.report("Port \(port) cannot be listened on: \(error).", code: 69)
            }
            guard !server.symbols.isEmpty else {
                await server.stop()
                throw FeedError(
                    .input, "\(recording ?? venue) holds nothing that \(venue) sends to those who subscribe.")
            }
            console.begin(server, played, settings)
            await console.lines.run(until: signals)
            let log = server.log
            await server.stop()
            console.end(log)
        }
    }

    private func makeSettings() throws(FeedError) -> VenueSettings {
        guard (0...65_535).contains(port) else {
            throw FeedError(.usage, "--port must be a number from 0 to 65535; it is \(port).")
        }
        var settings = VenueSettings(pace: .recorded(), times: asRecorded ? .asRecorded : .now, loops: loop)
        if let speed {
            settings.pace =
                switch try ReplaySpeed(speed) {
                case .max: .asFastAsRead
                case .times(let factor): .recorded(factor)
                }
        }
        if let maxAge {
            guard maxAge > 0, maxAge.isFinite else {
                throw FeedError(.usage, "--max-age must be a number of seconds above 0; it is \(maxAge).")
            }
            settings.maximumAge = maxAge
        }
        return settings
    }

    private func check(_ settings: inout VenueSettings, _ session: RecordedSession) throws(FeedError) {
        guard let objection = settings.objection(duration: session.duration) else { return }
        throw FeedError(.usage, "\(objection) (--speed, --as-recorded)")
    }
}
