package import MarketModel

/// A candle of ours beside the venue's own.
package struct CandleDifference: Sendable, Equatable {
    /// Why they differ, as far as that is known.
    package enum Reason: String, Sendable, CaseIterable {
        /// The venue has a candle with trades, we have none.
        case missingHere = "missing_here"
        /// We have a candle with trades, the venue has none.
        case missingThere = "missing_there"
        /// Our stream began inside the bucket.
        case partial
        /// Our feed was down inside it.
        case gap
        /// Ours was changed by a trade that came late.
        case corrected
        /// A price differs; perhaps the volume, too.
        case prices
        /// Only the volume differs.
        case volume

        /// In words, for people.
        package var sentence: String {
            switch self {
            case .missingHere: "missing here"
            case .missingThere: "missing there"
            case .partial: "our stream began inside it"
            case .gap: "our feed was down inside it"
            case .corrected: "a late trade changed ours"
            case .prices: "prices differ"
            case .volume: "volume differs"
            }
        }
    }

    package var timestamp: Double
    package var reason: Reason
    package var ours: Candle?
    package var theirs: Candle?
}

/// What came of a comparison.
package struct CandleComparison: Sendable, Equatable {
    /// Buckets that either side has.
    package private(set) var buckets = 0
    /// Buckets in which both say the same.
    package private(set) var equal = 0
    /// Buckets without trades, of which only one side has a row, which repeats the close before it: they say the same.
    package private(set) var fillers = 0
    /// Ascending.
    package private(set) var differences: [CandleDifference] = []

    /// Volumes that differ by less than this part of them are equal: venues print sums with rounding errors.
    package static let tolerance = 1e-9

    /// - Parameters:
    ///   - ours: ascending, each with how far it can be trusted.
    ///   - theirs: ascending.
    package init(ours: [(candle: Candle, quality: CandleQuality)], theirs: [HistoryCandle]) {
        var (left, right) = (0, 0)
        while left < ours.count || right < theirs.count {
            let mine = left < ours.count ? ours[left] : nil
            let other = right < theirs.count ? theirs[right] : nil
            let at = min(mine?.candle.timestamp ?? .infinity, other?.candle.timestamp ?? .infinity)
            let here = mine?.candle.timestamp == at ? mine : nil
            let there = other?.candle.timestamp == at ? other : nil
            if here != nil { left += 1 }
            if there != nil { right += 1 }
            // A time that is not a number would never be passed.
            if here == nil, there == nil { break }
            note(at, here, there)
        }
    }

    private mutating func note(
        _ timestamp: Double, _ ours: (candle: Candle, quality: CandleQuality)?, _ theirs: HistoryCandle?
    ) {
        buckets += 1
        guard let reason = Self.reason(ours, theirs) else {
            if ours == nil || theirs == nil { fillers += 1 } else { equal += 1 }
            return
        }
        differences.append(
            CandleDifference(timestamp: timestamp, reason: reason, ours: ours?.candle, theirs: theirs?.candle))
    }

    private static func reason(
        _ ours: (candle: Candle, quality: CandleQuality)?, _ theirs: HistoryCandle?
    ) -> CandleDifference.Reason? {
        guard let ours else { return theirs?.isFiller == true ? nil : .missingHere }
        guard let theirs = theirs?.candle else {
            return ours.quality == .noTrade || ours.candle.volume == 0 ? nil : .missingThere
        }
        let candle = ours.candle
        let samePrices =
            candle.open == theirs.open && candle.high == theirs.high && candle.low == theirs.low
            && candle.close == theirs.close
        let sameVolume = (candle.volume - theirs.volume).magnitude <= tolerance * max(candle.volume, theirs.volume)
        if samePrices, sameVolume { return nil }
        switch ours.quality {
        case .partial: return .partial
        case .gap: return .gap
        case .corrected: return .corrected
        case .complete, .noTrade: return samePrices ? .volume : .prices
        }
    }
}
