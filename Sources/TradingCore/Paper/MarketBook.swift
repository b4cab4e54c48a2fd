internal import MarketModel

/// One market as the exchange sees it: the latest trade, and who waits for the next ones.
struct MarketBook: Sendable {
    let symbol: String
    let currency: String

    /// The latest trade; a price of 0 before the first.
    private(set) var tick = Tick(timestamp: 0, price: 0, volume: 0)
    /// What our fills took of the latest trade's volume. The next trade starts anew.
    var used = ExactDecimal.zero

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

    /// Prices strictly between these two concern nobody: no order, and no margin.
    private(set) var quietAbove = Double.infinity
    private(set) var quietBelow = -Double.infinity
    /// The same for the margin alone: while every market's price is inside its own band, no warning is due.
    var marginBand = (low: -Double.infinity, high: Double.infinity)
    /// Whether the account has a position here, so that a new mark changes what it is worth.
    var isHeld = false
    /// Whether the quiet range has to be found anew.
    var isStale = true

    /// Beyond these a tick is no market's.
    static let greatestPrice = 1e15
    static let greatestVolume = 1e18

    init(symbol: String, currency: String) {
        self.symbol = symbol
        self.currency = currency
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

    static func isSound(_ tick: Tick) -> Bool {
        tick.price > 0 && tick.price <= greatestPrice && tick.volume >= 0 && tick.volume <= greatestVolume
            && tick.timestamp.magnitude < 1e12
    }

    mutating func findQuietRange(trailing: (above: Double, below: Double)) {
        isStale = false
        if !takers.isEmpty {
            (quietAbove, quietBelow) = (.infinity, -.infinity)
            return
        }
        quietAbove = max(
            0, trailing.above, marginBand.low, buyLimits.first?.double ?? 0, sellStops.first?.double ?? 0)
        quietBelow = min(
            Self.greatestPrice, trailing.below, marginBand.high, sellLimits.first?.double ?? .infinity,
            buyStops.first?.double ?? .infinity)
    }
}
