import StreamCore

/// A market's last 24 hours as its venue counts them.
public struct VenueDay: Sendable, Equatable {
    public var open: Double
    public var high: Double
    public var low: Double
    /// Of the base currency.
    public var volume: Double
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

/// The best prices and the last 24 hours while they are read.
struct QuoteFields {
    var bid: Double?
    var ask: Double?
    var open: Double?
    var high: Double?
    var low: Double?
    var volume: Double?

    /// With the last 24 hours where no figure of them is missing.
    func quote(of symbol: VenueText, at time: Double?) -> VenueQuote {
        let day: VenueDay? =
            if let open, let high, let low, let volume {
                VenueDay(open: open, high: high, low: low, volume: volume)
            } else { nil }
        return VenueQuote(bid: bid, ask: ask, timestamp: time, symbol: symbol, day: day)
    }

    /// The same; `nil` where a price is missing, or the symbol.
    func both(of symbol: VenueText?, at time: Double?) -> VenueQuote? {
        bid == nil || ask == nil ? nil : symbol.map { quote(of: $0, at: time) }
    }
}
