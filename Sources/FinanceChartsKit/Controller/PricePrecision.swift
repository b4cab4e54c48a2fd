package import MarketModel

/// How many digits after the point prices need.
package enum PricePrecision {
    /// At most seven significant digits of the highest price, so that the noise of a computed price does not fill the
    /// axis. The newest 1,000 candles decide.
    package static func digits(of candles: some BidirectionalCollection<Candle>) -> Int {
        let recent = candles.suffix(1000)
        // The first significant digit's place: 5 for 67,234, 0 for 0.5, -2 for 0.005.
        var place = 0
        var rest = recent.reduce(0) { max($0, $1.high) }
        while rest >= 1, place < 8 {
            rest /= 10
            place += 1
        }
        while rest < 0.1, place > -8 {
            rest *= 10
            place -= 1
        }
        let limit = min(8, max(0, 7 - place))
        return recent.reduce(0) { digits, candle in
            max(digits, decimals(of: candle.open, limit: limit), decimals(of: candle.close, limit: limit))
        }
    }

    private static func decimals(of price: Double, limit: Int) -> Int {
        var power = 1.0
        for digits in 0..<limit {
            let scaled = price * power
            if abs(scaled - scaled.rounded()) < 1e-8 * max(1, scaled) { return digits }
            power *= 10
        }
        return limit
    }
}
