/// What a range of bars comes to, as far as the order of the bars does not matter.
package struct CandleExtremes: Sendable, Equatable {
    /// The lowest low; +infinity where there is no bar.
    package var low = Double.infinity
    /// The highest high; -infinity where there is no bar.
    package var high = -Double.infinity
    /// The largest volume of one bar, 0 where there is no bar.
    package var maxVolume = 0.0
    var sum = ExactSum()

    package init() {}

    /// Nothing was added.
    package var isEmpty: Bool { high < low }

    /// The volume of all bars: exact, rounded once, so that it does not depend on how the range was cut.
    package var volume: Double { sum.value }

    @inline(__always)
    mutating func add(low: Double, high: Double, volume: Double) {
        self.low = low < self.low ? low : self.low
        self.high = high > self.high ? high : self.high
        maxVolume = volume > maxVolume ? volume : maxVolume
        sum.add(volume)
    }

    /// Adds what another range comes to.
    @inline(__always)
    mutating func add(_ other: CandleExtremes) {
        low = other.low < low ? other.low : low
        high = other.high > high ? other.high : high
        maxVolume = other.maxVolume > maxVolume ? other.maxVolume : maxVolume
        sum.add(other.sum)
    }
}
