import StreamCore

/// A market's last 24 hours as its venue counts them.
public struct VenueDay: Sendable, Equatable {
    public var open: Double
    public var high: Double
    public var low: Double
    /// Of the base currency.
    public var volume: Double

    /// `nil` where a figure is missing.
    init?(open: Double?, high: Double?, low: Double?, volume: Double?) {
        guard let open, let high, let low, let volume else { return nil }
        self.open = open
        self.high = high
        self.low = low
        self.volume = volume
    }
}

/// The best prices, where a venue sends them: both, or the one that changed.
public struct VenueQuote: Sendable, Equatable {
    /// `nil`: not sent.
    public var bid: Double?
    public var ask: Double?
    /// Seconds since 1970 UTC; `nil`: the venue sends no time, and how old this is is unknown.
    public var timestamp: Double?
    var symbol: VenueText
    /// The last 24 hours, where the venue sends them beside the best prices.
    public var day: VenueDay?
    /// The number of its market; -1 where that is none of the session's.
    public internal(set) var market = -1

    /// The venue's name of the market.
    /// - Parameter message: the bytes the quote was read from.
    public func symbol(in message: UnsafeRawBufferPointer) -> String { symbol.read(in: message).string }
}
