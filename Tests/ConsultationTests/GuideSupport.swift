import TestKit
import TradingCore

extension String {
    var decimal: ExactDecimal { ExactDecimal(self) ?? .zero }

    func components(of part: String) -> Int {
        var (rest, count) = (self[...], 0)
        while let range = rest.firstRange(of: part) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }
}

/// Sentences that no user writes, made of the guide's own words and of nonsense.
struct SeededWords {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private static let words = [
        "buy", "sell", "alert", "above", "below", "btc", "ETH/USD", "SOLUSDT", "0", "1.5", "70,000", "1e9", "99k", ".",
        "$",
        "watchlist", "layout", "chart", "5m", "at", "price", "rsi", "meal", "workout", "sleep", "positions", "movers",
        "feeds",
        "\u{1F600}", "é", "", "999999999999999999999", "-3", "(", "\"", "make", "order", "long", "short",
        "0.0000000000000000001",
    ]

    mutating func sentence() -> String {
        (0..<Int(random.next() % 9)).map { _ in Self.words[Int(random.next() % UInt64(Self.words.count))] }
            .joined(separator: " ")
    }
}
