/// One line of values over the bars, gathered for drawing: a point a bar, or, where bars are closer than pixels, the
/// lowest, highest and last value of each pixel column, so that no extreme is lost.
///
/// Storage is kept from line to line.
struct LineTrace {
    /// A point, or a column of pixels.
    struct Point: Equatable {
        /// The centre of the bar, not snapped; of a column its left edge.
        var x: Double
        var low: Double
        var high: Double
        var last: Double

        /// How far off screen a point may be, in device pixels.
        private static let far = 20_000.0

        fileprivate mutating func bringNear(_ other: Point, _ width: Double) {
            let near = min(max(x, -Self.far), width + Self.far)
            guard near != x else { return }
            if other.last == other.last, other.x != x {
                last += (other.last - last) * min(max((near - x) / (other.x - x), 0), 1)
                low = min(low, last)
                high = max(high, last)
            }
            x = near
        }
    }

    private(set) var points: [Point] = []
    /// Points are columns of pixels.
    private(set) var isDense = false

    /// - Parameters:
    ///   - values: one a bar, NaN where there is none.
    ///   - visible: the bars on screen; their neighbours are included, so that the line goes on to the edges.
    ///   - shift: how many bars later each value is drawn.
    ///
    /// A neighbour beyond a long hole is not where it is, but on the line to it, not far off screen.
    /// - Complexity: O(visible bars)
    @inline(never)
    mutating func gather(
        _ values: UnsafeBufferPointer<Double>, _ visible: Range<Int>, _ time: TimeScale, shift: Int = 0
    ) {
        points.removeAll(keepingCapacity: true)
        let first = min(max(visible.lowerBound - shift - 1, 0), values.count)
        let end = max(first, min(visible.upperBound - shift + 1, values.count))
        isDense = time.spacing < 1
        if isDense { columns(values, first..<end, time, shift) } else { bars(values, first..<end, time, shift) }
        bringNear(time.plotWidth)
    }

    private mutating func bringNear(_ width: Double) {
        guard points.count > 1 else { return }
        points[0].bringNear(points[1], width)
        points[points.count - 1].bringNear(points[points.count - 2], width)
    }

    @_optimize(speed)
    private mutating func bars(
        _ values: UnsafeBufferPointer<Double>, _ range: Range<Int>, _ time: TimeScale, _ shift: Int
    ) {
        for index in range {
            let value = values[index]
            points.append(Point(x: time.x(index + shift), low: value, high: value, last: value))
        }
    }

    @_optimize(speed)
    private mutating func columns(
        _ values: UnsafeBufferPointer<Double>, _ range: Range<Int>, _ time: TimeScale, _ shift: Int
    ) {
        var index = range.lowerBound
        while index < range.upperBound {
            let x = Pixels.floor(time.x(index + shift))
            var point = Point(x: x, low: .infinity, high: -.infinity, last: .nan)
            repeat {
                let value = values[index]
                if value < point.low { point.low = value }
                if value > point.high { point.high = value }
                if value == value { point.last = value }
                index += 1
            } while index < range.upperBound && time.x(index + shift) < x + 1
            points.append(point)
        }
    }

    /// The line; interrupted where there is no value.
    @inline(never)
    func stroke(
        _ colour: Colour, width: Double, _ price: PriceScale, _ time: TimeScale, dashOn: Double = 0,
        dashOff: Double = 0, into list: inout DisplayList
    ) {
        guard !isDense else { return strokeColumns(colour, width: width, price, into: &list) }
        var isOpen = false
        var length = 0
        for point in points {
            guard point.last == point.last else {
                if isOpen { finish(length, &list) }
                isOpen = false
                continue
            }
            if !isOpen {
                list.beginPolyline(colour, width: width, dashOn: dashOn, dashOff: dashOff)
                isOpen = true
                length = 0
            }
            list.point(x: point.x, y: Pixels.near(price.y(point.last)))
            length += 1
        }
        if isOpen { finish(length, &list) }
    }

    /// A line of one point would be nothing: no trace of it.
    private func finish(_ length: Int, _ list: inout DisplayList) {
        if length < 2 { list.cancel() } else { list.end() }
    }

    /// A column from lowest to highest, drawn out to where the column before ended.
    private func strokeColumns(_ colour: Colour, width: Double, _ price: PriceScale, into list: inout DisplayList) {
        list.beginRects(colour)
        var before = Double.nan
        var end = -Double.infinity
        for point in points {
            // A hole is as empty as it is wide.
            if point.x > end { before = .nan }
            end = point.x + 1
            guard point.last == point.last else {
                before = .nan
                continue
            }
            let low = before < point.low ? before : point.low
            let high = before > point.high ? before : point.high
            let a = price.y(low)
            let b = price.y(high)
            let top = Pixels.snap(min(a, b) - width / 2)
            let bottom = Pixels.snap(max(a, b) + width / 2)
            list.rect(x: point.x, y: top, width: 1, height: max(bottom - top, 1))
            before = point.last
        }
        list.end()
    }

    /// The surface between the line and a height.
    @inline(never)
    func fill(
        _ colour: Colour, to level: Double, _ price: PriceScale, _ time: TimeScale, into list: inout DisplayList
    ) {
        guard !isDense else { return fillColumns(colour, to: level, price, into: &list) }
        var start = 0
        while start < points.count {
            var end = start
            while end < points.count, points[end].last == points[end].last { end += 1 }
            if end - start >= 2 {
                list.beginPolygon(colour)
                list.point(x: points[start].x, y: level)
                for index in start..<end {
                    list.point(x: points[index].x, y: Pixels.near(price.y(points[index].last)))
                }
                list.point(x: points[end - 1].x, y: level)
                list.end()
            }
            start = end + 1
        }
    }

    private func fillColumns(_ colour: Colour, to level: Double, _ price: PriceScale, into list: inout DisplayList) {
        list.beginRects(colour)
        let edge = Pixels.snap(level)
        for point in points where point.last == point.last {
            let y = Pixels.snap(price.y(point.last))
            let top = min(y, edge)
            if y != edge { list.rect(x: point.x, y: top, width: 1, height: max(y, edge) - top) }
        }
        list.end()
    }
}
