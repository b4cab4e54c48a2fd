import MarketFeeds
import MarketModel
import VenueSimulation

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
        if name == "provider" {
            try self.init(recording: path, config: config, symbols: symbols)
            return
        }
        guard let venue = SimulatedVenue(named: name) else {
            throw FeedError(
                .usage, "\(FeedOutline.withoutSimulator(name)) There are \(SimulateCommand.allowed).")
        }
        guard config == nil, symbols == nil else {
            throw FeedError(.usage, "--config and --symbols belong to candlewire simulate provider.")
        }
        guard let path else {
            guard let made = venue.madeSession() else {
                throw FeedError(.usage, "\(name) needs a recorded session: --recording FILE.")
            }
            self.init(venue, made, symbols: [])
            return
        }
        let recording = try Recording(path: path, venue: try Venue(named: name), needsTrades: false)
        self.init(
            venue, RecordedSession(recording), recording: recording, symbols: recording.markets.map(\.symbol))
    }

    private init(
        _ venue: SimulatedVenue, _ session: RecordedSession, recording: Recording? = nil, config: String? = nil,
        symbols: [String]
    ) {
        self.venue = venue
        self.session = session
        self.recording = recording
        self.config = config
        self.symbols = symbols
    }

    private init(recording path: String?, config: String?, symbols: String?) throws {
        guard let config else {
            throw FeedError(.usage, "A provider is simulated by its configuration: --config FILE.")
        }
        let configuration = try ProviderConfiguration(file: config)
        guard configuration.canBePlayed else {
            throw FeedError(.usage, "\(config) cannot be played: its messages come in an envelope (\"batch\").")
        }
        let provider = try SimulatedProvider(outline: configuration.outline)
        let venue = SimulatedVenue.provider(provider)
        if let path {
            guard symbols == nil else {
                throw FeedError(.usage, "--symbols belongs to made prices; a recording has its own.")
            }
            // Only the configuration knows what its messages mean.
            let recording = try Recording(
                path: path, venue: .provider, needsTrades: false, mustBeUnderstood: false)
            self.init(venue, RecordedSession(recording), recording: recording, config: config, symbols: [])
            return
        }
        let named = symbols?.split(separator: ",").map(String.init) ?? configuration.symbols
        guard !named.isEmpty else {
            throw FeedError(.usage, "\(config) names no symbols: give --symbols SYMBOL,... .")
        }
        self.init(venue, .made(provider, symbols: named), config: config, symbols: named)
    }
}
