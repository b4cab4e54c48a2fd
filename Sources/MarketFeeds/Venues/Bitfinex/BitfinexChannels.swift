import StreamCore

/// What one Bitfinex connection's channel numbers stand for, as its `subscribed` messages said. Another connection may
/// use the same numbers for other channels.
struct BitfinexChannels: Sendable {
    enum Kind: Sendable { case trades, ticker, book, candles, other }

    struct Channel: Sendable {
        var kind: Kind
        /// The market's slot, of a channel of trades.
        var slot: Int
    }

    private var known: [UInt64: Channel] = [:]

    subscript(_ number: UInt64) -> Channel? { known[number] }

    mutating func open(_ number: UInt64, _ channel: Channel) { known[number] = channel }

    mutating func close(_ number: UInt64) { known[number] = nil }
}
