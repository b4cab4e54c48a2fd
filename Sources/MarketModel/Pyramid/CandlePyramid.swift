/// Levels of detail over a series: what 16 bars come to, then 32, 64 and so on up to all of them. Any range of bars is
/// made of a few of these blocks and at most 15 bars at either end, so its extremes cost the same for a thousand bars
/// and for a million, and none is lost.
///
/// ```swift
/// var pyramid = CandlePyramid()
/// pyramid.rebuild(series)
/// series.place(candle)                              // the newest bar
/// pyramid.update(series, from: series.count - 1)
/// let all = pyramid.extremes(series, 0..<series.count)
/// ```
///
/// The pyramid holds no bars: each call is handed the series, which must have changed only in ways that the pyramid was
/// given. A range that the pyramid does not know is cut to what it knows.
///
/// Memory: 40 bytes a block of the lowest level and as much again for all levels above it. That is 5 bytes a bar where
/// the number of blocks is a power of two and 10 at most; 5.2 MB for a million bars (48 MB themselves).
///
/// The shape is the segment tree of a fixed number of leaves in one array (Bentley 1977; the root at 1, the children of
/// `i` at `2i` and `2i + 1`), so levels need no pointers and no sizes of their own.
package struct CandlePyramid: Sendable {
    /// A block of the lowest level is `1 << blockBits` bars. Smaller ones cost memory, and scanning 16 bars is about as
    /// quick as going down the levels that would be below.
    static let blockBits = 4
    static let blockSize = 1 << blockBits

    /// The bars that the pyramid knows.
    package private(set) var count = 0
    /// The place of bar 0. Places stay where they are when the oldest bars are dropped, or bars are put before them
    /// while there is room, so blocks keep what they hold.
    private var base = 0
    /// Blocks that there is room for, a power of two. Node `leaves + b` is block `b`, the places from `b * 16` on.
    private var leaves = 1
    private var nodes = [CandleExtremes(), CandleExtremes()]

    package init() {}

    // MARK: Changing

    /// Forgets everything and reads the series.
    /// - Complexity: O(n); allocates where the series outgrew the storage.
    package mutating func rebuild(_ series: CandleSeries) { build(series, room: 0) }

    /// The bars from `index` on are new or have changed, or there are fewer of them.
    /// - Complexity: O(bars from `index` on + log n): the newest bar, or one after it, costs O(log n) and mostly O(1),
    ///   as a block is looked at once it is full. Allocates only where the storage must double.
    package mutating func update(_ series: CandleSeries, from index: Int) {
        let first = min(max(index, 0), count)
        count = series.count
        let end = fullBlocks
        if end > leaves {
            build(series, room: base)
        } else {
            refresh(series, (base + min(first, count)) >> CandlePyramid.blockBits..<end)
        }
    }

    /// The bar at `index` alone has changed.
    /// - Complexity: O(log n)
    package mutating func update(_ series: CandleSeries, at index: Int) {
        guard index >= 0, index < count, count == series.count else { return }
        let block = (base + index) >> CandlePyramid.blockBits
        if block < fullBlocks { refresh(series, block..<block + 1) }
    }

    /// The oldest bars are gone.
    /// - Complexity: O(1), amortised over as many bars as there are; never allocates.
    package mutating func dropFirst(_ bars: Int) {
        let dropped = min(max(bars, 0), count)
        base += dropped
        count -= dropped
        let dead = base >> CandlePyramid.blockBits
        if dead >= max(64, count >> CandlePyramid.blockBits) { forget(dead) }
    }

    /// `bars` older bars are in front of those that were there, which have not changed.
    /// - Complexity: O(`bars` + log n), amortised; at worst O(n), when room for an eighth more is made.
    package mutating func prepended(_ series: CandleSeries, bars: Int) {
        guard bars > 0, count + bars == series.count else {
            if bars != 0 || count != series.count { rebuild(series) }
            return
        }
        guard bars <= base else {
            build(series, room: series.count / 8)
            return
        }
        base -= bars
        count += bars
        // The block that holds the first of the bars which were there held fewer before.
        let end = (base + bars) >> CandlePyramid.blockBits + 1
        refresh(series, base >> CandlePyramid.blockBits..<min(end, fullBlocks))
    }

    // MARK: Queries

    /// Lowest low, highest high, largest and total volume of some bars.
    /// - Complexity: O(log n)
    package func extremes(_ series: CandleSeries, _ range: Range<Int>) -> CandleExtremes {
        withLevels(series) { $0.extremes(range) }
    }

    /// The one bar that some bars make together: the first one's timestamp and open, the last one's close, and no
    /// extreme lost. `nil` for no bars.
    /// - Complexity: O(log n)
    package func merged(_ series: CandleSeries, _ range: Range<Int>) -> Candle? {
        let bars = range.clamped(to: 0..<min(count, series.count))
        guard !bars.isEmpty else { return nil }
        let extremes = extremes(series, bars)
        return Candle(
            timestamp: series.timestamp(at: bars.lowerBound), open: series.open(at: bars.lowerBound),
            high: extremes.high, low: extremes.low, close: series.close(at: bars.upperBound - 1),
            volume: extremes.volume)
    }

    /// Many questions at once, without looking for the storage at each. The levels are valid inside `body` only.
    package func withLevels<R>(_ series: CandleSeries, _ body: (CandleLevels) -> R) -> R {
        series.withColumns { columns in
            nodes.withUnsafeBufferPointer { nodes in
                body(
                    CandleLevels(
                        columns: columns, nodes: nodes, count: min(count, series.count), base: base, leaves: leaves))
            }
        }
    }

    /// Bytes of the levels.
    package var memory: Int { nodes.capacity * MemoryLayout<CandleExtremes>.stride }

    // MARK: Blocks

    /// The end of the blocks that are full. The one after them, which the newest bars fill, no question looks at.
    private var fullBlocks: Int { (base + count) >> CandlePyramid.blockBits }

    /// - Parameter room: places to leave in front of the bars.
    private mutating func build(_ series: CandleSeries, room: Int) {
        base = room
        count = series.count
        var needed = 1
        while needed < fullBlocks { needed *= 2 }
        leaves = needed
        nodes.removeAll(keepingCapacity: true)
        // Exactly as much, where the array itself would take up to twice that.
        nodes.reserveCapacity(2 * leaves)
        for _ in 0..<2 * leaves { nodes.append(CandleExtremes()) }
        refresh(series, base >> CandlePyramid.blockBits..<fullBlocks)
    }

    /// Rereads the bars of some blocks, then the levels above them.
    private mutating func refresh(_ series: CandleSeries, _ blocks: Range<Int>) {
        guard !blocks.isEmpty else { return }
        let leaves = leaves
        let base = base
        nodes.withUnsafeMutableBufferPointer { nodes in
            series.withColumns { bars in
                for block in blocks {
                    var node = CandleExtremes()
                    let start = max(block << CandlePyramid.blockBits, base) - base
                    let end = (block + 1) << CandlePyramid.blockBits - base
                    for index in start..<end {
                        node.add(low: bars.lows[index], high: bars.highs[index], volume: bars.volumes[index])
                    }
                    nodes[leaves + block] = node
                }
            }
            CandlePyramid.combine(nodes, leaves + blocks.lowerBound, leaves + blocks.upperBound - 1)
        }
    }

    /// Computes the ancestors of the nodes `first` to `last`.
    private static func combine(_ nodes: UnsafeMutableBufferPointer<CandleExtremes>, _ first: Int, _ last: Int) {
        var first = first >> 1
        var last = last >> 1
        while first > 0 {
            for node in first...last {
                var sum = nodes[2 * node]
                sum.add(nodes[2 * node + 1])
                nodes[node] = sum
            }
            first >>= 1
            last >>= 1
        }
    }

    /// Moves the blocks so that the first `dead` ones, of dropped bars, make room at the end.
    private mutating func forget(_ dead: Int) {
        let kept = max(0, fullBlocks - dead)
        let leaves = leaves
        nodes.withUnsafeMutableBufferPointer { nodes in
            for block in 0..<kept { nodes[leaves + block] = nodes[leaves + dead + block] }
            for block in kept..<leaves { nodes[leaves + block] = CandleExtremes() }
            CandlePyramid.combine(nodes, leaves, 2 * leaves - 1)
        }
        base -= dead << CandlePyramid.blockBits
    }
}
