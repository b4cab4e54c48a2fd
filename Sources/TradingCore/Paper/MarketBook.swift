internal import MarketModel

/// One market as the exchange sees it: the latest trade, and who waits for the next ones.
struct MarketBook: Sendable {
    // What each tick looks at comes first, side by side.

    /// The latest trade; a price of 0 before the first.
    private(set) var tick = Tick(timestamp: 0, price: 0, volume: 0)
    /// Prices strictly between these two concern nobody: no order, and no margin.
    private(set) var quietAbove = Double.infinity
    private(set) var quietBelow = -Double.infinity
    /// Whether the account has a position here, so that a new mark changes what it is worth.
    var isHeld = false
    /// Whether the position or the mark has changed since ``worth`` was computed, or the waiting orders have.
    var isMoved = false
    var isAsked = false
    /// Whether ``worth`` is too large for the currency's sums, and left out of them.
    var isOutsized = false
    /// Whether the quiet range has to be found anew, and the margin band.
    var isStale = true
    var isUnbanded = false
    /// What our fills took of the latest trade's volume. The next trade starts anew.
    var used = ExactDecimal.zero

    /// What was used of trades before a restart, and the time of the last of them. The first trade after it ends this.
    var recalled: [UsedTrade: ExactDecimal] = [:]
    var recalledUntil = -Double.infinity

    /// Waiting limit orders.
    var buyLimits = PriceQueue(highestFirst: true)
    var sellLimits = PriceQueue(highestFirst: false)
    /// Stops that wait for their price.
    var buyStops = PriceQueue(highestFirst: false)
    var sellStops = PriceQueue(highestFirst: true)
    /// Orders that take from the trades as they come, first come first.
    var takers: [Int] = []
    /// Trailing stops, first come first.
    var trails: [Int] = []
    /// Limit orders that wait for luck, in the random model.
    var lottery: [Int] = []

    /// A range of prices like the quiet one, for the margin alone: while every market is inside its own, no warning is due.
    var marginBand = (low: -Double.infinity, high: Double.infinity)
    /// What the account may lose inside the band, counted from its middle.
    var bandShare = 0.0

    let symbol: String
    let currency: String
    /// The currency's index among the exchange's purses.
    let purse: Int
    /// The market's index among the account's holdings, once it has any order.
    var holding: Int?
    /// What the holding adds to the purse's sums.
    var worth = HoldingWorth()
    /// The side that closes the position, as it was after the last fill.
    var lastClosing: Side?

    /// Beyond these a tick is no market's.
    static let greatestPrice = 1e15
    /// What is less has no decimals left; it is looked at before it is refused.
    static let leastPrice = 1e-16
    static let greatestVolume = 1e18

    init(symbol: String, currency: String, purse: Int) {
        self.symbol = symbol
        self.currency = currency
        self.purse = purse
    }

    var hasTrade: Bool { tick.price > 0 }

    /// The latest trade's price. Below 16 decimals it is rounded to the nearest.
    var price: ExactDecimal? { hasTrade ? ExactDecimal(nearest: tick.price) : nil }
    var volume: ExactDecimal { ExactDecimal(nearest: tick.volume) ?? .zero }

    @inline(__always)
    func isQuiet(_ next: Tick) -> Bool {
        next.price > quietAbove && next.price < quietBelow && next.volume >= 0 && next.volume <= Self.greatestVolume
            && next.timestamp.magnitude < 1e12
    }

    @inline(__always)
    mutating func record(_ next: Tick) {
        tick = next
        used = .zero
    }

    /// Takes back a trade that was recorded.
    mutating func restore(_ earlier: Tick, used: ExactDecimal) {
        tick = earlier
        self.used = used
    }

    /// There is no latest trade any more.
    mutating func forgetTrade() { record(Tick(timestamp: 0, price: 0, volume: 0)) }

    /// After the account was begun anew.
    mutating func forgetHolding() {
        holding = nil
        worth = HoldingWorth()
        lastClosing = nil
        recalled = [:]
        marginBand = (-.infinity, .infinity)
        bandShare = 0
        (isHeld, isMoved, isAsked, isOutsized, isUnbanded) = (false, false, false, false, false)
    }

    static func isSound(_ tick: Tick) -> Bool {
        tick.price > 0 && tick.price <= greatestPrice && tick.volume >= 0 && tick.volume <= greatestVolume
            && tick.timestamp.magnitude < 1e12
    }

    mutating func findQuietRange(trailing: (above: Double, below: Double)) {
        isStale = false
        if !takers.isEmpty || !recalled.isEmpty {
            (quietAbove, quietBelow) = (.infinity, -.infinity)
            return
        }
        quietAbove = max(
            Self.leastPrice, trailing.above, marginBand.low, buyLimits.first?.double ?? 0, sellStops.first?.double ?? 0)
        quietBelow = min(
            Self.greatestPrice, trailing.below, marginBand.high, sellLimits.first?.double ?? .infinity,
            buyStops.first?.double ?? .infinity)
    }
}
