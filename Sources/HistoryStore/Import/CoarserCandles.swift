import GRDB
public import MarketModel

/// What an import writes of the timeframes that are made of the one it brings.
package enum CoarserCandles: Sendable, Equatable {
    /// None.
    case none
    /// Candles that are missing, and those that the new ones complete: with all that the stored one holds, and more.
    /// So a week that was made of its first day grows with each further one, and a day that came from elsewhere stays
    /// when an hour of it is imported.
    case missing
    /// All that can be made: whatever is stored is replaced.
    case all
}

extension CandleStore {
    /// Makes coarser candles of stored ones, for each timeframe that consists of them.
    ///
    /// Where a finer candle is missing, and it is not known that nothing was traded then, the coarser one is a `gap`, or
    /// `partial` at the beginning and end of the stored series. Whole candles that a late trade corrected stay.
    /// - Parameters:
    ///   - from: a time within the first bucket to be made.
    ///   - through: a time within the last one.
    ///   - all: whether those that exist are replaced even where they hold more.
    ///   - quiet: stretches in which nothing was traded where there is no finer candle, beside those that were fetched
    ///     (see `coverage`).
    /// - Returns: how many were written, by timeframe.
    /// - Complexity: O(n) for the candles of the months and weeks that the stretch touches.
    @discardableResult public func fillCoarser(
        symbol: String, timeframe: Timeframe, from: Double, through: Double, all: Bool = false,
        quiet: [Range<Double>] = []
    ) async throws -> [Timeframe: Int] {
        let wanted = Timeframe.allCases.filter { $0 != timeframe && $0.isMadeOf(timeframe) }
        guard !wanted.isEmpty, from <= through,
            let first = try await firstTimestamp(symbol: symbol, timeframe: timeframe),
            let last = try await lastTimestamp(symbol: symbol, timeframe: timeframe)
        else { return [:] }
        let begin = wanted.map { $0.bucketStart(of: from) }.min() ?? from
        let end = wanted.map { $0.bucketEnd(ofBucketAt: $0.bucketStart(of: through)) }.max() ?? through
        let span = first..<timeframe.bucketEnd(ofBucketAt: last)
        var known = TimeStretches(limit: .max)
        let stretches = try await coverage(symbol: symbol, timeframe: timeframe) + quiet
        for stretch in stretches.sorted(by: { $0.lowerBound < $1.lowerBound }) { known.add(stretch) }
        var makers = wanted.map {
            CoarserMaker(
                timeframe: $0, finer: timeframe, wanted: $0.bucketStart(of: from)...through, span: span, known: known,
                rollup: CandleRollup(to: $0))
        }
        var written: [Timeframe: Int] = [:]
        var next: Double? = begin
        while let start = next {
            var page = try await storedCandles(symbol: symbol, timeframe: timeframe, from: start, limit: 20_000)
            next = page.last.map { $0.candle.timestamp + 0.5 }
            if let beyond = page.firstIndex(where: { $0.candle.timestamp >= end }) {
                page.removeSubrange(beyond...)
                next = nil
            }
            var made: [StoredCandle] = []
            for index in makers.indices {
                for stored in page { makers[index].add(stored) { made.append($0) } }
                if next == nil { makers[index].finish { made.append($0) } }
            }
            for index in made.indices { made[index].symbol = symbol }
            for (timeframe, count) in try await place(made, replacesAll: all) {
                written[timeframe, default: 0] += count
            }
        }
        return written
    }

    private func place(_ made: [StoredCandle], replacesAll: Bool) async throws -> [Timeframe: Int] {
        guard !made.isEmpty else { return [:] }
        return try await write { db in
            var writer = try CandleWriter(db)
            var written: [Timeframe: Int] = [:]
            for new in made {
                let series = try writer.id(of: SeriesKey(symbol: new.symbol, timeframe: new.timeframe))
                let page = Page(
                    symbol: new.symbol, timeframe: new.timeframe, from: new.candle.timestamp,
                    to: new.candle.timestamp, limit: 1)
                let old = try page.storedCandles(db).first
                if let old, !new.replaces(old, always: replacesAll) { continue }
                try writer.write(new.candle, series: series, revision: old?.revision ?? 0, quality: new.quality)
                written[new.timeframe, default: 0] += 1
            }
            return written
        }
    }
}

extension StoredCandle {
    fileprivate func replaces(_ old: StoredCandle, always: Bool) -> Bool {
        guard old.revision == 0 || old.quality.isFragment else { return false }
        if candle == old.candle {
            let knowsMore = quality == .complete || quality == .partial && old.quality == .gap
            return quality != old.quality && (always || knowsMore)
        }
        if always { return true }
        // A piece does not replace a whole one, whatever it holds.
        guard !quality.isFragment || old.quality.isFragment else { return false }
        return candle.volume >= old.candle.volume && candle.high >= old.candle.high && candle.low <= old.candle.low
    }
}

extension CandleQuality {
    /// Whether trades of the bucket are, or may be, missing from the candle.
    var isFragment: Bool { self == .partial || self == .gap }
}

/// Joins candles to those of one coarser timeframe, and finds how far each can be trusted.
private struct CoarserMaker {
    let timeframe: Timeframe
    let finer: Timeframe
    /// Starts of the buckets to be made.
    let wanted: ClosedRange<Double>
    /// What the finer series spans.
    let span: Range<Double>
    /// Where a finer candle that is missing stands for nothing traded.
    let known: TimeStretches
    var rollup: CandleRollup
    var quality: CandleQuality?
    var forming: Double?
    /// The end of the newest finer candle of this bucket; the bucket's start before there is one.
    var reached = 0.0

    /// - Parameter stored: the next finer candle, ascending.
    mutating func add(_ stored: StoredCandle, _ emit: (StoredCandle) -> Void) {
        let time = stored.candle.timestamp
        let start = timeframe.bucketStart(of: time)
        if let done = rollup.add(stored.candle) { make(done, emit) }
        if start != forming {
            forming = start
            reached = start
            quality = nil
        }
        pass(to: time)
        reached = finer.bucketEnd(ofBucketAt: time)
        quality = Self.worse(quality, stored.quality)
    }

    mutating func finish(_ emit: (StoredCandle) -> Void) {
        if let last = rollup.forming { make(last, emit) }
    }

    private mutating func make(_ candle: Candle, _ emit: (StoredCandle) -> Void) {
        pass(to: timeframe.bucketEnd(ofBucketAt: candle.timestamp))
        guard wanted.contains(candle.timestamp) else { return }
        emit(StoredCandle(symbol: "", timeframe: timeframe, candle: candle, quality: quality ?? .complete))
    }

    /// Looks at what lies between two finer candles, or between one and the bucket's border.
    private mutating func pass(to time: Double) {
        guard reached < time, !known.covers(reached..<time) else { return }
        let isOutside = time <= span.lowerBound || reached >= span.upperBound
        quality = Self.worse(quality, isOutside ? .partial : .gap)
    }

    /// Of a bar that was made of several: a hole in one is a hole in it, and one with trades makes it one with trades.
    private static func worse(_ a: CandleQuality?, _ b: CandleQuality) -> CandleQuality {
        let b = b == .corrected ? .complete : b
        guard let a, a != b else { return b }
        if a == .gap || b == .gap { return .gap }
        if a == .partial || b == .partial { return .partial }
        return .complete
    }
}
