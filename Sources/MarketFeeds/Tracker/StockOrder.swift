/// The order in which a list shows its stocks.
///
/// It is made anew on a cadence and not with each price, and not at all while the list is held: what one is about to
/// choose must not move away under the finger. Stocks with equal values keep the order they have.
public struct StockOrder: Sendable {
    public enum Key: String, Sendable, CaseIterable {
        /// The current price, highest first.
        case price
        /// The symbol, A first.
        case symbol
        /// The change in percent of the initial price, largest first.
        case change
    }

    /// Indices into the list of stocks, in the order they are shown.
    public private(set) var stocks: [Int]
    public var key: Key {
        // Somebody asked for it: at once, held or not.
        didSet { if key != oldValue { dueAt = -.infinity } }
    }
    /// Whether the list is being used.
    public var isHeld = false
    /// Seconds from one order to the next.
    public let cadence: Double
    private var dueAt = -Double.infinity

    public init(count: Int, key: Key = .price, cadence: Double = 2) {
        stocks = Array(0..<count)
        self.key = key
        self.cadence = cadence
    }

    /// Sorts, if it is time to.
    /// - Returns: whether anything moved.
    public mutating func update(_ board: StockBoard, now: Double) -> Bool {
        guard now >= dueAt, !isHeld || dueAt == -.infinity else { return false }
        dueAt = now + cadence
        let places = Dictionary(uniqueKeysWithValues: stocks.enumerated().map { ($1, $0) })
        let sorted = stocks.sorted { a, b in
            switch key {
            case .price:
                let (first, second) = (board.prices[a].current, board.prices[b].current)
                if first != second { return first > second }
            case .change:
                let first = board.prices[a].changePercent ?? 0
                let second = board.prices[b].changePercent ?? 0
                if first != second { return first > second }
            case .symbol:
                let (first, second) = (board.stocks[a].symbol, board.stocks[b].symbol)
                if first != second { return first < second }
            }
            return places[a, default: 0] < places[b, default: 0]
        }
        defer { stocks = sorted }
        return sorted != stocks
    }
}
