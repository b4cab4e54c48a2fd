import Testing

@testable import MarketFeeds

/// A recorded session as its venue's reader receives it, message by message.
struct ReadSession: Sendable {
    /// When each message was received, seconds since 1970 UTC.
    let times: [Double]
    let kinds: [VenueMessageKind]
    /// What was reported, and by which message.
    let trades: [(trade: VenueTrade, message: Int)]
    let quotes: [(quote: VenueQuote, message: Int)]
    let counts: VenueSession.Counts

    init(_ name: String) throws {
        let recording = try SharedRecording.recording(name)
        var reader = VenueSession(venue: recording.venue)
        var kinds: [VenueMessageKind] = []
        var trades: [(VenueTrade, Int)] = []
        var quotes: [(VenueQuote, Int)] = []
        for index in 0..<recording.messageCount {
            recording.withMessage(index) { kinds.append(reader.read($0)) }
            for trade in reader.trades { trades.append((trade, index)) }
            for quote in reader.quotes { quotes.append((quote, index)) }
        }
        times = recording.times
        counts = reader.counts
        (self.kinds, self.trades, self.quotes) = (kinds, trades, quotes)
    }

    /// The connection to Binance in August 2024, before and after midnight: read once for all tests that need it.
    static let spot = Result {
        (
            before: try ReadSession("binance_spot_btcusdt_2024-08-08"),
            after: try ReadSession("binance_spot_btcusdt_2024-08-09")
        )
    }

    static func spotDays() throws -> [ReadSession] {
        let days = try spot.get()
        return [days.before, days.after]
    }
}

extension SharedRecording {
    /// - Parameter name: one of `all`.
    static func recording(_ name: String) throws -> Recording {
        let session = try #require(all.first { $0.name == name })
        return try Recording(path: session.path, venue: session.venue, needsTrades: false)
    }
}

extension Recording {
    /// All its messages, to be read by other means.
    var lines: [String] {
        (0..<messageCount).map { index in withMessage(index) { String(decoding: $0, as: UTF8.self) } }
    }
}
