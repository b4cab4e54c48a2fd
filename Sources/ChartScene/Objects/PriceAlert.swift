/// Fires once when the last price crosses a price. A pure machine: prices go in, whether it fires comes out.
///
/// The first price only decides on which side the market is. Coming to the price is crossing it; a price that stays on it
/// is on no side, so going back from there is none.
public struct PriceAlert: Sendable, Equatable {
    public enum Direction: UInt8, CaseIterable, Sendable {
        // Raw values are the boundary's numbers: append only.
        case either, up, down
    }

    public let id: Int
    public let price: Double
    public let direction: Direction
    /// It has fired, and does not again before `rearm`.
    public private(set) var isFired = false
    /// Whether the market was above the price; `nil` before it was on a side.
    private var wasAbove: Bool?

    public init(id: Int, price: Double, direction: Direction = .either) {
        self.id = id
        self.price = price
        self.direction = direction
    }

    /// The last price is now this one.
    /// - Returns: whether it fires, which is at most once.
    public mutating func update(last: Double) -> Bool {
        guard !isFired, last.isFinite, price.isFinite else { return false }
        guard let above = wasAbove else {
            if last != price { wasAbove = last > price }
            return false
        }
        let crossesUp = !above && last >= price
        let crossesDown = above && last <= price
        wasAbove = last == price ? nil : last > price
        switch direction {
        case .either: isFired = crossesUp || crossesDown
        case .up: isFired = crossesUp
        case .down: isFired = crossesDown
        }
        return isFired
    }

    /// Makes it ready again; the next price decides the side.
    public mutating func rearm() {
        isFired = false
        wasAbove = nil
    }
}
