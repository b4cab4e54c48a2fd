public import MarketModel
public import StreamCore

/// What is particular to a venue's REST interface, without any IO: which address holds what, and how to read it.
public protocol HistoryAdapter: Sendable {
    var venue: Venue { get }
    /// As people name it: the venue's name, or that of one of several that share its ways.
    var name: String { get }
    /// Where the venue is, without a path.
    var endpoint: String { get }
    /// The lengths of candles it has, finest first.
    var timeframes: [Timeframe] { get }
    /// The most candles of one answer.
    var rowsPerPage: Int { get }
    /// Where the venue has only its newest candles: how many. Older ones cannot be had.
    var newestOnly: Int? { get }
    /// Whether an interval that is not in an answer is one without trades, and not one that the provider does not know.
    var omitsEmptyIntervals: Bool { get }
    var pace: RequestPacer.Configuration { get }

    /// Path and query for the candles whose start lies in `from..<to`.
    /// - Parameters:
    ///   - from: a bucket's start, seconds since 1970 UTC.
    ///   - to: at most `rowsPerPage` buckets later.
    func request(symbol: String, timeframe: Timeframe, from: Double, to: Double) -> String

    /// The candles of an answer, in the venue's order.
    /// - Throws: `HistoryError`: `invalidResponse`, or `refused` where the answer says why there are none.
    func candles(from body: [UInt8]) throws(HistoryError) -> [HistoryCandle]

    /// Where an answer goes on, as path and query; `nil` where it is complete.
    func nextPage(after request: String, in body: [UInt8]) -> String?

    /// What shows these credentials to the venue; empty where it needs none.
    func headers(_ credentials: FeedCredentials) -> [FeedHeader]

    /// Path and query of the list of markets; `nil` where none is known.
    var directoryRequest: String? { get }
    func symbols(from body: [UInt8]) throws(HistoryError) -> [VenueSymbol]

    /// What the venue says in an answer that is an error; `nil` where the body does not say.
    func errorMessage(in body: [UInt8]) -> String?
}

extension HistoryAdapter {
    public var name: String { venue.rawValue }
    public var newestOnly: Int? { nil }
    public var omitsEmptyIntervals: Bool { true }
    public var directoryRequest: String? { nil }
    public func nextPage(after request: String, in body: [UInt8]) -> String? { nil }
    public func headers(_ credentials: FeedCredentials) -> [FeedHeader] { [] }
    public func symbols(from body: [UInt8]) throws(HistoryError) -> [VenueSymbol] { throw noDirectory }
    var noDirectory: HistoryError { HistoryError(.usage, "No list of markets is known of \(name).") }
    public func errorMessage(in body: [UInt8]) -> String? { RESTBody.text(of: ["message", "msg", "reason"], in: body) }

    /// The earliest start of a candle that can be had.
    /// - Parameter now: seconds since 1970 UTC.
    public func earliest(_ timeframe: Timeframe, now: Double) -> Double {
        guard let newestOnly else { return 0 }
        return timeframe.bucketStart(of: max(0, now - Double(newestOnly) * timeframe.seconds)) + timeframe.seconds
    }

    var timeframeNames: String { timeframes.map(\.rawValue).joined(separator: ", ") }
}
