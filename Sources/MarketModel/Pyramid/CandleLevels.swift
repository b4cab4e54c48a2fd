/// A pyramid and its series, open for questions: see `CandlePyramid.withLevels`.
package struct CandleLevels {
    package let columns: CandleColumns
    let nodes: UnsafeBufferPointer<CandleExtremes>
    /// The bars that may be queried.
    package let count: Int
    let base: Int
    let leaves: Int

    /// Lowest low, highest high, largest and total volume of some bars.
    /// - Complexity: O(log n)
    package func extremes(_ range: Range<Int>) -> CandleExtremes {
        let bars = range.clamped(to: 0..<count)
        var result = CandleExtremes()
        let first = (base + bars.lowerBound + CandlePyramid.blockSize - 1) >> CandlePyramid.blockBits
        let end = (base + bars.upperBound) >> CandlePyramid.blockBits
        guard first < end else {
            scan(bars, into: &result)
            return result
        }
        scan(bars.lowerBound..<first << CandlePyramid.blockBits - base, into: &result)
        var low = leaves + first
        var high = leaves + end
        while low < high {
            if low & 1 == 1 {
                result.add(nodes[low])
                low += 1
            }
            if high & 1 == 1 {
                high -= 1
                result.add(nodes[high])
            }
            low >>= 1
            high >>= 1
        }
        scan(end << CandlePyramid.blockBits - base..<bars.upperBound, into: &result)
        return result
    }

    @inline(__always)
    private func scan(_ bars: Range<Int>, into result: inout CandleExtremes) {
        for index in bars {
            result.add(low: columns.lows[index], high: columns.highs[index], volume: columns.volumes[index])
        }
    }
}
