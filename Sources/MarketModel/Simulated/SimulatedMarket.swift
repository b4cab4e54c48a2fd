/// A market of the simulated exchange: where it starts and how it moves.
public struct SimulatedMarket: Sendable, Equatable {
    public let market: Market
    /// Price at the first start.
    public let price: Double
    /// The walk's step: within two seconds the price moves by at most this fraction, up or down.
    public let volatility: Double
    /// Decimals of a trade's quantity.
    public let quantityDecimals: Int
    /// A usual trade's quantity, in the base currency.
    public let usualQuantity: Double
    /// Its share of all trades, relative to the others'.
    public let activity: Double

    public init(
        market: Market, price: Double, volatility: Double, quantityDecimals: Int, usualQuantity: Double,
        activity: Double
    ) {
        self.market = market
        self.price = price
        self.volatility = volatility
        self.quantityDecimals = quantityDecimals
        self.usualQuantity = usualQuantity
        self.activity = activity
    }

    private init(
        _ base: String, price: Double, precision: Int, volatility: Double, quantity: Double, decimals: Int,
        activity: Double
    ) {
        self.init(
            market: Market(symbol: "\(base)-USD", baseCurrency: base, quoteCurrency: "USD", precision: precision),
            price: price, volatility: volatility, quantityDecimals: decimals, usualQuantity: quantity,
            activity: activity)
    }

    /// The twelve pairs, from the calmest (0.08 %) to the liveliest (0.15 %).
    public static let all: [SimulatedMarket] = [
        .init("BTC", price: 67_234.50, precision: 2, volatility: 0.0008, quantity: 0.045, decimals: 6, activity: 6),
        .init("ETH", price: 3_456.78, precision: 2, volatility: 0.0009, quantity: 0.62, decimals: 5, activity: 5),
        .init("SOL", price: 178.92, precision: 2, volatility: 0.0012, quantity: 9.4, decimals: 4, activity: 4),
        .init("XRP", price: 0.6234, precision: 4, volatility: 0.0011, quantity: 1_850, decimals: 2, activity: 3),
        .init("ADA", price: 0.4567, precision: 4, volatility: 0.0012, quantity: 2_300, decimals: 2, activity: 2),
        .init("DOGE", price: 0.12345, precision: 5, volatility: 0.0015, quantity: 8_200, decimals: 1, activity: 3),
        .init("AVAX", price: 36.78, precision: 2, volatility: 0.0013, quantity: 31, decimals: 3, activity: 2),
        .init("LINK", price: 14.523, precision: 3, volatility: 0.0012, quantity: 74, decimals: 3, activity: 2),
        .init("DOT", price: 7.234, precision: 3, volatility: 0.0012, quantity: 140, decimals: 3, activity: 1.5),
        .init("LTC", price: 84.56, precision: 2, volatility: 0.0010, quantity: 12, decimals: 4, activity: 1.5),
        .init("BCH", price: 456.78, precision: 2, volatility: 0.0011, quantity: 2.1, decimals: 4, activity: 1.5),
        .init("ATOM", price: 8.912, precision: 3, volatility: 0.0014, quantity: 105, decimals: 3, activity: 1.5),
    ]

    /// The trade that comes after this many seconds: moves the walk, and draws how much was traded.
    /// - Parameter timestamp: the trade's time, seconds since 1970 UTC.
    package func trade(
        after seconds: Double, timestamp: Double, walk: inout PriceWalk, random: inout SeededGenerator
    ) -> Tick {
        walk.step(seconds: seconds, random: &random)
        let price = walk.price.rounded(decimals: market.precision)
        return Tick(timestamp: timestamp, price: price, volume: tradeQuantity(random: &random))
    }

    /// A trade's quantity: mostly small ones, now and then a large one.
    private func tradeQuantity(random: inout SeededGenerator) -> Double {
        let unit = random.unit()
        let size = usualQuantity * (0.05 + unit * unit / (1.04 - unit))
        let rounded = size.rounded(decimals: quantityDecimals)
        return rounded > 0 ? rounded : 1.0.rounded(decimals: quantityDecimals)
    }

    /// The mean of `tradeQuantity` in usual quantities: 0.05 + the integral of u²/(1.04 - u) over 0...1.
    static let meanTradeSize = 2.034

    /// Also one of those that `first` makes.
    public static func named(_ symbol: String) -> SimulatedMarket? {
        if let known = all.first(where: { $0.market.symbol == symbol }) { return known }
        var number = 0
        for byte in symbol.utf8.dropFirst(prefix.utf8.count).prefix(5) where 48...57 ~= byte {
            number = number * 10 + Int(byte) - 48
        }
        guard number > all.count, number <= most else { return nil }
        let made = numbered(number)
        return made.market.symbol == symbol ? made : nil
    }

    // MARK: Many markets

    /// The most markets of an exchange.
    public static let most = 10_000
    private static let prefix = "SIM"

    /// So many markets: the twelve, and behind them others made by their number, `SIM13-USD` and so on.
    public static func first(_ count: Int) -> [SimulatedMarket] {
        Array(all.prefix(count)) + (all.count..<max(all.count, count)).map { numbered($0 + 1) }
    }

    /// Whether the exchange makes a history for it. Those of thousands of markets would take minutes, and gigabytes.
    package var hasHistory: Bool { SimulatedMarket.all.contains(self) }

    private static func numbered(_ number: Int) -> SimulatedMarket {
        var random = SeededGenerator(seed: UInt64(number))
        var price = 1 + 9 * random.unit()
        for _ in 0..<number % 4 { price *= 10 }
        let precision = number % 4 == 0 ? 4 : 2
        return SimulatedMarket(
            prefix + String(number), price: price.rounded(decimals: precision), precision: precision,
            volatility: 0.0008 + 0.0007 * random.unit(), quantity: 3_000 / price, decimals: 3, activity: 1)
    }
}

extension Double {
    /// Rounded to this many decimals: exactly the double that the decimal text reads as. One that has too few digits for them
    /// stays as it is.
    package func rounded(decimals: Int) -> Double {
        var power = 1.0
        for _ in 0..<decimals { power *= 10 }
        let scaled = (self * power).rounded()
        return scaled.magnitude < 9_007_199_254_740_992 ? scaled / power : self
    }
}
