internal import MarketModel

/// The markets that an exchange knows: by their index, by their symbol, and by the account's holdings.
struct Markets: Sendable {
    private var books: [MarketBook] = []
    private var indices: [String: Int] = [:]
    /// For each of the account's holdings, its market.
    private(set) var ofHolding: [Int] = []
    /// Markets whose quiet range is out of date.
    private var stale: [Int] = []

    var count: Int { books.count }

    subscript(market: Int) -> MarketBook {
        @inline(__always) _read { yield books[market] }
        @inline(__always) _modify { yield &books[market] }
    }

    @inline(__always)
    func contains(_ market: Int) -> Bool { books.indices.contains(market) }

    func index(of symbol: String) -> Int? { indices[symbol] }

    /// The last price of a market.
    func price(_ symbol: String) -> ExactDecimal? { indices[symbol].flatMap { books[$0].price } }

    /// - Parameter countsVolume: whether the fill model counts what is traded.
    mutating func add(_ symbol: String, currency: String, countsVolume: Bool) -> Int {
        indices[symbol] = books.count
        books.append(MarketBook(symbol: symbol, currency: currency, volumes: countsVolume ? .unknown : .present))
        stale.append(books.count - 1)
        return books.count - 1
    }

    /// The account's next holding is in this market.
    mutating func addHolding(in market: Int) {
        books[market].holding = ofHolding.count
        ofHolding.append(market)
    }

    /// After a reset: the account holds nothing.
    mutating func removeHoldings() {
        ofHolding = []
        for market in books.indices {
            books[market].removeHolding()
            invalidate(market)
        }
    }

    /// Marks a market's quiet range as out of date.
    mutating func invalidate(_ market: Int) {
        if books[market].isStale { return }
        books[market].isStale = true
        stale.append(market)
    }

    mutating func popStale() -> Int? { stale.popLast() }
}

/// A market's latest trade, and the range of prices around it in which nothing happens.
struct MarketBook: Sendable {
    // What each tick looks at comes first, side by side.

    /// The latest trade; a price of 0 before the first.
    private(set) var tick = Tick(timestamp: 0, price: 0, volume: 0)
    /// Prices strictly between these two concern no order and no margin.
    private(set) var quietAbove = Double.infinity
    private(set) var quietBelow = -Double.infinity
    /// Whether the account has a position here, so that a new mark changes what it is worth.
    var isHeld = false
    /// Whether the position or the mark has changed since the margin monitor last valued them.
    var isPositionStale = false
    /// Whether the market's trades have a volume. Until one had, every trade is matched: ``record(_:)`` looks at none.
    private(set) var volumes: TradedVolumes
    /// Whether the quiet range has to be found again.
    fileprivate(set) var isStale = true
    /// What our fills used of the latest trade's volume. The next trade starts at zero.
    var used = ExactDecimal.zero

    /// What was used of trades before a restart, and the time of the last of them. The first trade after it ends this.
    private var recalled: [UsedTrade: ExactDecimal] = [:]
    private var recalledUntil = -Double.infinity

    let symbol: String
    let currency: String
    /// The market's index among the account's holdings, once it has any order.
    fileprivate(set) var holding: Int?

    /// Beyond these a tick is no market's.
    private static let greatestPrice = 1e15
    private static let greatestVolume = 1e18
    /// A lower price has no decimals left; it is looked at before it is refused.
    private static let leastPrice = 1e-16

    fileprivate init(symbol: String, currency: String, volumes: TradedVolumes) {
        self.symbol = symbol
        self.currency = currency
        self.volumes = volumes
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

    static func isSound(_ tick: Tick) -> Bool {
        tick.price > 0 && tick.price <= greatestPrice && tick.volume >= 0 && tick.volume <= greatestVolume
            && tick.timestamp.magnitude < 1e12
    }

    @inline(__always)
    mutating func record(_ next: Tick) {
        tick = next
        used = .zero
    }

    /// After a trade was recorded. From the first volume on one without has nothing to fill from.
    mutating func noteVolume() {
        if volumes != .present { volumes = tick.volume > 0 ? .present : .absent }
    }

    /// Undoes the recording of a trade.
    mutating func restore(_ earlier: Tick, used: ExactDecimal) {
        tick = earlier
        self.used = used
    }

    /// There is no latest trade any more.
    mutating func removeTrade() { record(Tick(timestamp: 0, price: 0, volume: 0)) }

    fileprivate mutating func removeHolding() {
        holding = nil
        recalled = [:]
        isHeld = false
        isPositionStale = false
    }

    /// - Parameters:
    ///   - orders: prices between which no order is due.
    ///   - margin: prices between which no margin has to be checked.
    mutating func setQuietRange(orders: (above: Double, below: Double), margin: (above: Double, below: Double)) {
        isStale = false
        let matchesAll = volumes != .present || !recalled.isEmpty
        quietAbove = matchesAll ? .infinity : max(Self.leastPrice, orders.above, margin.above)
        quietBelow = matchesAll ? -.infinity : min(Self.greatestPrice, orders.below, margin.below)
    }

    /// Remembers what fills before a restart used of a trade, for a feed that sends trades again.
    mutating func recall(_ receipt: FillReceipt) {
        let trade = UsedTrade(time: receipt.tradeTime, price: receipt.tradePrice, volume: receipt.tradeVolume)
        recalled[trade] = (try? (recalled[trade] ?? .zero) + receipt.tradeUsed) ?? .greatest
        recalledUntil = max(recalledUntil, trade.time)
        volumes = .present
    }

    /// After a trade was recorded: it is a new one, or one that fills were made from before.
    mutating func applyRecalledUse() {
        if recalled.isEmpty { return }
        if tick.timestamp > recalledUntil {
            recalled = [:]
        } else if let price {
            used = recalled[UsedTrade(time: tick.timestamp, price: price, volume: volume)] ?? .zero
        }
    }
}

/// Whether a market's trades have a volume, as far as the exchange has seen them.
enum TradedVolumes {
    /// There was no trade yet.
    case unknown
    /// There were trades, and none had a volume.
    case absent
    /// One had; or the fill model does not count volume.
    case present
}

/// A trade as receipts name it. Two trades that agree in all of this are one.
private struct UsedTrade: Hashable {
    var time: Double
    var price: ExactDecimal
    var volume: ExactDecimal
}
