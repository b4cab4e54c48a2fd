/// What is known of one bucket: enough to add a tick from any moment of it, in any order.
@usableFromInline struct BarAccumulator: Sendable {
    /// Time of the earliest tick, +infinity while empty.
    @usableFromInline var openTime = Double.infinity
    /// Time of the latest tick, -infinity while empty.
    @usableFromInline var closeTime = -Double.infinity
    @usableFromInline var open = 0.0
    @usableFromInline var high = -Double.infinity
    @usableFromInline var low = Double.infinity
    @usableFromInline var close = 0.0
    @usableFromInline var volume = ExactSum()

    init() {}

    /// A bucket of which only the finished candle is known; its trades are taken to have come at its start.
    init(_ candle: Candle) {
        openTime = candle.timestamp
        closeTime = candle.timestamp
        open = candle.open
        high = candle.high
        low = candle.low
        close = candle.close
        volume = ExactSum(candle.volume)
    }

    var isEmpty: Bool { openTime == .infinity }

    /// Adds a tick. Of equal times the first to arrive opens and the last to arrive closes.
    @inlinable mutating func add(timestamp: Double, price: Double, volume quantity: Double) {
        if timestamp < openTime {
            openTime = timestamp
            open = price
        }
        if timestamp >= closeTime {
            closeTime = timestamp
            close = price
        }
        if price > high { high = price }
        if price < low { low = price }
        volume.add(quantity)
    }

    /// Adds another bucket's ticks.
    mutating func add(_ other: BarAccumulator) {
        if other.openTime < openTime {
            openTime = other.openTime
            open = other.open
        }
        if other.closeTime >= closeTime, !other.isEmpty {
            closeTime = other.closeTime
            close = other.close
        }
        if other.high > high { high = other.high }
        if other.low < low { low = other.low }
        volume.add(other.volume)
    }

    /// The bucket as a candle; meaningless while empty.
    func candle(at start: Double) -> Candle {
        Candle(timestamp: start, open: open, high: high, low: low, close: close, volume: volume.value)
    }
}
