import MarketModel

/// Which way the last message moved a price.
public enum PriceDirection: Sendable, Equatable {
    case up, down, unchanged

    init(from old: Double, to new: Double) { self = new > old ? .up : new < old ? .down : .unchanged }

    /// Never said by colour alone.
    public var arrow: String {
        switch self {
        case .up: "↑"
        case .down: "↓"
        case .unchanged: "→"
        }
    }
}

/// What is known of a stock's price.
public struct StockPrice: Sendable, Equatable {
    public let initial: Double
    public private(set) var current: Double
    /// Against the price before.
    public private(set) var direction = PriceDirection.unchanged
    /// When the price last changed, by the tracker's clock; `-infinity`: never.
    public private(set) var changedAt = -Double.infinity
    /// Messages that had its price.
    public private(set) var messages = 0
    /// The newest time that a message said it was made at.
    var statedAt = -Double.infinity

    init(_ stock: TrackedStock) {
        initial = stock.initialPrice
        current = stock.price(delta: stock.initialDelta) ?? stock.initialPrice
    }

    /// Against the initial price.
    public var change: Double { (current - initial).rounded(decimals: 8) }
    /// In percent of the initial price; `nil` where that is not above zero.
    public var changePercent: Double? { initial > 0 ? change / initial * 100 : nil }

    /// Whether the price changed just now.
    public func isFlashing(now: Double, for seconds: Double) -> Bool { now - changedAt < seconds }

    mutating func accept(_ price: Double, now: Double) {
        direction = PriceDirection(from: current, to: price)
        if direction != .unchanged { changedAt = now }
        current = price
        messages += 1
    }
}
