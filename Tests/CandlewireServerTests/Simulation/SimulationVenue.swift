import Foundation
import MarketModel

/// What a venue sends in the right time, whatever the server's clock says: trades in their order and out of it, twice, with
/// holes between them, and things that are no trades.
struct SimulationVenue {
    struct Counts {
        var trades = 0, late = 0, tooOld = 0, duplicates = 0, holes = 0, malformed = 0
    }

    private var random: SeededGenerator
    private var prices = [64_000.0, 3_000.0]
    private var numbers: [UInt64] = [1000, 5000]
    private var last = ["", ""]
    /// Trades that came in no message so far.
    private var withheld: [String] = []
    private(set) var counts = Counts()

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    func price(_ market: Int) -> Double { prices[market] }

    /// The next message of a market.
    /// - Parameter time: seconds since 1970 UTC.
    mutating func message(_ market: Int, at time: Double) -> String {
        let draw = random.unit()
        switch draw {
        case ..<0.03 where !last[market].isEmpty:
            counts.duplicates += 1
            return last[market]
        case ..<0.04:
            counts.malformed += 1
            return #"{"type":"match","trade_id":"#
        case ..<0.06:
            // The next one shows that these are missing; some come later.
            counts.holes += 1
            for _ in 0...Int(random.next() % 3) { withheld.append(trade(market, at: time)) }
            withheld = withheld.suffix(4)
        case ..<0.07 where !withheld.isEmpty: return withheld.removeFirst()
        default: break
        }
        let isLate = draw > 0.9
        let age = isLate ? (draw > 0.99 ? 400 : random.unit() * 14) : random.unit() * 0.1
        if isLate { if age > 100 { counts.tooOld += 1 } else { counts.late += 1 } }
        last[market] = trade(market, at: time - age)
        return last[market]
    }

    private mutating func trade(_ market: Int, at time: Double) -> String {
        counts.trades += 1
        numbers[market] += 1
        // Fractions that doubles have exactly: sums of them are exact in any order.
        let move = (random.signedUnit() * prices[market] / 500 * 4).rounded() / 4
        prices[market] = min(max(prices[market] + move, 100), 200_000)
        let size = Double(1 + random.next() % 4096) / 1024
        return #"{"type":"match","trade_id":\#(numbers[market]),"side":"\#(random.unit() < 0.5 ? "buy" : "sell")","#
            + #""size":"\#(size)","price":"\#(prices[market])","product_id":"\#(SimulationFeed.symbols[market])","#
            + #""time":"\#(RFC3339.text(time, fractionDigits: 6))"}"#
    }
}
