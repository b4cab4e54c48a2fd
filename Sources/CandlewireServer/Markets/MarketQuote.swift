import MarketFeeds
import MarketModel

/// A market's best prices and day as its venue last sent them.
struct MarketQuote: Sendable, Equatable {
    private(set) var bid: Double?
    private(set) var ask: Double?
    /// Seconds since 1970 UTC: the venue's word, or when it came.
    private(set) var timestamp = -Double.infinity
    private(set) var day: VenueDay?

    /// Applies a message: both prices, or the one that changed. Older ones than the last are left out, as from a
    /// connection that is being replaced.
    mutating func apply(_ quote: VenueQuote, now: Double) {
        let time = quote.timestamp ?? now
        // A clock that is hours ahead must not keep all later quotes out.
        guard time >= timestamp, time <= now + Self.ahead else { return }
        timestamp = time
        // Books may be empty on a side, which some venues send as 0.
        if let price = quote.bid { bid = Self.isPrice(price) ? price : nil }
        if let price = quote.ask { ask = Self.isPrice(price) ? price : nil }
        if let day = quote.day, Self.isSound(day) { self.day = day }
    }

    private static let ahead = 300.0
    /// Seconds that trades may be ahead of the quotes beside them.
    private static let validity = 60.0

    /// Whether it still holds when a trade of this time is there.
    func isCurrent(atTrade time: Double?) -> Bool { (time ?? timestamp) <= timestamp + Self.validity }

    private static func isPrice(_ value: Double) -> Bool { value.isFinite && value > 0 }

    private static func isSound(_ day: VenueDay) -> Bool {
        isPrice(day.open) && isPrice(day.high) && isPrice(day.low) && day.low <= day.high && day.volume.isFinite
            && day.volume >= 0
    }
}
