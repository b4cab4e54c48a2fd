/// Many bars at once.
extension CandleSeries {
    /// Another cap. Where more bars are there than it allows, the oldest go.
    public mutating func setCapacity(_ bars: Int) {
        capacity = max(1, bars)
        trim(keepingLast: capacity)
    }

    /// Puts older bars in front of those that are there.
    ///
    /// Candles may come in any order. Left out are malformed ones, those that are not older than the oldest bar, and
    /// the oldest beyond the cap; of equal timestamps the last one wins.
    /// - Returns: how many bars were added.
    /// - Complexity: O(candles), amortised: every so often room for an eighth more bars is made in front.
    @discardableResult public mutating func prepend(_ candles: some Collection<Candle>) -> Int {
        var all = CandleImport(into: CandleSeries(capacity: max(1, capacity - count)), expecting: candles.count)
        let limit = first?.timestamp ?? .infinity
        for candle in candles where candle.timestamp < limit { all.add(candle) }
        let older = all.finish()
        guard count < capacity, older.count > 0 else { return 0 }
        let added = older.count
        makeRoomInFront(added)
        head -= added
        for index in 0..<added { overwrite(head + index, with: older[index]) }
        return added
    }

    /// Drops the newest bars.
    /// - Complexity: O(1) for each of them.
    public mutating func dropLast(_ bars: Int) {
        let dropped = min(max(bars, 0), count)
        inEachColumn { column, _ in column.removeLast(dropped) }
    }

    // MARK: For CandleImport

    /// Makes room for this many bars, as far as the cap lets them stay.
    mutating func reserve(_ bars: Int) {
        let needed = head + min(bars, capacity)
        // An eighth more, so that the first bars to follow find room.
        guard bars > 0, needed > timestampColumn.capacity else { return }
        reserveColumns(min(needed + needed / 8, head + capacity + capacity / 4))
    }

    /// Appends a well-formed candle, unless it is not later than the newest bar.
    @inline(__always)
    mutating func appendIfNewest(_ candle: Candle) -> Bool {
        if let last = timestampColumn.last, count > 0, last >= candle.timestamp { return false }
        append(candle)
        return true
    }

    /// Merges well-formed candles of any order; they win over bars of the same timestamp, the last one of several.
    mutating func merge(_ late: [Candle]) {
        let order = sortedIndices(late.count) { late[$0].timestamp < late[$1].timestamp }
        var merged = CandleSeries(capacity: capacity)
        merged.reserve(count + late.count)
        var index = 0
        for place in order {
            let candle = late[place]
            while index < count, timestamp(at: index) <= candle.timestamp {
                merged.place(self[index])
                index += 1
            }
            // Either later than all so far or equal to the newest: a place at the end.
            merged.place(candle)
        }
        while index < count {
            merged.place(self[index])
            index += 1
        }
        self = merged
    }

    // MARK: Storage

    /// Storage for a quarter more. An array by itself would double: for a million bars that is 48 MB of air.
    mutating func grow() {
        let used = timestampColumn.count
        // No more are ever in use at once, unless there is room in front.
        let most = max(used + 1, capacity + capacity / 4 + 1)
        reserveColumns(max(min(used + used / 4, most), 64))
    }

    private mutating func reserveColumns(_ bars: Int) {
        inEachColumn { column, _ in column.reserveCapacity(bars) }
    }

    /// Sees to it that `head` is at least `bars`.
    private mutating func makeRoomInFront(_ bars: Int) {
        guard head < bars else { return }
        let room = bars - head + min(count / 8, max(0, capacity - count - bars))
        // A column at a time, so that there is never a second copy of more than one.
        inEachColumn { column, _ in
            var wider: [Double] = []
            wider.reserveCapacity(room + max(column.capacity, column.count + 1))
            for _ in 0..<room { wider.append(0) }
            wider.append(contentsOf: column)
            column = wider
        }
        head += room
    }
}

/// The numbers from 0 to `count` in the order of what they stand for, equal ones as they came. A merge sort of our own: the
/// standard library's is compiled for each type of element, and all of them together are a hundredth of the page's module.
package func sortedIndices(_ count: Int, _ isBefore: (Int, Int) -> Bool) -> [Int] {
    var (sorted, merged) = (Array(0..<count), Array(0..<count))
    var width = 1
    while width < count {
        for start in stride(from: 0, to: count, by: 2 * width) {
            let (middle, end) = (min(start + width, count), min(start + 2 * width, count))
            var (left, right) = (start, middle)
            for place in start..<end {
                let isRight = left == middle || right < end && isBefore(sorted[right], sorted[left])
                merged[place] = sorted[isRight ? right : left]
                if isRight { right += 1 } else { left += 1 }
            }
        }
        swap(&sorted, &merged)
        width *= 2
    }
    return sorted
}
