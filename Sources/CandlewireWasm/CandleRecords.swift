import MarketModel

/// Candles as the page writes them: six `f64` each, in the order timestamp, open, high, low, close, volume.
struct CandleRecords: RandomAccessCollection {
    let numbers: UnsafePointer<Double>
    let count: Int

    /// `nil` without a pointer or without a candle.
    init?(_ numbers: UnsafePointer<Double>?, count: Int32) {
        guard let numbers, count > 0 else { return nil }
        self.numbers = numbers
        self.count = Int(count)
    }

    var startIndex: Int { 0 }
    var endIndex: Int { count }

    subscript(index: Int) -> Candle {
        let at = numbers + index * 6
        return Candle(timestamp: at[0], open: at[1], high: at[2], low: at[3], close: at[4], volume: at[5])
    }
}
