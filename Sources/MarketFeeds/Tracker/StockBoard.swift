import StreamCore

/// All stocks with their prices: what every view of the tracker reads, so that the list and the detail never differ.
public struct StockBoard: Sendable {
    /// What became of the messages.
    public struct Counts: Sendable, Equatable {
        public var received = 0
        public var applied = 0
        public var flaws = Tally<StockFlaw>()

        /// Messages that were of no use.
        public var malformed: Int { StockFlaw.allCases.reduce(0) { $0 + flaws[$1] } }
    }

    /// Seconds by which another clock may be ahead of this one.
    public static let clockTolerance = 60.0

    public let stocks: [TrackedStock]
    public private(set) var prices: [StockPrice]
    public private(set) var counts = Counts()
    private let indices: [String: Int]

    public init(_ stocks: [TrackedStock]) {
        self.stocks = stocks
        prices = stocks.map(StockPrice.init)
        // A list that was read has each symbol once; of another one the first counts.
        indices = Dictionary(stocks.enumerated().map { ($1.symbol, $0) }, uniquingKeysWith: { first, _ in first })
    }

    public func index(of symbol: String) -> Int? { indices[symbol] }

    /// Reads one message. What is wrong with one costs that one and is counted; the next is read as if nothing had been.
    /// - Parameters:
    ///   - now: on the clock of `StockPrice.changedAt`.
    ///   - wallClock: seconds since 1970 UTC, to recognise times that are still to come.
    /// - Returns: the stock whose price it had.
    public mutating func receive(_ bytes: UnsafeRawBufferPointer, now: Double, wallClock: Double) -> Int? {
        counts.received += 1
        do throws(StockFlaw) {
            let stock = try apply(try StockMessage(bytes), now: now, wallClock: wallClock)
            counts.applied += 1
            return stock
        } catch {
            counts.flaws.add(error)
            return nil
        }
    }

    private mutating func apply(_ message: StockMessage, now: Double, wallClock: Double) throws(StockFlaw) -> Int {
        guard let index = indices[message.symbol] else { throw .unknownSymbol }
        switch message.value {
        case .delta(let delta):
            guard let price = stocks[index].price(delta: delta) else { throw .notAPrice }
            prices[index].accept(price, now: now)
        case .price(let stated, let timestamp):
            guard let price = stocks[index].price(delta: stated - stocks[index].initialPrice) else { throw .notAPrice }
            if let timestamp {
                // An accepted one would make all that follow it late.
                guard timestamp <= wallClock + Self.clockTolerance else { throw .inTheFuture }
                guard timestamp >= prices[index].statedAt else { throw .outOfOrder }
                prices[index].statedAt = timestamp
            }
            prices[index].accept(price, now: now)
        }
        return index
    }
}

/// The order in which a list shows its stocks.
///
/// It is recomputed on a cadence and not with each price, and not at all while the list is held: what one is about to
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
        // The user requested it: at once, held or not.
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
            let isBefore =
                switch key {
                case .price: Self.isLess(board.prices[b].current, board.prices[a].current)
                case .change: Self.isLess(board.prices[b].changePercent ?? 0, board.prices[a].changePercent ?? 0)
                case .symbol: Self.isLess(board.stocks[a].symbol, board.stocks[b].symbol)
                }
            return isBefore ?? (places[a, default: 0] < places[b, default: 0])
        }
        defer { stocks = sorted }
        return sorted != stocks
    }

    private static func isLess<Value: Comparable>(_ a: Value, _ b: Value) -> Bool? { a == b ? nil : a < b }
}
