import MarketModel

/// Detects when a market's short average crosses its long one: "Long detected" where the EMA of 9 final one-minute candles
/// rises above that of 21, "Short detected" where it falls below.
///
/// Deterministic: the same candles give the same signals. A candle that a late trade corrects afterwards changes nothing.
/// It is a rule to show what signals look like, not advice.
struct SignalRule: Sendable {
    enum Signal: String, Sendable { case long = "Long", short = "Short" }

    static let shortPeriod = 9
    static let longPeriod = 21

    /// An EMA that begins with the simple average of its first `period` values.
    private struct Average {
        let period: Int
        var count = 0
        var value = 0.0

        mutating func add(_ price: Double) {
            count += 1
            if count <= period {
                value += (price - value) / Double(count)
            } else {
                value += (price - value) * 2 / Double(period + 1)
            }
        }
    }

    private var short = Average(period: shortPeriod)
    private var long = Average(period: longPeriod)
    /// Which one was above after the last candle that had one above.
    private var above: Signal?

    init() {}

    /// Adds the next final one-minute candle.
    mutating func update(with candle: Candle) -> Signal? {
        short.add(candle.close)
        long.add(candle.close)
        guard long.count >= Self.longPeriod, short.value != long.value else { return nil }
        let now: Signal = short.value > long.value ? .long : .short
        defer { above = now }
        return above == nil || above == now ? nil : now
    }
}
