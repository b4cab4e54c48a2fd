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

    /// Takes one message. What is wrong with one costs that one and is counted; the next is read as if nothing had been.
    /// - Parameters:
    ///   - now: on the clock of `StockPrice.changedAt`.
    ///   - wallClock: seconds since 1970 UTC, to tell times that are still to come.
    /// - Returns: the stock it told the price of.
    public mutating func take(_ bytes: UnsafeRawBufferPointer, now: Double, wallClock: Double) -> Int? {
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

    private mutating func apply(
        _ message: StockMessage, now: Double, wallClock: Double
    ) throws(StockFlaw) -> Int {
        guard let index = indices[message.symbol] else { throw .unknownSymbol }
        switch message.value {
        case .delta(let delta):
            guard let price = stocks[index].price(delta: delta) else { throw .notAPrice }
            prices[index].take(price, now: now)
        case .price(let stated, let timestamp):
            guard let price = stocks[index].price(delta: stated - stocks[index].initialPrice) else { throw .notAPrice }
            if let timestamp {
                // One taken for good would make all that follow it late.
                guard timestamp <= wallClock + Self.clockTolerance else { throw .inTheFuture }
                guard timestamp >= prices[index].statedAt else { throw .outOfOrder }
                prices[index].statedAt = timestamp
            }
            prices[index].take(price, now: now)
        }
        return index
    }
}
