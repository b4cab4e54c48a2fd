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

    /// 1e11 seconds, in the year 5138: later times are milliseconds or worse.
    public static let latestTimestamp = 1e11

    /// Prices and quantities beyond this are no market's, and their sums must stay finite.
    @inlinable static var largestNumber: Double { 1e18 }

    /// What is wrong with the tick whatever the time is, if anything.
    var flaw: TickRejection? {
        guard timestamp.isFinite, price.isFinite, volume.isFinite else { return .notFinite }
        if price <= 0 || price > Tick.largestNumber { return .price }
        if volume < 0 || volume > Tick.largestNumber { return .volume }
        if timestamp <= 0 || timestamp > Tick.latestTimestamp { return .timestamp }
        return nil
    }
}
