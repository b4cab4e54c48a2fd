import StreamCore

/// The best prices, and the last one, where a venue tells them.
public struct VenueQuote: Sendable, Equatable {
    public var bid: Double
    public var ask: Double
    /// Seconds since 1970 UTC; `nil`: the venue sends no time, and nothing tells how old this is.
    public var timestamp: Double?
    var symbol: VenueText

    /// The venue's name of the market.
    /// - Parameter message: the bytes the quote was read from.
    public func symbol(in message: UnsafeRawBufferPointer) -> String { symbol.read(in: message).string }
}
