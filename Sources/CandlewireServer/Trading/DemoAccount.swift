import Foundation
import MarketModel
import TradingCore

/// The orders of a demo account, made for the markets that there are: three market orders of the past that hold a
/// position each, two limit orders that wait and one that was cancelled. The paper exchange fills them.
struct DemoAccount {
    /// A market, as far as the demo needs it.
    struct Market {
        var symbol: String
        /// Decimals of its prices.
        var precision: Int
        var price: Double
        /// What it traded at so many seconds ago, and when that was exactly; `nil`: not known.
        var past: (_ age: Double) -> (price: Double, time: Double)?
    }

    struct Step {
        var request: OrderRequest
        var price: ExactDecimal
        var time: Double
        var isCancelled = false
    }

    static let accountName = "demo"
    private static let firstID = "demo-account-1"

    /// Whether an account has the demo's orders, since it was opened or reset.
    static func isLoaded(in account: AccountState<Paper>) -> Bool {
        account.order(clientOrderID: firstID) != nil
    }

    /// Whether an account has no order and no fill since it was opened or reset.
    static func isUnused(_ account: AccountState<Paper>) -> Bool {
        account.orders(limit: 1).isEmpty && account.recentFills.isEmpty
    }

    /// - Parameters:
    ///   - markets: at least one; the first ones are used.
    ///   - now: seconds since 1970 UTC.
    /// - Returns: six orders, by time.
    static func steps(_ markets: [Market], now: Double) -> [Step] {
        /// An order of about this value, at what its market traded at then.
        func step(
            _ number: Int, _ index: Int, _ side: Side, value: Double, age: Double, leverage: Int, limit: Double? = nil
        ) -> Step {
            let market = markets[min(index, markets.count - 1)]
            let found = age > 0 ? market.past(age) : nil
            let price = found?.price ?? market.price
            return Step(
                request: OrderRequest(
                    clientOrderID: "demo-account-\(number)", symbol: market.symbol, side: side,
                    type: limit == nil ? .market : .limit, quantity: twoDigits(value / price),
                    limitPrice: limit.map { rounded(price * $0, market.precision) },
                    leverage: leverage),
                price: ExactDecimal(nearest: price) ?? 1, time: found?.time ?? now)
        }
        let hour = 3600.0
        // A market has one position: with fewer markets there are fewer.
        let count = min(markets.count, 3)
        let firstSides: [Side] = [.buy, .sell, .buy]
        var steps = (0..<3).map { index in
            let side = count == 3 ? firstSides[index] : .buy
            return step(
                index + 1, index, side, value: [3360, 1730, 2150][index], age: [26, 9, 4][index] * hour,
                leverage: count == 3 ? [5, 3, 2][index] : 5)
        }
        var cancelled = step(
            4, 3, .buy, value: 560, age: hour / 6, leverage: markets.count > 3 ? 1 : count == 3 ? 2 : 5, limit: 0.93)
        cancelled.isCancelled = true
        steps.append(cancelled)
        steps.append(step(5, 0, .buy, value: 1340, age: 0, leverage: 5, limit: 0.98))
        steps.append(step(6, count - 1, .sell, value: 1070, age: 0, leverage: count == 3 ? 2 : 5, limit: 1.08))
        return steps
    }

    /// Two significant digits, downwards, at least 1e-8.
    private static func twoDigits(_ quantity: Double) -> ExactDecimal {
        let decimals = min(8, max(0, 1 - Int(log10(max(quantity, 1e-8)).rounded(.down))))
        let rounded = rounded(quantity, decimals)
        return rounded.isPositive ? rounded : ExactDecimal(nearest: 1e-8) ?? 1
    }

    private static func rounded(_ value: Double, _ decimals: Int) -> ExactDecimal {
        ExactDecimal(nearest: value.rounded(decimals: decimals)) ?? 1
    }
}
