/// What of a drawing is under a pointer.
public struct DrawingHit: Sendable, Equatable {
    public enum Part: Sendable, Equatable {
        case body
        /// An anchor's handle, from 0.
        case handle(Int)
    }

    /// The drawing's number.
    public var id: Int
    public var part: Part
}

extension DrawingBoard {
    /// The drawing under a pixel: handles before bodies, the selected one before others, upper ones before lower ones.
    /// - Parameter tolerance: how near is on it, in device pixels; wider for fingers than for a mouse.
    func hit(_ point: DrawingPoint, _ space: DrawingSpace, tolerance: Double) -> DrawingHit? {
        guard !isHidden, point.x >= 0, point.x < space.width, point.y >= space.top, point.y < space.bottom else {
            return nil
        }
        if let selection, let index = index(of: selection), !drawings[index].isHidden,
            let hit = hit(drawings[index], point, space, tolerance)
        {
            return hit
        }
        var body: DrawingHit?
        for drawing in drawings.reversed() where !drawing.isHidden {
            guard let hit = hit(drawing, point, space, tolerance) else { continue }
            if hit.part != .body { return hit }
            if body == nil { body = hit }
        }
        return body
    }

    private func hit(
        _ drawing: Drawing, _ point: DrawingPoint, _ space: DrawingSpace, _ tolerance: Double
    ) -> DrawingHit? {
        guard let shape = DrawingShape(drawing, space) else { return nil }
        // The nearest handle: two may lie close together.
        var nearest = tolerance * tolerance
        var handle: Int?
        for index in 0..<drawing.anchors.count {
            let place = shape.handle(index, space)
            let dx = place.x - point.x
            let dy = place.y - point.y
            if dx * dx + dy * dy <= nearest {
                nearest = dx * dx + dy * dy
                handle = index
            }
        }
        if let handle { return DrawingHit(id: drawing.id, part: .handle(handle)) }
        let width = drawing.style.width * space.layout.ratio
        return shape.contains(point, space, tolerance: max(tolerance, width / 2))
            ? DrawingHit(id: drawing.id, part: .body) : nil
    }
}

extension DrawingShape {
    /// Where an anchor's handle is. Lines across the whole plot have theirs where one sees it.
    func handle(_ index: Int, _ space: DrawingSpace) -> DrawingPoint {
        switch drawing.kind {
        case .horizontalLine:
            let inset = 24 * space.layout.ratio
            return DrawingPoint(x: min(max(first.x, inset), max(space.width - inset, inset)), y: first.y)
        case .verticalLine: return DrawingPoint(x: first.x, y: (space.top + space.bottom) / 2)
        default: return index == 0 ? first : second
        }
    }

    func contains(_ point: DrawingPoint, _ space: DrawingSpace, tolerance: Double) -> Bool {
        switch drawing.kind {
        case .rectangle, .measure, .fibonacci:
            // What is filled is hit inside too.
            return point.x >= left - tolerance && point.x <= right + tolerance && point.y >= top - tolerance
                && point.y <= bottom + tolerance
        case .text:
            let box = textBox(space)
            return point.x >= box.left - tolerance && point.x <= box.left + box.width + tolerance
                && (point.y - first.y).magnitude <= box.height / 2 + tolerance
        case .trendLine, .ray, .horizontalLine, .verticalLine:
            var isNear = false
            visitLines(space) { a, b in
                if DrawingShape.distance(point, a, b) <= tolerance { isNear = true }
            }
            return isNear
        }
    }

    /// From a point to a line between two others.
    private static func distance(_ point: DrawingPoint, _ a: DrawingPoint, _ b: DrawingPoint) -> Double {
        let dx = b.x - a.x
        let dy = b.y - a.y
        let square = dx * dx + dy * dy
        var along = 0.0
        if square > 0 { along = min(max(((point.x - a.x) * dx + (point.y - a.y) * dy) / square, 0), 1) }
        let x = a.x + along * dx - point.x
        let y = a.y + along * dy - point.y
        return (x * x + y * y).squareRoot()
    }

    /// The box of a text: it begins at the anchor, whose height is its middle.
    func textBox(_ space: DrawingSpace) -> (left: Double, width: Double, height: Double) {
        let size = DrawingShape.fontSize(space.layout)
        let width = TextMetrics.width(utf8: drawing.text, size: size)
        return (Pixels.snap(first.x), Pixels.snap(width + size), Pixels.snap(size * 1.7))
    }

    static func fontSize(_ layout: Layout) -> Double { Pixels.snap(13 * layout.ratio * layout.fontScale) }
}
