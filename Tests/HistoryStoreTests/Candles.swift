import MarketModel

/// Candles with plain numbers: bar `n` opens at `100 + n` and lies `n` buckets after `start`.
func candles(_ count: Int, from start: Double = 1_700_000_040, every seconds: Double = 60) -> [Candle] {
    (0..<count).map { index in
        let open = 100 + Double(index)
        return Candle(
            timestamp: start + Double(index) * seconds, open: open, high: open + 2.5, low: open - 1.25,
            close: open + 0.1, volume: Double(index) * 0.001)
    }
}
