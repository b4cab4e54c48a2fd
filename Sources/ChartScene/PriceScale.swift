/// Prices to device pixels, linear.
struct PriceScale {
    /// The price at `bottom`.
    let low: Double
    /// The price at `top`.
    let high: Double
    let top: Double
    let bottom: Double
    /// Device pixels per unit of price.
    let scale: Double

    /// A scale that shows `low` to `high` with padding.
    /// - Parameters:
    ///   - low: the lowest price to show; with `high` below it (no data) the scale shows nothing sensible but works.
    ///   - padding: share of the range added at both ends.
    ///   - tickSize: the smallest step of a price; a flat range is opened by a few of them.
    init(low: Double, high: Double, padding: Double, tickSize: Double, top: Double, bottom: Double) {
        // Beyond this a sum of two prices may not be finite any more.
        let limit = 1e300
        let lowest = min(max(low, -limit), limit)
        let highest = min(max(high, -limit), limit)
        let middle = lowest / 2 + highest / 2
        // Narrower than this, neighbouring ticks would be the same number.
        let least = max(middle.magnitude * 1e-9, tickSize * 4)
        let half = max((highest - lowest) / 2 * (1 + 2 * padding), least)
        self.low = middle - half
        self.high = middle + half
        self.top = top
        self.bottom = bottom
        scale = bottom > top ? (bottom - top) / (self.high - self.low) : 0
    }

    /// The pixel of `price`, not snapped.
    @inline(__always)
    func y(_ price: Double) -> Double {
        bottom - (price - low) * scale
    }

    /// The price at pixel `y`.
    func price(at y: Double) -> Double {
        scale > 0 ? low + (bottom - y) / scale : low
    }
}
