public import MarketModel

/// A market as a list shows it. Prices are in the quote currency, those of the last trade unless it says otherwise.
///
/// A market that has not traded yet has no price; figures of 24 hours are `nil` until there is something to compare with.
public struct MarketInfo: Codable, Hashable, Sendable, Identifiable {
    /// As the server names it, for example `BTC-USD`.
    public var symbol: String
    /// As people call it, for example `Apple Inc`; `nil` where the venue does not say.
    public var name: String?
    public var baseCurrency: String
    public var quoteCurrency: String
    /// Decimals of its prices.
    public var precision: Int
    public var price: Double?
    /// The best price that a buyer offers, and the one that a seller accepts; `nil` where the venue sends none.
    public var bid: Double?
    public var ask: Double?
    /// Of the last trade, seconds since 1970 UTC.
    public var timestamp: Double?
    /// 24 hours ago.
    public var open24h: Double?
    public var high24h: Double?
    public var low24h: Double?
    /// In the base currency.
    public var volume24h: Double?
    /// In the quote currency.
    public var change24h: Double?
    public var changePercent24h: Double?
    /// The trading session of the last trade; `nil` where the venue reports none.
    public var session: MarketSession?
    /// The highest leverage of an order; `nil` where the service does not say.
    public var maxLeverage: Int?
    /// Closes of the last 24 hours, oldest first.
    public var sparkline: [Double]

    public var id: String { symbol }

    /// - Parameter day: the last 24 hours; nil: not known.
    public init(
        _ market: Market, price: Double?, timestamp: Double?, bid: Double? = nil, ask: Double? = nil,
        day: DayStatistics? = nil, sparkline: [Double] = [], name: String? = nil, session: MarketSession? = nil,
        maxLeverage: Int? = nil
    ) {
        symbol = market.symbol
        self.name = name
        baseCurrency = market.baseCurrency
        quoteCurrency = market.quoteCurrency
        precision = market.precision
        self.price = price
        self.bid = bid
        self.ask = ask
        self.timestamp = timestamp
        open24h = day?.open
        high24h = day?.high
        low24h = day?.low
        volume24h = day?.volume
        change24h = day?.change
        changePercent24h = day?.changePercent
        self.session = session
        self.maxLeverage = maxLeverage
        self.sparkline = sparkline
    }

    enum CodingKeys: String, CodingKey {
        case symbol, name, session, precision, price, bid, ask, timestamp, sparkline
        case baseCurrency = "base"
        case quoteCurrency = "quote"
        case open24h = "open_24h"
        case high24h = "high_24h"
        case low24h = "low_24h"
        case volume24h = "volume_24h"
        case change24h = "change_24h"
        case changePercent24h = "change_percent_24h"
        case maxLeverage = "max_leverage"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        symbol = try container.decode(String.self, forKey: .symbol)
        name = try container.decodeIfPresent(String.self, forKey: .name)
        baseCurrency = try container.decode(String.self, forKey: .baseCurrency)
        quoteCurrency = try container.decode(String.self, forKey: .quoteCurrency)
        precision = try container.decodeIfPresent(Int.self, forKey: .precision) ?? 2
        price = try container.decodeIfPresent(Double.self, forKey: .price)
        bid = try container.decodeIfPresent(Double.self, forKey: .bid)
        ask = try container.decodeIfPresent(Double.self, forKey: .ask)
        timestamp = try container.decodeIfPresent(Double.self, forKey: .timestamp)
        open24h = try container.decodeIfPresent(Double.self, forKey: .open24h)
        high24h = try container.decodeIfPresent(Double.self, forKey: .high24h)
        low24h = try container.decodeIfPresent(Double.self, forKey: .low24h)
        volume24h = try container.decodeIfPresent(Double.self, forKey: .volume24h)
        change24h = try container.decodeIfPresent(Double.self, forKey: .change24h)
        changePercent24h = try container.decodeIfPresent(Double.self, forKey: .changePercent24h)
        session = try container.decodeIfPresent(MarketSession.self, forKey: .session)
        maxLeverage = try container.decodeIfPresent(Int.self, forKey: .maxLeverage)
        sparkline = try container.decodeIfPresent([Double].self, forKey: .sparkline) ?? []
    }
}
