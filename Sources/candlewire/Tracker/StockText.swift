import Foundation
import MarketFeeds

/// A price as it is written: the same in the terminal and in lines of text.
struct StockText {
    let last: String
    let arrow: String
    let change: String
    let percent: String
    let direction: PriceDirection
    /// Which way the change since the beginning points.
    let trend: PriceDirection

    init(_ stock: TrackedStock, _ price: StockPrice, hasUnicode: Bool) {
        let decimals = stock.decimals
        last = Self.number(price.current, decimals)
        direction = price.direction
        arrow = Self.arrow(price.direction, hasUnicode: hasUnicode)
        let shown = Self.number(price.change.magnitude, decimals)
        // What is shown as zero is neither up nor down.
        let isZero = !shown.contains { ("1"..."9").contains($0) }
        trend = isZero ? .unchanged : price.change > 0 ? .up : .down
        let sign =
            switch trend {
            case .up: "+"
            case .down: "-"
            case .unchanged: ""
            }
        change = sign + shown
        percent = price.changePercent.map { sign + Self.number($0.magnitude, 2) + "%" } ?? "-"
    }

    static func arrow(_ direction: PriceDirection, hasUnicode: Bool) -> String {
        if hasUnicode { return direction.arrow }
        return switch direction {
        case .up: "^"
        case .down: "v"
        case .unchanged: "="
        }
    }

    private static func number(_ value: Double, _ decimals: Int) -> String {
        String(format: "%.\(decimals)f", value)
    }
}

extension PriceDirection {
    var ink: Ink {
        switch self {
        case .up: .up
        case .down: .down
        case .unchanged: .plain
        }
    }
}
