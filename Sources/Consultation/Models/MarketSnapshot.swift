internal import MarketModel
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
    public static let maxDelay = 60.0

    public func quote(_ symbol: String) -> Quote? { quotes.first { $0.symbol == symbol } }

    public func isStale(_ quote: Quote) -> Bool {
        guard let tickTime = quote.tickTime else { return true }
        return time - (quote.receivedAt ?? tickTime) > Self.staleAfter
            || time - tickTime > Self.staleAfter + Self.maxDelay
    }
}

extension MarketSnapshot {
    /// A market in one sentence, with the tick's time; of a stale one its age and no price.
    /// - Parameter written: a decimal as it stands in the sentence.
    func sentence(_ quote: Quote, _ written: (String) -> String = Self.grouped) -> String {
        guard let price = quote.price, let tickTime = quote.tickTime else {
            return "\(quote.symbol) has not traded yet."
        }
        guard !isStale(quote) else {
            return "\(quote.symbol) last ticked \(Self.age(time - tickTime)) ago, at \(Self.clock(tickTime)); "
                + "that is too old to be called its price."
        }
        func decimals(_ value: Double) -> String { written(Self.fixed(value, quote.precision)) }
        var text = "\(quote.symbol) is at \(decimals(price)) (tick of \(Self.clock(tickTime)))"
        if let change = quote.changePercent24h {
            text += ", \(change < 0 ? "down" : "up") \(written(Self.fixed(change.magnitude, 2))) % in 24 hours"
        }
        if let low = quote.low24h, let high = quote.high24h {
            text += ", between \(decimals(low)) and \(decimals(high))"
        }
        return text + "."
    }

    func sentence(_ holding: Holding, _ written: (String) -> String = Self.grouped) -> String {
        var text =
            "\(holding.side.rawValue.capitalizedFirst) \(written(holding.quantity.description)) \(holding.symbol) from "
            + written(holding.entryPrice.description)
        if let profit = holding.unrealizedProfit {
            text += ", \(profit.isNegative ? "losing" : "gaining") \(written(profit.magnitude.description)) "
            text += holding.currency
        } else {
            text += ", its result is not known without a price"
        }
        return text + "."
    }

    func sentence(_ feed: Feed) -> String {
        guard feed.isConnected else { return "\(feed.name) is not connected." }
        guard let lastTradeAt = feed.lastTradeAt else { return "\(feed.name) is connected; no trade has come in yet." }
        return "\(feed.name) is connected; its last trade came in \(Self.age(max(0, time - lastTradeAt))) ago."
    }

    /// Everything, a line each, for a language model.
    public var summary: String {
        // Without groups: a model copies numbers into fields.
        var lines = ["Live state at \(RFC3339.text(time)):"]
        if let focus { lines.append("The user looks at \(focus), \(timeframe) candles.") }
        lines += quotes.prefix(50).map { sentence($0) { $0 } }
        for quote in quotes.prefix(50) where !quote.indicators.isEmpty {
            lines.append("\(quote.symbol): \(Self.readings(quote) { $0 })")
        }
        if let holdings {
            lines += holdings.prefix(50).map { sentence($0) { $0 } }
        } else {
            lines.append(Self.hiddenHoldings)
        }
        lines += feeds.map(sentence)
        return lines.joined(separator: "\n")
    }

    static func readings(_ quote: Quote, _ written: (String) -> String = grouped) -> String {
        quote.indicators
            .map { "\($0.name) \(written(fixed($0.value, quote.precision))) (candle of \(clock($0.time)))" }
            .joined(separator: ", ") + "."
    }

    static let hiddenHoldings =
        "Paper positions are not shown in this consultation: they are for those with this server's stream token."

    /// `10:00:05 UTC`.
    static func clock(_ time: Double) -> String { "\(RFC3339.text(time).dropFirst(11).prefix(8)) UTC" }

    static func age(_ seconds: Double) -> String {
        switch seconds {
        case ..<120: "\(Int(max(0, seconds))) s"
        case ..<7_200: "\(Int(seconds / 60)) min"
        case ..<172_800: "\(Int(seconds / 3600)) h"
        default: seconds < 1e12 ? "\(Int(seconds / 86_400)) days" : "long"
        }
    }

    /// A decimal with commas between thousands, as the page writes it: `67,278.62`.
    package static func grouped(_ decimal: String) -> String { decimal.grouped }

    /// Rounded to this many decimals.
    static func fixed(_ value: Double, _ decimals: Int) -> String {
        let places = min(max(decimals, 0), 12)
        var scale = 1.0
        for _ in 0..<places { scale *= 10 }
        let scaled = (value.magnitude * scale).rounded()
        guard scaled < 9e15 else { return "\(value)" }
        let digits = "\(Int64(scaled))"
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        let text = places == 0 ? padded : "\(padded.dropLast(places)).\(padded.suffix(places))"
        return value < 0 && scaled > 0 ? "-\(text)" : text
    }
}

extension String {
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
