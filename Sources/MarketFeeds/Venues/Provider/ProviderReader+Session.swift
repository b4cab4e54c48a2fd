import StreamCore

/// A provider of JSON messages, by a configuration; without one, as the integration guide has it.
extension Venue { public static let provider = Venue("provider") }

extension VenueDeclaration {
    static let provider = VenueDeclaration(
        venue: .provider, numbering: .none,
        isEvidence: { _ in false },
        reader: ProviderReader.self,
        shape: ProviderShape())
}

extension ProviderReader: VenueReader {
    static func read(
        _ session: inout VenueSession, _ message: Bytes, _ connection: Int
    ) throws(ParseError) -> VenueMessageKind {
        try session.provider?.parse(message, into: &session.batch) ?? .other
    }
}

extension VenueSession {
    /// What a configured provider's messages were; `nil` of other venues.
    package var providerCounts: ProviderCounts? { provider?.counts }

    /// The type of the last message, where that is the first of a type that the configuration does not name.
    public var newType: String? { provider?.newType }
}

/// What a provider's messages were, besides what is counted of every venue.
package struct ProviderCounts: Sendable, Equatable {
    /// Messages of a type that the configuration does not name.
    package internal(set) var unknownTypes = 0
    /// Trades and candles of symbols that were not requested.
    package internal(set) var otherSymbols = 0
    /// Messages that were lost because a value is missing, by the first one that is.
    package internal(set) var missing = Tally<ProviderField>()
}

/// A trade's values in a provider's message, whichever way they were found.
struct ProviderTick: Sendable {
    /// What a value is good for.
    enum Field: UInt8, Sendable { case other, symbol, time, price, volume, side, id }

    var symbol = VenueText.none
    /// Seconds since 1970 UTC.
    var time = 0.0
    var price = VenueDecimal(value: 0, text: .none, decimals: 0)
    /// Of no text where there is none.
    var volume = VenueDecimal(value: 0, text: .none, decimals: 0)
    var side = VenueTrade.Side.unknown
    /// Empty where trades have none.
    var name = VenueText.none
    /// The same as a number.
    var id: UInt64 = 0
}
