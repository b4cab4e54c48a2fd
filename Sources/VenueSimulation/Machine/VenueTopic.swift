/// What one subscription is about: a channel of a market, both as the venue names them (`trade` and `BTC/USD`).
public struct VenueTopic: Sendable, Hashable, Comparable, CustomStringConvertible {
    public var channel: String
    public var symbol: String

    public init(_ channel: String, _ symbol: String) {
        self.channel = channel
        self.symbol = symbol
    }

    public var description: String { "\(channel) \(symbol)" }

    public static func < (a: VenueTopic, b: VenueTopic) -> Bool {
        (a.channel, a.symbol) < (b.channel, b.symbol)
    }
}

/// A trade in a recorded message, with the digits of the venue.
struct RecordedTrade: Equatable, Sendable {
    var symbol: String
    /// How it is sent, where a venue has several ways.
    var kind = ""
    /// `nil` where the venue does not number them, or not with numbers.
    var number: UInt64?
    var price: String
    var size: String
    /// Nanoseconds since 1970.
    var time: Int64
    /// What the one who came second did.
    var isBuy: Bool
    /// The trade as it stands in its message.
    var json: VenueJSON
}
