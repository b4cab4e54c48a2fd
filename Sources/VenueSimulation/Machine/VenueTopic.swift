/// What one subscription is about: a channel of a market, both as the venue names them (`trade` and `BTC/USD`).
public struct VenueTopic: Sendable, Hashable, Comparable, CustomStringConvertible {
    public var channel: String
    public var symbol: String

    public init(_ channel: String, _ symbol: String) {
        self.channel = channel
        self.symbol = symbol
    }

    public var description: String { "\(channel) \(symbol)" }
    public static func < (a: VenueTopic, b: VenueTopic) -> Bool { (a.channel, a.symbol) < (b.channel, b.symbol) }
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
    /// Whether the taker bought.
    var isBuy: Bool
    /// The trade as it stands in its message.
    var json: VenueJSON
}

extension RecordedTrade {
    /// What a venue calls the values of a trade, or where they stand in an array.
    struct Members {
        /// `nil`: the message says it elsewhere.
        var symbol: String?
        var number: String?
        var price: String
        var size: String
        var time: String
        /// The side, and its value where the taker bought.
        var side: String
        var buy: String
    }

    /// - Parameters:
    ///   - symbol: of the message, where the trade does not name it.
    ///   - kind: how it is sent.
    /// - Returns: `nil` where a value is missing.
    init?(_ json: VenueJSON, _ members: Members?, symbol: String? = nil, kind: String = "") {
        guard let members, let symbol = symbol ?? members.symbol.flatMap({ json[[$0]]?.string }),
            let price = json[[members.price]]?.digits, let size = json[[members.size]]?.digits,
            let time = json[[members.time]]?.digits.flatMap(VenueTime.nanoseconds)
        else { return nil }
        let side = json[[members.side]]
        self.init(
            symbol: symbol, kind: kind, number: members.number.flatMap { json[[$0]]?.digits }.flatMap { UInt64($0) },
            price: price, size: size, time: time, isBuy: (side?.string ?? side?.text) == members.buy, json: json)
    }
}
