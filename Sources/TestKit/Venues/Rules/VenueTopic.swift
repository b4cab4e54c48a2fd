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
