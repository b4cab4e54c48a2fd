public import MarketModel

/// A trade, in the same words whichever venue it is from.
public struct VenueTrade: Sendable {
    /// What the taker did: bought from a resting sell order, or sold to a resting buy order.
    public enum Side: String, Sendable {
        case buy, sell, unknown

        /// The maker's side, of the taker's; and the reverse.
        var opposite: Side { self == .buy ? .sell : self == .sell ? .buy : .unknown }
    }

    /// Which stream it came in; a venue may send the same trade in two of them.
    enum Stream: UInt8, Sendable { case trades, aggregates }

    /// The number of its market; set by the session.
    public internal(set) var market = -1
    /// Seconds since 1970 UTC, price, and the quantity of the base currency.
    public var tick: Tick
    public var side: Side
    var stream = Stream.trades
    /// What a subscription begins with, maybe minutes old: as a market's first, it only says where the numbers stand.
    var mayBeOld = false
    /// A ticker's last trade, out of step with the stream of trades: where that comes, it does not show a gap.
    var isFromTicker = false
    /// The venue's name of it, as written; empty where trades have none.
    public var name: VenueText
    /// The digits as the venue wrote them.
    public var price: VenueText
    public var volume: VenueText

    var symbol: VenueText
    /// The market's slot, where the message does not name the market itself.
    var slot = -1
    /// The same as `name`, as a number.
    var id: UInt64
    /// Decimals of the price as written, without trailing zeros.
    public internal(set) var priceDecimals: Int

    /// - Parameters:
    ///   - time: seconds since 1970 UTC.
    ///   - id: none where trades have no numbers.
    @inline(__always)
    init(
        _ symbol: VenueText, at time: Double, price: VenueDecimal, volume: VenueDecimal, side: Side,
        id: (value: UInt64, text: VenueText) = (0, .none)
    ) {
        tick = Tick(timestamp: time, price: price.value, volume: volume.value)
        self.side = side
        name = id.text
        self.price = price.text
        self.volume = volume.text
        self.symbol = symbol
        self.id = id.value
        priceDecimals = price.decimals
    }

    /// What shows whether it is new: all that its numbering looks at.
    struct Mark {
        var id: UInt64
        var stream: Stream
        var mayBeOld: Bool
        var isFromTicker: Bool
        var priceDecimals: Int
    }

    var mark: Mark {
        Mark(id: id, stream: stream, mayBeOld: mayBeOld, isFromTicker: isFromTicker, priceDecimals: priceDecimals)
    }
}
