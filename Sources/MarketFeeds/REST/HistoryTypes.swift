public import MarketModel

/// A candle as a venue's REST interface has it.
public struct HistoryCandle: Sendable, Equatable {
    public var candle: Candle
    /// How many trades it was made of, where the venue says so.
    public var trades: UInt64?
    /// Whether the venue, or the clock, says that it may still change.
    public var isRunning = false

    /// Whether nothing traded: the row only repeats the close before it.
    public var isFiller: Bool { candle.volume == 0 && trades ?? 0 == 0 && candle.range == 0 }
}

/// A market as a venue's directory has it.
public struct VenueSymbol: Sendable, Equatable {
    /// The name that its stream and its REST interface accept.
    public var symbol: String
    public var base: String
    public var quote: String
    /// Digits after the point of its prices; `nil` where the venue does not say.
    public var precision: Int?
    /// The venue's own word, as `online` or `TRADING`; empty where it has none.
    public var status: String
}

/// Why history could not be had: one sentence that says what, where and what is allowed.
public struct HistoryError: Error, Sendable, Equatable, CustomStringConvertible {
    public enum Kind: Sendable, Equatable {
        /// The base address is none.
        case invalidURL
        /// The request itself is wrong: a timeframe that the venue does not have, an empty stretch of time.
        case usage
        /// The venue requested to slow down more often than is tried again.
        case rateLimitExceeded
        /// The venue refused the request: an unknown symbol, for example.
        case refused
        /// Nothing came back, or a server's error, more often than is tried again.
        case unreachable
        /// What came back is not what the venue's documentation says.
        case invalidResponse
    }

    public let kind: Kind
    public let description: String
    /// The HTTP status, where there was one.
    public let status: Int?

    public init(_ kind: Kind, _ description: String, status: Int? = nil) {
        self.kind = kind
        self.description = description
        self.status = status
    }
}
