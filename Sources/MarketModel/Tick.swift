/// One trade print: what happened, when, at which price and for how much.
public struct Tick: Sendable, Equatable, Hashable {
    /// Seconds since 1970-01-01 00:00 UTC, with the venue's fraction.
    public var timestamp: Double
    /// Price in the quote currency.
    public var price: Double
    /// Traded quantity in the base currency; zero where the venue reports only prices.
    public var volume: Double

    public init(timestamp: Double, price: Double, volume: Double) {
        self.timestamp = timestamp
        self.price = price
        self.volume = volume
    }
}
