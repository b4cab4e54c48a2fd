public import TradingCore

/// The live state as an assistant may cite it: what is on screen, at one moment, each figure with its time.
public struct MarketSnapshot: Sendable, Hashable {
    public struct Quote: Sendable, Hashable {
        /// As the server names the market.
        public var symbol: String
        /// Of the last trade, in the quote currency; `nil` before the first.
        public var price: Double?
        /// Of the last trade, seconds since 1970 UTC.
        public var tickTime: Double?
        /// When that came in, by the clock of `MarketSnapshot.time`; `nil`: at its time. A venue's clock may be behind.
        public var receivedAt: Double?
        /// Decimals of its prices.
        public var precision: Int
        public var changePercent24h: Double?
        public var high24h: Double?
        public var low24h: Double?
        public var indicators: [Reading]

        public init(
            symbol: String, price: Double?, tickTime: Double?, receivedAt: Double? = nil, precision: Int = 2,
            changePercent24h: Double? = nil, high24h: Double? = nil, low24h: Double? = nil, indicators: [Reading] = []
        ) {
            self.symbol = symbol
            self.price = price
            self.tickTime = tickTime
            self.receivedAt = receivedAt
            self.precision = precision
            self.changePercent24h = changePercent24h
            self.high24h = high24h
            self.low24h = low24h
            self.indicators = indicators
        }
    }

    /// An indicator's last value on the chart.
    public struct Reading: Sendable, Hashable {
        /// For example `RSI 14`.
        public var name: String
        public var value: Double
        /// Of the candle it belongs to, seconds since 1970 UTC.
        public var time: Double

        public init(name: String, value: Double, time: Double) {
            self.name = name
            self.value = value
            self.time = time
        }
    }

    public struct Holding: Sendable, Hashable {
        public var symbol: String
        public var side: PositionSide
        public var quantity: ExactDecimal
        public var entryPrice: ExactDecimal
        /// In `currency`; `nil` while the market has no price.
        public var unrealizedProfit: ExactDecimal?
        public var currency: String

        public init(
            symbol: String, side: PositionSide, quantity: ExactDecimal, entryPrice: ExactDecimal,
            unrealizedProfit: ExactDecimal?, currency: String
        ) {
            self.symbol = symbol
            self.side = side
            self.quantity = quantity
            self.entryPrice = entryPrice
            self.unrealizedProfit = unrealizedProfit
            self.currency = currency
        }
    }

    public struct Feed: Sendable, Hashable {
        public var name: String
        public var isConnected: Bool
        /// When its last trade came in, seconds since 1970 UTC. What keeps a connection alive comes more often.
        public var lastTradeAt: Double?

        public init(name: String, isConnected: Bool, lastTradeAt: Double?) {
            self.name = name
            self.isConnected = isConnected
            self.lastTradeAt = lastTradeAt
        }
    }

    /// Seconds since 1970 UTC.
    public var time: Double
    public var quotes: [Quote]
    /// Open paper positions; `nil` where they are not this user's business.
    public var holdings: [Holding]?
    public var feeds: [Feed]
    /// The market and timeframe on screen.
    public var focus: String?
    public var timeframe: String

    public init(
        time: Double, quotes: [Quote] = [], holdings: [Holding]? = [], feeds: [Feed] = [], focus: String? = nil,
        timeframe: String = "1m"
    ) {
        self.time = time
        self.quotes = quotes
        self.holdings = holdings
        self.feeds = feeds
        self.focus = focus
        self.timeframe = timeframe
    }

    /// Seconds after which a price is not cited as the present one.
    public static let staleAfter = 15.0
    /// Seconds that a venue's clock may be behind: a trade that is sent later is old when it comes.
    public static let longestDelay = 60.0

    public func quote(_ symbol: String) -> Quote? { quotes.first { $0.symbol == symbol } }

    public func isStale(_ quote: Quote) -> Bool {
        guard let tickTime = quote.tickTime else { return true }
        return time - (quote.receivedAt ?? tickTime) > Self.staleAfter
            || time - tickTime > Self.staleAfter + Self.longestDelay
    }
}
