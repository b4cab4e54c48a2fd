import StreamCore

/// The best prices, where a venue tells them: both, or the one that changed.
public struct VenueQuote: Sendable, Equatable {
    /// `nil`: not told.
    public var bid: Double?
    public var ask: Double?
    /// Seconds since 1970 UTC; `nil`: the venue sends no time, and nothing tells how old this is.
    public var timestamp: Double?
    var symbol: VenueText
    /// The number of its market; -1 where that is none of the session's.
    public internal(set) var market = -1

    /// The venue's name of the market.
    /// - Parameter message: the bytes the quote was read from.
    public func symbol(in message: UnsafeRawBufferPointer) -> String { symbol.read(in: message).string }
}
