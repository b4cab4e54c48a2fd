/// The lines of a drawing on screen, for painters and pointers alike.
struct DrawingShape {
    let drawing: Drawing
    /// One an anchor; both are the same for kinds of one anchor.
    let first: DrawingPoint
    let second: DrawingPoint

    /// The levels of a Fibonacci retracement, in thousandths.
    static let levels: [Int] = [0, 236, 382, 500, 618, 786, 1000]

    /// - Returns: `nil` where the anchors are not on the calendar or a scale has no room.
    init?(_ drawing: Drawing, _ space: DrawingSpace) {
        self.drawing = drawing
        first = space.point(drawing.anchors[0])
        second = drawing.anchors.count > 1 ? space.point(drawing.anchors[1]) : first
        guard first.x.isFinite, first.y.isFinite, second.x.isFinite, second.y.isFinite else { return nil }
    }

    var left: Double { min(first.x, second.x) }
    var right: Double { max(first.x, second.x) }
    var top: Double { min(first.y, second.y) }
    var bottom: Double { max(first.y, second.y) }

    /// Each of its lines, cut to the plot; lines off it are left out.
    func visitLines(_ space: DrawingSpace, _ visit: (DrawingPoint, DrawingPoint) -> Void) {
        switch drawing.kind {
        case .trendLine: line(first, second, space, visit)
        case .ray: line(first, rayEnd(space), space, visit)
        case .horizontalLine:
            line(DrawingPoint(x: 0, y: first.y), DrawingPoint(x: space.width, y: first.y), space, visit)
        case .verticalLine:
            line(DrawingPoint(x: first.x, y: space.top), DrawingPoint(x: first.x, y: space.bottom), space, visit)
        case .rectangle, .measure:
            let across = DrawingPoint(x: second.x, y: first.y)
            let down = DrawingPoint(x: first.x, y: second.y)
            line(first, across, space, visit)
            line(across, second, space, visit)
            line(second, down, space, visit)
            line(down, first, space, visit)
        case .fibonacci:
            for level in DrawingShape.levels {
                let y = space.price.y(price(of: level))
                line(DrawingPoint(x: left, y: y), DrawingPoint(x: right, y: y), space, visit)
            }
        case .text: break
        }
    }

    /// The price of a Fibonacci level: 0 at the second anchor, 1000 at the first.
    func price(of level: Int) -> Double {
        let start = drawing.anchors[0].price
        let end = drawing.anchors[1].price
        // The ends are the anchors, to the last bit.
        if level == 0 { return end }
        return level == 1000 ? start : end + (start - end) * Double(level) / 1000
    }

    /// Where the ray has left the plot for good.
    private func rayEnd(_ space: DrawingSpace) -> DrawingPoint {
        let dx = second.x - first.x
        let dy = second.y - first.y
        let length = dx.magnitude + dy.magnitude
        guard length > 0 else { return second }
        let reach = space.width + (space.bottom - space.top) + first.x.magnitude + first.y.magnitude + length
        return DrawingPoint(x: first.x + dx / length * reach * 2, y: first.y + dy / length * reach * 2)
    }

    private func line(
        _ a: DrawingPoint, _ b: DrawingPoint, _ space: DrawingSpace, _ visit: (DrawingPoint, DrawingPoint) -> Void
    ) {
        if let cut = space.cut(a, b) { visit(cut.a, cut.b) }
    }
}

extension DrawingSpace {
    /// Room around the plot into which lines go on, in device pixels: wider than any of them.
    private static let margin = 64.0

    /// The part of a line in and closely around the plot, so that no coordinate is beyond what painters can take.
    ///
    /// After Liang and Barsky, "A new concept and method for line clipping" (1984).
    func cut(_ a: DrawingPoint, _ b: DrawingPoint) -> (a: DrawingPoint, b: DrawingPoint)? {
        var start = 0.0
        var end = 1.0
        let dx = b.x - a.x
        let dy = b.y - a.y
        func keep(_ direction: Double, _ distance: Double) -> Bool {
            if direction == 0 { return distance >= 0 }
            let at = distance / direction
            if direction < 0 { start = max(start, at) } else { end = min(end, at) }
            return start <= end
        }
        let margin = DrawingSpace.margin
        guard keep(-dx, a.x + margin), keep(dx, width + margin - a.x), keep(-dy, a.y - top + margin),
            keep(dy, bottom + margin - a.y)
        else { return nil }
        return (
            DrawingPoint(x: a.x + dx * start, y: a.y + dy * start), DrawingPoint(x: a.x + dx * end, y: a.y + dy * end)
        )
    }

    /// A rectangle's part in and closely around the plot.
    func cut(left: Double, top: Double, right: Double, bottom: Double) -> (
        left: Double, top: Double, right: Double, bottom: Double
    )? {
        let margin = DrawingSpace.margin
        let box = (
            left: max(left, -margin), top: max(top, self.top - margin), right: min(right, width + margin),
            bottom: min(bottom, self.bottom + margin)
        )
        return box.left <= box.right && box.top <= box.bottom ? box : nil
    }
}
