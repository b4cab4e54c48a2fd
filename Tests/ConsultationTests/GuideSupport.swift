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

    mutating func shuffled(_ parts: [String]) -> String { parts.shuffled(using: &random).joined(separator: " ") }
}

/// Texts that were damaged on their way.
struct SeededBytes {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func damaged(_ text: String) -> String {
        var bytes = Array(text.utf8)
        for _ in 0..<(1 + random.next() % 4) {
            let at = Int(random.next() % UInt64(bytes.count))
            switch random.next() % 3 {
            case 0: bytes[at] = Array("{}[]\",:0n\\".utf8)[Int(random.next() % 10)]
            case 1: bytes.remove(at: at)
            default: bytes.removeSubrange(at..<min(bytes.count, at + Int(random.next() % 300)))
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
