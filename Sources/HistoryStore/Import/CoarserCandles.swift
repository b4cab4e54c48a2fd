import GRDB
public import MarketModel

/// What an import writes of the timeframes that are made of the one it brings.
public enum CoarserCandles: Sendable, Equatable {
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
    /// A bucket at the beginning or end of the stored series is `partial` unless they fill it to its border. Candles
    /// that a late trade corrected stay.
    /// - Parameters:
    ///   - from: a time within the first bucket to be made.
    ///   - through: a time within the last one.
    ///   - all: whether those that exist are replaced even where they hold more.
    /// - Returns: how many were written, by timeframe.
    /// - Complexity: O(n) for the candles of the months and weeks that the stretch touches.
    @discardableResult
    public func fillCoarser(
        symbol: String, timeframe: Timeframe, from: Double, through: Double, all: Bool = false
    ) async throws -> [Timeframe: Int] {
        let wanted = Timeframe.allCases.filter { $0 != timeframe && $0.isMadeOf(timeframe) }
        guard !wanted.isEmpty, from <= through,
            let first = try await firstTimestamp(symbol: symbol, timeframe: timeframe),
            let last = try await lastTimestamp(symbol: symbol, timeframe: timeframe)
        else { return [:] }
        let begin = wanted.map { $0.bucketStart(of: from) }.min() ?? from
        let end = wanted.map { $0.bucketEnd(ofBucketAt: $0.bucketStart(of: through)) }.max() ?? through
        let known = first..<timeframe.bucketEnd(ofBucketAt: last)
        var makers = wanted.map {
            CoarserMaker(timeframe: $0, wanted: $0.bucketStart(of: from)...through, known: known)
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
        do {
            return try await pool.write { db in
                var writer = try CandleWriter(db)
                var written: [Timeframe: Int] = [:]
                for new in made {
                    let series = try writer.id(of: SeriesKey(symbol: new.symbol, timeframe: new.timeframe))
                    let page = Page(
                        symbol: new.symbol, timeframe: new.timeframe, from: new.candle.timestamp,
                        to: new.candle.timestamp, limit: 1)
                    if let old = try page.storedCandles(db).first, !new.replaces(old, always: replacesAll) { continue }
                    try writer.write(new.candle, series: series, revision: 0, quality: new.quality)
                    written[new.timeframe, default: 0] += 1
                }
                return written
            }
        } catch {
            throw StoreError(error, path: path)
        }
    }
}

extension StoredCandle {
    fileprivate func replaces(_ old: StoredCandle, always: Bool) -> Bool {
        guard old.revision == 0 else { return false }
        if candle == old.candle { return quality != old.quality && (always || quality == .complete) }
        return always
            || candle.volume >= old.candle.volume && candle.high >= old.candle.high && candle.low <= old.candle.low
    }
}

/// Joins candles to those of one coarser timeframe.
private struct CoarserMaker {
    let timeframe: Timeframe
    /// Starts of the buckets to be made.
    let wanted: ClosedRange<Double>
    /// What the finer series spans.
    let known: Range<Double>
    private var rollup: CandleRollup
    private var quality: CandleQuality?
    private var forming: Double?

    init(timeframe: Timeframe, wanted: ClosedRange<Double>, known: Range<Double>) {
        self.timeframe = timeframe
        self.wanted = wanted
        self.known = known
        rollup = CandleRollup(to: timeframe)
    }

    mutating func add(_ stored: StoredCandle, _ emit: (StoredCandle) -> Void) {
        let start = timeframe.bucketStart(of: stored.candle.timestamp)
        if let done = rollup.add(stored.candle) { make(done, emit) }
        if start != forming {
            forming = start
            quality = nil
        }
        quality = Self.worse(quality, stored.quality)
    }

    mutating func finish(_ emit: (StoredCandle) -> Void) {
        if let last = rollup.forming { make(last, emit) }
    }

    private func make(_ candle: Candle, _ emit: (StoredCandle) -> Void) {
        guard wanted.contains(candle.timestamp) else { return }
        let isWhole =
            candle.timestamp >= known.lowerBound
            && timeframe.bucketEnd(ofBucketAt: candle.timestamp) <= known.upperBound
        let own = quality ?? .complete
        emit(
            StoredCandle(
                symbol: "", timeframe: timeframe, candle: candle,
                quality: isWhole || own == .gap ? own : .partial))
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
