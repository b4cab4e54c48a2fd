/// What became of a candle that was placed into a series.
public enum PlaceResult: Sendable, Equatable {
    /// A new bar: at the end, or between older ones.
    case applied
    /// It replaced the bar of the same timestamp.
    case merged
    case rejected(PlaceRejection)
}

/// Why a series rejected a candle.
public enum PlaceRejection: Sendable, Equatable {
    /// `Candle.isWellFormed` is false.
    case malformed
    /// Older than the oldest bar of a series that is at its cap.
    case olderThanCap
    /// A chart's: it does not begin at the start of a bar of the chart's timeframe, or was built for another one.
    case otherTimeframe
}

/// Candles of one symbol and timeframe in columns, oldest first, each timestamp once.
///
/// A candle is placed **by its timestamp**: the newest bucket is updated in place, a later one is appended, an older
/// one is replaced or inserted. So the order in which `updateLast` and `append` are called does not matter.
///
/// - Complexity: appending and updating the newest bar are O(1) (amortised over `capacity` appends where the cap
///   drops the oldest); placing an older bar is O(log n) to find and O(n) to insert.
public struct CandleSeries: Sendable {
    /// The most candles that are kept; the oldest are dropped first.
    public internal(set) var capacity: Int

    // One column a field. `head` counts the dropped bars at the front that the next compaction removes: dropping one
    // is then a single addition, and the columns stay contiguous for drawing.
    @usableFromInline var timestampColumn: [Double] = []
    @usableFromInline var openColumn: [Double] = []
    @usableFromInline var highColumn: [Double] = []
    @usableFromInline var lowColumn: [Double] = []
    @usableFromInline var closeColumn: [Double] = []
    @usableFromInline var volumeColumn: [Double] = []
    @usableFromInline var head = 0

    /// - Parameter capacity: the most candles to keep, at least 1.
    public init(capacity: Int = 10_000) { self.capacity = max(1, capacity) }

    @inlinable public var count: Int { timestampColumn.count - head }
    @inlinable public var isEmpty: Bool { count == 0 }

    /// The candle at `index`, 0 being the oldest. The index must be within `0..<count`.
    @inlinable public subscript(index: Int) -> Candle {
        let at = head + index
        return Candle(
            timestamp: timestampColumn[at], open: openColumn[at], high: highColumn[at], low: lowColumn[at],
            close: closeColumn[at], volume: volumeColumn[at])
    }

    @inlinable public var first: Candle? { isEmpty ? nil : self[0] }
    @inlinable public var last: Candle? { isEmpty ? nil : self[count - 1] }

    // MARK: Columns, for hot loops

    @inlinable public func timestamp(at index: Int) -> Double { timestampColumn[head + index] }
    @inlinable public func open(at index: Int) -> Double { openColumn[head + index] }
    @inlinable public func high(at index: Int) -> Double { highColumn[head + index] }
    @inlinable public func low(at index: Int) -> Double { lowColumn[head + index] }
    @inlinable public func close(at index: Int) -> Double { closeColumn[head + index] }
    @inlinable public func volume(at index: Int) -> Double { volumeColumn[head + index] }

    /// The columns of `range` without copying, for loops over many bars. The pointers are valid inside `body` only.
    @inlinable public func withColumns<R>(_ body: (CandleColumns) -> R) -> R {
        timestampColumn.withUnsafeBufferPointer { timestamps in
            openColumn.withUnsafeBufferPointer { opens in
                highColumn.withUnsafeBufferPointer { highs in
                    lowColumn.withUnsafeBufferPointer { lows in
                        closeColumn.withUnsafeBufferPointer { closes in
                            volumeColumn.withUnsafeBufferPointer { volumes in
                                body(
                                    CandleColumns(
                                        timestamps: UnsafeBufferPointer(rebasing: timestamps[head...]),
                                        opens: UnsafeBufferPointer(rebasing: opens[head...]),
                                        highs: UnsafeBufferPointer(rebasing: highs[head...]),
                                        lows: UnsafeBufferPointer(rebasing: lows[head...]),
                                        closes: UnsafeBufferPointer(rebasing: closes[head...]),
                                        volumes: UnsafeBufferPointer(rebasing: volumes[head...])))
                            }
                        }
                    }
                }
            }
        }
    }

    // MARK: Changing

