public import MarketModel

/// A trade as a venue tells it, in the same words whichever venue it is.
public struct VenueTrade: Sendable {
    /// What the one who came second did: bought from a waiting seller, or sold to a waiting buyer.
    public enum Side: String, Sendable {
        case buy, sell, unknown

        /// What the one who had waited did.
        var opposite: Side {
            switch self {
            case .buy: .sell
            case .sell: .buy
            case .unknown: .unknown
            }
        }
    }

    /// Which stream it came in; a venue may tell the same trade in two of them.
    enum Stream: UInt8, Sendable { case trades, aggregates }

    /// The number of its market; set by the session.
    public internal(set) var market = -1
    /// Seconds since 1970 UTC, price, and the quantity of the base currency.
    public var tick: Tick
    public var side: Side
    var stream = Stream.trades
    /// What a subscription begins with, maybe minutes old: as the first that a market tells, it only says where the
    /// numbers stand.
    var mayBeOld = false
    /// Told beside the venue's trades, of which it may leave out some or be ahead: where those are told, nothing is missing
    /// because of it.
    var isSecondHand = false
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

    /// What tells whether it is new: all that its numbering looks at.
    struct Mark {
        var id: UInt64
        var stream: Stream
        var mayBeOld: Bool
        var isSecondHand: Bool
        var priceDecimals: Int
    }

    var mark: Mark {
        Mark(id: id, stream: stream, mayBeOld: mayBeOld, isSecondHand: isSecondHand, priceDecimals: priceDecimals)
    }
}
