internal import MarketModel

/// What a pointer is doing on the board.
enum DrawingGesture: Sendable {
    case none
    /// A drawing is begun: some anchors are placed, the next one follows the pointer.
    /// - `pressed`: where the button went down for the last one; a drag from there places the next one where it ends.
    case creating(kind: DrawingKind, placed: [DrawingAnchor], next: DrawingAnchor, pressed: DrawingPoint?)
    /// One is dragged.
    /// - `grip`: the place under the pointer when it went down; `before`: the board then.
    case dragging(hit: DrawingHit, anchors: [DrawingAnchor], grip: DrawingAnchor, before: [Drawing])
}

/// A pointer's way over the board. Points are device pixels.
extension DrawingBoard {
    /// How far a press has to move to be a drag, in CSS pixels.
    private static let slop = 5.0

    /// A button or finger goes down.
    /// - Returns: whether the board captures the pointer; otherwise it is the chart's.
    mutating func press(_ point: DrawingPoint, _ space: DrawingSpace, tolerance: Double) -> Bool {
        if let tool {
            let anchor = space.anchor(point, magnet)
            guard anchor.isValid, !space.series.isEmpty else { return true }
            var placed: [DrawingAnchor] = []
            if case .creating(_, let begun, _, _) = gesture { placed = begun }
            placed.append(anchor)
            if placed.count < tool.anchorCount {
                gesture = .creating(kind: tool, placed: placed, next: anchor, pressed: point)
            } else {
                finish(tool, placed)
            }
            return true
        }
        let hit = self.hit(point, space, tolerance: tolerance)
        selection = hit?.id
        hovered = hit
        guard let hit, let index = index(of: hit.id) else { return false }
        if !drawings[index].isLocked {
            gesture = .dragging(
                hit: hit, anchors: drawings[index].anchors, grip: space.anchor(point, .off), before: drawings)
        }
        return true
    }

    /// The pointer moves: what was begun follows it.
    mutating func move(_ point: DrawingPoint, _ space: DrawingSpace) {
        switch gesture {
        case .none: break
        case .creating(let kind, let placed, _, let pressed):
            gesture = .creating(kind: kind, placed: placed, next: space.anchor(point, magnet), pressed: pressed)
        case .dragging(let hit, let anchors, let grip, _):
            guard let index = index(of: hit.id) else { return }
            switch hit.part {
            case .handle(let handle):
                drawings[index].anchors = anchors
                drawings[index].anchors[handle] = space.anchor(point, magnet)
            case .body: drawings[index].anchors = space.moved(anchors, from: grip, to: space.anchor(point, .off))
            }
        }
    }

    /// The button or finger goes up.
    mutating func release(_ point: DrawingPoint, _ space: DrawingSpace, tolerance: Double) {
        switch gesture {
        case .none: break
        case .creating(let kind, var placed, let next, let pressed):
            guard let pressed else { return }
            let slop = max(DrawingBoard.slop * space.layout.ratio, tolerance)
            guard (point.x - pressed.x).magnitude + (point.y - pressed.y).magnitude > slop else {
                gesture = .creating(kind: kind, placed: placed, next: next, pressed: nil)
                return
            }
            placed.append(space.anchor(point, magnet))
            if placed.count == kind.anchorCount {
                finish(kind, placed)
            } else {
                gesture = .creating(kind: kind, placed: placed, next: next, pressed: nil)
            }
        case .dragging(_, _, _, let before):
            move(point, space)
            gesture = .none
            commit(before: before)
        }
    }

    /// Gives up what was begun; what was dragged goes back.
    public mutating func cancel() {
        if case .dragging(_, _, _, let before) = gesture { drawings = before }
        gesture = .none
        hovered = nil
        tool = nil
    }

    private mutating func finish(_ kind: DrawingKind, _ anchors: [DrawingAnchor]) {
        gesture = .none
        tool = nil
        if let drawing = Drawing(kind, anchors, style: style) { add(drawing) }
    }
}

extension DrawingSpace {
    /// Anchors moved as a whole by some bars and a distance on the price axis, so that a line keeps its slope on screen
    /// on every scale. What would leave the calendar stays.
    func moved(_ anchors: [DrawingAnchor], from start: DrawingAnchor, to end: DrawingAnchor) -> [DrawingAnchor] {
        let bars = series.position(of: end.time, timeframe) - series.position(of: start.time, timeframe)
        let pixels = price.y(end.price) - price.y(start.price)
        var moved = anchors
        for index in 0..<anchors.count {
            let position = series.position(of: anchors[index].time, timeframe) + bars
            let anchor = DrawingAnchor(
                time: series.time(ofPosition: position, timeframe),
                price: pixels == 0
                    ? anchors[index].price
                    : instrument.clean(price.price(at: price.y(anchors[index].price) + pixels)))
            guard anchor.isValid else { return anchors }
            moved[index] = anchor
        }
        return moved
    }
}
