/// What of a price can be felt.
public enum HapticCue: Sendable, Hashable, CaseIterable {
    /// The price went through a level, from below or from above.
    case crossedUp, crossedDown
    /// The price is beyond all that it was since the start.
    case newHigh, newLow
}

/// Decides which changes of a price are felt. A value without IO: prices and the time go in, cues come out.
///
/// At most one cue a second, and one extreme in ten, whatever the market does: haptics that come all the time mean nothing.
/// A level comes before an extreme. The extremes are those of the prices passed in, and of `range` at the start.
public struct HapticCues: Sendable, Equatable {
    /// Seconds between two cues.
    public static let interval = 1.0
    /// Seconds between two extremes.
    public static let extremeInterval = 10.0
    /// Levels beyond this number are not watched.
    public static let maxLevels = 100

    /// Prices whose crossing is felt.
    public var levels: [Double] { didSet { levels = Array(levels.prefix(Self.maxLevels)) } }
    private var last: Double?
    private var range: ClosedRange<Double>?
    private var earliest = -Double.infinity
    private var earliestExtreme = -Double.infinity

    /// - Parameter range: what the price was before, for example of the bars on screen.
    public init(levels: [Double] = [], range: ClosedRange<Double>? = nil) {
        self.levels = Array(levels.prefix(Self.maxLevels))
        self.range = range
    }

    /// - Parameters:
    ///   - price: one that is not finite is passed over.
    ///   - now: seconds of any clock that does not go back.
    /// - Returns: what is to be felt; `nil`: nothing. A price that only touches a level crosses it with the next one beyond.
    public mutating func cue(price: Double, now: Double) -> HapticCue? {
        guard price.isFinite else { return nil }
        let crossing = crossing(to: price)
        let cue = crossing ?? (now >= earliestExtreme ? extreme(price) : nil)
        range = range.map { min($0.lowerBound, price)...max($0.upperBound, price) } ?? price...price
        // A level that was touched is still between the price before and the next.
        if last == nil || !levels.contains(price) { last = price }
        guard let cue, now >= earliest else { return nil }
        earliest = now + Self.interval
        if crossing == nil { earliestExtreme = now + Self.extremeInterval }
        return cue
    }

    private func crossing(to price: Double) -> HapticCue? {
        guard let last else { return nil }
        if levels.contains(where: { last < $0 && $0 < price }) { return .crossedUp }
        return levels.contains { price < $0 && $0 < last } ? .crossedDown : nil
    }

    private func extreme(_ price: Double) -> HapticCue? {
        guard let range else { return nil }
        if price > range.upperBound { return .newHigh }
        return price < range.lowerBound ? .newLow : nil
    }
}
