import Foundation

/// The protocol of a provider of JSON messages, for `SimulatedVenue.provider`: its requests, and how its messages are
/// built. Paths are names and positions from the outside in; texts of requests have places as `{symbol}`.
///
/// ```swift
/// let provider = try SimulatedProvider(outline: configuration.outline)
/// let venue = try await VenueSimulator.start(.provider(provider), session: .made(provider, symbols: ["BTC-USD"]))
/// ```
package struct SimulatedProvider: Sendable, Equatable, Codable {
    package struct Field: Sendable, Equatable, Codable {
        package var path: [String]
        /// From the message, and not from the row.
        package var isFromMessage = false
    }

    /// A sort of messages, or the rows of an answer over HTTP.
    package struct Sort: Sendable, Equatable, Codable {
        /// What the discriminating field says; the first one is sent.
        package var types: [String]
        /// The way to the rows; `nil`: the message is the only one.
        package var rows: [String]?
        /// `symbol`, `timestamp`, `price`, `volume`, `open` and so on.
        package var fields: [String: Field]
    }

    /// The request in place of a ping, and the type of its answer.
    package struct Heartbeat: Sendable, Equatable, Codable {
        package var text: String
        package var type: String
    }

    package struct History: Sendable, Equatable, Codable {
        /// Path and query.
        package var path: String
        package var unit: String
        package var sort: Sort
    }

    /// The path of its WebSocket.
    package var path: String
    package var subscribe: String
    package var unsubscribe: String?
    package var heartbeat: Heartbeat?
    /// What distinguishes sorts of messages; `nil`: their fields.
    package var type: [String]?
    /// Of times: `s`, `ms`, `us`, `ns` or `iso8601`.
    package var unit: String
    /// `tick`, `candle`, `snapshot`, `accepted`, `error`: those that it has.
    package var sorts: [String: Sort]
    /// What is sent for a purchase and for a sale.
    package var buy: String
    package var sell: String
    /// `nil`: it has none.
    package var history: History?
    /// The length of its candles, and of all that it has by its own names, seconds.
    package var timeframe: Int
    package var timeframes: [String: Int]
}

extension SimulatedProvider {
    /// Understands nothing.
    static let mute = SimulatedProvider(
        path: "/", subscribe: "", unit: "s", sorts: [:], buy: "", sell: "", timeframe: 60, timeframes: [:])

    /// - Parameter outline: as JSON, with the names of the properties.
    /// - Throws: what decoding throws.
    package init(outline: [UInt8]) throws {
        self = try JSONDecoder().decode(SimulatedProvider.self, from: Data(outline))
    }
}
