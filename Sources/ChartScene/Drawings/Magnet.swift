internal import MarketModel

/// How the price of an anchor sticks to a bar's open, high, low and close.
public enum Magnet: UInt8, CaseIterable, Sendable {
    // Raw values are the boundary's numbers: append only.
    case off
    /// To the nearest of them where that is near.
    case weak
    /// To the nearest of them.
    case strong

    /// How near is near, in CSS pixels.
    static let reach = 14.0
}

extension DrawingSpace {
    /// The price at height `y` over bar `index`, as the magnet has it.
    func price(at y: Double, bar index: Int, _ magnet: Magnet) -> Double {
        let free = instrument.clean(price.price(at: y))
        guard magnet != .off, index >= 0, index < series.count else { return free }
        let candle = series[index]
        var nearest = free
        var distance = magnet == .strong ? Double.infinity : Magnet.reach * layout.ratio
        for value in [candle.close, candle.high, candle.low, candle.open] {
            let away = (price.y(value) - y).magnitude
            if away < distance {
                distance = away
                nearest = value
            }
        }
        return nearest
    }
}

extension Instrument {
    /// The nearest price that can be, with no more digits than one writes.
    func clean(_ price: Double) -> Double {
        let price = rounded(price)
        let unit = powerOfTen(precision)
        guard price.isFinite, price.magnitude * unit < 9e15 else { return price }
        return (price * unit).rounded() / unit
    }
}
