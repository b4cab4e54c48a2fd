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