    /// Places a candle by its timestamp. Never traps on data.
    @discardableResult public mutating func place(_ candle: Candle) -> PlaceResult {
        guard candle.isWellFormed else { return .rejected(.malformed) }
        let end = timestampColumn.count
        if end == head || candle.timestamp > timestampColumn[end - 1] {
            append(candle)
            return .applied
        }
        if candle.timestamp == timestampColumn[end - 1] {
            overwrite(end - 1, with: candle)
            return .merged
        }
        let index = firstIndex(notBefore: candle.timestamp)
        let at = head + index
        if timestampColumn[at] == candle.timestamp {
            overwrite(at, with: candle)
            return .merged
        }
        let isFull = count == capacity
        if isFull, index == 0 { return .rejected(.olderThanCap) }
        insert(candle, at: at)
        if isFull { dropFirst(1) }
        return .applied
    }

    /// Replaces everything. Candles may come in any order; malformed ones are left out, of equal timestamps the last
    /// one wins, and beyond the cap the newest are kept.
    /// - Returns: how many were malformed.
    /// - Complexity: O(n) where they are in order, otherwise O(n + late log late).
    @discardableResult public mutating func replaceAll(with candles: some Collection<Candle>) -> Int {
        var all = CandleImport(into: drain(), expecting: candles.count)
        for candle in candles { all.add(candle) }
        let malformed = all.malformed
        self = all.finish()
        return malformed
    }

    /// The series itself; what stays behind is empty. So storage that is handed on has one owner and is not copied.
    public mutating func drain() -> CandleSeries {
        let drained = self
        self = CandleSeries(capacity: capacity)
        return drained
    }

    public mutating func removeAll() {
        inEachColumn { column, _ in column.removeAll(keepingCapacity: true) }
        head = 0
    }

    /// Drops the oldest bars so that at most `count` remain.
    public mutating func trim(keepingLast count: Int) {
        let keep = max(0, count)
        if self.count > keep { dropFirst(self.count - keep) }
    }

    /// Index of the first bar whose timestamp is not before `timestamp`; `count` if there is none.
    /// - Complexity: O(log n)
    public func firstIndex(notBefore timestamp: Double) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if timestampColumn[head + middle] < timestamp { low = middle + 1 } else { high = middle }
        }
        return low
    }

    @_optimize(speed)
    mutating func append(_ candle: Candle) {
        if timestampColumn.count == timestampColumn.capacity { grow() }
        inEachColumn(candle) { $0.append($1) }
        if count > capacity { dropFirst(count - capacity) }
    }

    mutating func overwrite(_ at: Int, with candle: Candle) { inEachColumn(candle) { $0[at] = $1 } }

    private mutating func insert(_ candle: Candle, at: Int) {
        if timestampColumn.count == timestampColumn.capacity { grow() }
        inEachColumn(candle) { $0.insert($1, at: at) }
    }

    mutating func dropFirst(_ dropped: Int) {
        head += dropped
        // Compact once a quarter as many bars are dead as may live: each bar is moved four times, and the storage is not
        // twice what is kept.
        guard head >= max(capacity / 4, 1) || head == timestampColumn.count else { return }
        let dead = head
        inEachColumn { column, _ in column.removeFirst(dead) }
        head = 0
    }

    /// Does the same to every column, with what a candle has for it.
    @inline(__always)
    mutating func inEachColumn(
        _ candle: Candle = Candle(timestamp: 0, open: 0, high: 0, low: 0, close: 0, volume: 0),
        _ body: (inout [Double], Double) -> Void
    ) {
        body(&timestampColumn, candle.timestamp)
        body(&openColumn, candle.open)
        body(&highColumn, candle.high)
        body(&lowColumn, candle.low)
        body(&closeColumn, candle.close)
        body(&volumeColumn, candle.volume)
    }
}

/// A series' columns, all of one length, oldest first.
public struct CandleColumns {
    public let timestamps: UnsafeBufferPointer<Double>
    public let opens: UnsafeBufferPointer<Double>
    public let highs: UnsafeBufferPointer<Double>
    public let lows: UnsafeBufferPointer<Double>
    public let closes: UnsafeBufferPointer<Double>
    public let volumes: UnsafeBufferPointer<Double>

    @inlinable init(
        timestamps: UnsafeBufferPointer<Double>, opens: UnsafeBufferPointer<Double>,
        highs: UnsafeBufferPointer<Double>, lows: UnsafeBufferPointer<Double>,
        closes: UnsafeBufferPointer<Double>, volumes: UnsafeBufferPointer<Double>
    ) {
        self.timestamps = timestamps
        self.opens = opens
        self.highs = highs
        self.lows = lows
        self.closes = closes
        self.volumes = volumes
    }
}
