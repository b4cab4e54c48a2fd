/// Holds back single prints far from a market's price: a misplaced decimal point, a trade of another market.
///
/// Off by default, for a market that really jumps looks the same at first: its first two trades there are
/// held back, too. The third in a row at the new level is accepted, and is the market's price from then on.
///
/// ```swift
/// var filter = DeviationFilter(maxPercent: 20)
/// for tick in ticks where filter.passes(tick.price) { series.add(tick) }
/// ```
///
/// A filter makes the order of ticks matter: what it compares with is the last one that passed.
package struct DeviationFilter: Sendable {
    /// Prints in a row that agree on a new level, the last one of which is accepted.
    package static let confirmations = 3

    /// The largest accepted difference from the last price, percent of the last price.
    package let maxPercent: Double
    private let maxRatio: Double
    private var last = Double.nan
    /// The level that is not believed yet, and how many prints in a row were there.
    private var level = Double.nan
    private var prints = 0

    package init(maxPercent: Double) {
        self.maxPercent = maxPercent
        maxRatio = maxPercent / 100
    }

    /// Whether a price may enter; the first one always does.
    /// - Complexity: O(1), two comparisons for the usual price.
    package mutating func passes(_ price: Double) -> Bool {
        if isNear(price, last) || last.isNaN {
            last = price
            prints = 0
            return true
        }
        prints = isNear(price, level) ? prints + 1 : 1
        level = price
        guard prints >= Self.confirmations else { return false }
        last = price
        prints = 0
        return true
    }

    /// Forgets the market's price.
    package mutating func reset() { self = DeviationFilter(maxPercent: maxPercent) }

    private func isNear(_ price: Double, _ other: Double) -> Bool { abs(price - other) <= maxRatio * other }
}
