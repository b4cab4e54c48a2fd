/// Fewer points that look like all of them: the points of a line that a chart of a given width needs.
///
/// Largest-Triangle-Three-Buckets (Steinarsson, "Downsampling Time Series for Visual Representation", University of
/// Iceland 2013, section 4.2): the first and the last point stay; the others are cut into buckets of equal count, and of
/// each bucket that point stays which makes the largest triangle with the one chosen before and the mean of the bucket
/// after. It keeps the shape and most peaks, not every one: for candles, whose extremes must not be lost, there is
/// `CandlePyramid`.
package enum LargestTriangle {
    /// The indices of the points to keep, ascending.
    ///
    /// Values that are not finite weigh nothing: their triangles are never the largest while a bucket has others.
    /// - Parameters:
    ///   - count: how many to keep. Below 3: the first and the last, as far as there are that many to keep.
    ///   - x: ascending; as many are read as there are in `y`.
    /// - Complexity: O(points), one array of `count` indices.
    package static func indices(_ x: [Double], _ y: [Double], keeping count: Int) -> [Int] {
        let points = min(x.count, y.count)
        guard count < points else { return Array(0..<points) }
        guard count > 2 else { return count <= 0 ? [] : count == 1 ? [0] : [0, points - 1] }
        var kept: [Int] = []
        kept.reserveCapacity(count)
        kept.append(0)
        // Bucket b of the count - 2 in the middle begins here.
        let width = Double(points - 2) / Double(count - 2)
        func start(_ bucket: Int) -> Int { min(1 + Int(Double(bucket) * width), points - 1) }
        var chosen = 0
        for bucket in 0..<count - 2 {
            let next = start(bucket + 1)
            // The last bucket looks at the last point.
            let mean = mean(x, y, next..<max(next + 1, bucket + 2 < count - 1 ? start(bucket + 2) : points))
            var best = start(bucket)
            var largest = -1.0
            for index in start(bucket)..<next {
                let area = abs(
                    (x[chosen] - mean.x) * (y[index] - y[chosen]) - (x[chosen] - x[index]) * (mean.y - y[chosen]))
                if area > largest {
                    largest = area
                    best = index
                }
            }
            kept.append(best)
            chosen = best
        }
        kept.append(points - 1)
        return kept
    }

    private static func mean(_ x: [Double], _ y: [Double], _ range: Range<Int>) -> (x: Double, y: Double) {
        var sum = (x: 0.0, y: 0.0)
        for index in range {
            sum.x += x[index]
            sum.y += y[index]
        }
        return (sum.x / Double(range.count), sum.y / Double(range.count))
    }
}
