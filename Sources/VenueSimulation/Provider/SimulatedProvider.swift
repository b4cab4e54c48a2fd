import Foundation

/// How a provider of JSON messages speaks, for `SimulatedVenue.provider`: its requests, and how its messages are
/// built. Paths are names and positions from the outside in; texts of requests have places as `{symbol}`.
///
/// ```swift
/// let provider = try SimulatedProvider(outline: configuration.outline)
/// let venue = try await VenueSimulator.start(.provider(provider), session: .made(provider, symbols: ["BTC-USD"]))
/// ```
public struct SimulatedProvider: Sendable, Equatable, Codable {
    public struct Field: Sendable, Equatable, Codable {
        public var path: [String]
        /// From the message, and not from the row.
        public var isFromMessage = false
    }

    /// A sort of messages, or the rows of an answer over HTTP.
    public struct Sort: Sendable, Equatable, Codable {
        /// What the discriminating field says; the first one is sent.
        public var types: [String]
        /// The way to the rows; `nil`: the message is the only one.
        public var rows: [String]?
        /// `symbol`, `timestamp`, `price`, `volume`, `open` and so on.
        public var fields: [String: Field]
    }

    /// The request in place of a ping, and the type of its answer.
    public struct Heartbeat: Sendable, Equatable, Codable {
        public var text: String
        public var type: String
    }

    public struct History: Sendable, Equatable, Codable {
        /// Path and query.
        public var path: String
        public var unit: String
        public var sort: Sort
    }

    /// The path of its WebSocket.
    public var path: String
    public var subscribe: String
    public var unsubscribe: String?
    public var heartbeat: Heartbeat?
    /// What distinguishes sorts of messages; `nil`: their fields.
    public var type: [String]?
    /// Of times: `s`, `ms`, `us`, `ns` or `iso8601`.
    public var unit: String
    /// `tick`, `candle`, `snapshot`, `accepted`, `error`: those that it has.
    public var sorts: [String: Sort]
    /// What is sent for a purchase and for a sale.
    public var buy: String
    public var sell: String
    /// `nil`: it has none.
    public var history: History?
    /// The length of its candles, and of all that it has by its own names, seconds.
    public var timeframe: Int
    public var timeframes: [String: Int]
}

extension SimulatedProvider {
    /// Understands nothing.
    static let mute = SimulatedProvider(
        path: "/", subscribe: "", unit: "s", sorts: [:], buy: "", sell: "", timeframe: 60, timeframes: [:])

    /// - Parameter outline: as JSON, with the names of the properties.
    /// - Throws: what decoding throws.
    public init(outline: [UInt8]) throws {
        self = try JSONDecoder().decode(SimulatedProvider.self, from: Data(outline))
    }
}
