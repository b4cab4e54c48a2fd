/// A trade in a recorded message, with the digits of the venue.
struct RecordedTrade: Equatable, Sendable {
    var symbol: String
    /// How it is told, where a venue has several ways.
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
