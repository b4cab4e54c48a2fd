import TradingCore

/// Book-keeping as one would do it on paper, and independent of TradingCore's arithmetic: whole numbers of 10^-16, and
/// only what was paid and received. No cost basis, no average, no profit: the worth of an account is its capital, what came
/// in, less what went out, and what it holds at the last price.
struct NaiveBook {
    private(set) var capital: [String: Int128] = [:]
    /// What sales brought less what purchases cost, less fees.
    private(set) var flow: [String: Int128] = [:]
    private(set) var fees: [String: Int128] = [:]
    private(set) var forgiven: [String: Int128] = [:]
    /// In 10^-8.
    private(set) var size: [String: Int128] = [:]
    /// Filled by order, in 10^-8.
    private(set) var filled: [String: Int128] = [:]
    private(set) var versions: [String: Int] = [:]

    /// `text` in units of 10^-places; a test's numbers have no more decimals than that.
    static func units(_ value: ExactDecimal, _ places: Int) -> Int128 {
        var text = Substring(value.description)
        let isNegative = text.first == "-"
        if isNegative { text = text.dropFirst() }
        let parts = text.split(separator: ".")
        let fraction = parts.count > 1 ? String(parts[1]) : ""
        precondition(fraction.count <= places, "\(value) has more than \(places) decimals")
        let digits = parts[0] + fraction + String(repeating: "0", count: places - fraction.count)
        return Int128(digits)! * (isNegative ? -1 : 1)
    }

    mutating func read(_ entry: LedgerEntry<Paper>) {
        switch entry.event {
        case .accountOpened(let money), .accountReset(let money):
            self = NaiveBook()
            for money in money { capital[money.currency] = Self.units(money.amount, 16) }
        case .deposited(let money):
            capital[money.currency, default: 0] += Self.units(money.amount, 16)
        case .orderFilled(let fill, let order):
            let quantity = Self.units(fill.quantity, 8)
            let paid = Self.units(fill.price, 8) * quantity
            let sign: Int128 = fill.side == .buy ? 1 : -1
            flow[fill.fee.currency, default: 0] -= sign * paid
            fees[fill.fee.currency, default: 0] += Self.units(fill.fee.amount, 16)
            size[fill.symbol, default: 0] += sign * quantity
            filled[order.id.description, default: 0] += quantity
        case .liquidated(let call):
            forgiven[call.currency, default: 0] += Self.units(call.writtenOff, 16)
        default: break
        }
    }

    /// The account's worth.
    func equity(_ currency: String, marks: [String: (currency: String, price: ExactDecimal)]) -> Int128 {
        var sum = (capital[currency] ?? 0) + (flow[currency] ?? 0) - (fees[currency] ?? 0) + (forgiven[currency] ?? 0)
        for (symbol, mark) in marks where mark.currency == currency {
            sum += (size[symbol] ?? 0) * Self.units(mark.price, 8)
        }
        return sum
    }
}
