/// A price that walks: `p' = p + p * u`, `u` uniform within plus and minus the volatility for each two seconds.
///
/// A plain walk with these steps would wander by ten percent a day and by orders of magnitude in a year. So the price is
/// also drawn, slowly (ten minutes), towards an anchor that itself wanders by a few percent a day; the pull never makes
/// a step larger than the walk's own bound. The same process generates the history, in larger steps, which is why
/// history and live market look alike.
package struct PriceWalk: Sendable {
    package private(set) var price: Double
    private var anchor: Double
    private let volatility: Double

    /// Seconds in which the distance to the anchor shrinks to about a third.
    private static let pullTime = 600.0
    /// The anchor's standard deviation over a day, as a fraction, for a volatility of 0.001.
    private static let anchorPerDay = 0.022
    private static let stepSeconds = 2.0

    /// - Parameter volatility: the bound of a step of two seconds, as a fraction of the price.
    package init(price: Double, volatility: Double) {
        self.price = price
        anchor = price
        self.volatility = volatility
    }

    /// Moves by `seconds`, any amount.
    package mutating func step(seconds: Double, random: inout SeededGenerator) {
        let days = seconds / 86_400
        // Uniform in -1...1 has variance 1/3: the factor sqrt(3) makes it 1.
        let unitSpread = 1.732_050_807_568_877_2
        let anchorSpread = Self.anchorPerDay * volatility / 0.001 * days.squareRoot()
        anchor *= 1 + anchorSpread * unitSpread * random.signedUnit()
        let pull = seconds / Self.pullTime
        if seconds <= Self.stepSeconds {
            let bound = volatility * (seconds / Self.stepSeconds).squareRoot()
            let drawn = (anchor - price) / price * pull
            price *= 1 + min(bound, max(-bound, bound * random.signedUnit() + drawn))
        } else {
            // The same process over a longer time (Ornstein-Uhlenbeck): what is left of the distance, and the spread
            // that the walk's steps add up to. exp(-x) as 1 / (1 + x + x²/2), the same on every platform.
            let remains = 1 / (1 + pull + pull * pull / 2)
            let perStep = volatility / unitSpread
            let stationary = perStep * (Self.pullTime / Self.stepSeconds / 2).squareRoot()
            let spread = stationary * (1 - remains * remains).squareRoot()
            let distance = (price - anchor) / anchor * remains
            price = anchor * (1 + distance + spread * unitSpread * random.signedUnit())
        }
    }
}
