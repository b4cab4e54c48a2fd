/// An amount in a currency. Amounts of different currencies never meet: there is no rate here.
public struct Money: Hashable, Codable, Sendable, CustomStringConvertible {
    public var amount: ExactDecimal
    /// As the venue writes it: `USD`, `USDT`.
    public var currency: String

    public init(_ amount: ExactDecimal, _ currency: String) {
        self.amount = amount
        self.currency = currency
    }

    /// Exact. Throws ``MoneyError/differentCurrencies(_:_:)`` or ``MoneyError/outOfRange``.
    public static func + (left: Money, right: Money) throws(MoneyError) -> Money {
        guard left.currency == right.currency else { throw .differentCurrencies(left.currency, right.currency) }
        do { return Money(try left.amount + right.amount, left.currency) } catch { throw .outOfRange }
    }

    /// Exact. Throws like addition.
    public static func - (left: Money, right: Money) throws(MoneyError) -> Money {
        try left + Money(-right.amount, right.currency)
    }

    public var description: String { "\(amount) \(currency)" }

    /// For people: `1,204.5 USD`.
    package var grouped: String { "\(amount.grouped) \(currency)" }

    /// For people: with at most the currency's decimals, 2 of a national one and 8 of a coin. One at the end of the range that
    /// cannot be rounded stays as it is.
    package func rounded(_ rounding: DecimalRounding) -> Money {
        let decimals = QuoteCurrency.decimals(of: currency)
        return Money((try? amount.rounded(decimals: decimals, rounding: rounding)) ?? amount, currency)
    }
}

/// Why two amounts have no sum.
public enum MoneyError: Error, Sendable, Hashable, CustomStringConvertible {
    case differentCurrencies(String, String)
    case outOfRange

    public var description: String {
        switch self {
        case .differentCurrencies(let one, let other): "amounts in \(one) and \(other) cannot be combined"
        case .outOfRange: "the amount is out of range"
        }
    }
}

/// The currency that a market's prices are in, where it is not given.
package enum QuoteCurrency {
    /// `USD` for `BTC-USD`, `kraken:BTC/USD` and `BTC-USD-PERP`, `USDT` for `BTCUSDT`; `USD` where the name says nothing.
    package static func of(_ symbol: String) -> String {
        let name = symbol.split(separator: ":").last.map(String.init) ?? symbol
        let parts = name.split(whereSeparator: { $0 == "-" || $0 == "/" || $0 == "_" })
        if parts.count > 1 { return parts[1].uppercased() }
        let upper = name.uppercased()
        return known.first { upper.hasSuffix($0) && upper.utf8.count > $0.utf8.count } ?? "USD"
    }

    /// Decimals of a currency's money: two of a national one and of a coin that stands for one, eight of other coins.
    package static func decimals(of currency: String) -> Int { national.contains(currency) ? 2 : 8 }

    private static let known = national + ["BTC", "ETH", "BNB"]
    private static let national = [
        "FDUSD", "USDT", "USDC", "TUSD", "BUSD", "USD", "EUR", "GBP", "JPY", "CHF", "AUD", "TRY", "BRL",
        "CAD",
    ]
}
