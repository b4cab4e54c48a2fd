/// A market's trading session, as its venue reports it. Prices are in the quote currency.
public struct MarketSession: Codable, Hashable, Sendable {
    /// At the exchange, `2024-08-08`.
    public var date: String
    public var open: Double
    public var high: Double
    public var low: Double
    /// From the open to the last price.
    public var change: Double
    /// The same in percent of the open.
    public var changePercent: Double

    enum CodingKeys: String, CodingKey {
        case date, open, high, low, change
        case changePercent = "change_percent"
    }

    public init(date: String, open: Double, high: Double, low: Double, change: Double, changePercent: Double) {
        self.date = date
        self.open = open
        self.high = high
        self.low = low
        self.change = change
        self.changePercent = changePercent
    }
}

/// What a price is compared with. `nil`: not known.
public struct ComparisonPeriod: Hashable, Sendable {
    public enum Kind: Hashable, Sendable, CaseIterable {
        case session
        case last24Hours
    }

    public var kind: Kind
    public var open: Double?
    public var high: Double?
    public var low: Double?
    public var change: Double?
    public var changePercent: Double?

    public init(kind: Kind, open: Double?, high: Double?, low: Double?, change: Double?, changePercent: Double?) {
        self.kind = kind
        self.open = open
        self.high = high
        self.low = low
        self.change = change
        self.changePercent = changePercent
    }
}

extension MarketInfo {
    /// The trading session where the venue reports one, else the last 24 hours.
    public var comparison: ComparisonPeriod {
        if let session {
            return ComparisonPeriod(
                kind: .session, open: session.open, high: session.high, low: session.low, change: session.change,
                changePercent: session.changePercent)
        }
        return ComparisonPeriod(
            kind: .last24Hours, open: open24h, high: high24h, low: low24h, change: change24h,
            changePercent: changePercent24h)
    }
}
