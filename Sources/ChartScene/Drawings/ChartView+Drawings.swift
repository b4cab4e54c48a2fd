internal import MarketModel

/// A pointer's way over the drawings, in CSS pixels from the chart's top left. Other changes go to `board` itself.
extension ChartView {
    /// How near to a drawing is on it: 6 for a mouse, about 16 for a finger.
    public static let drawingTolerance = 6.0

    /// A button or finger goes down. With a tool chosen it places an anchor; otherwise it selects what is there and may
    /// begin to drag it.
    /// - Returns: whether the drawings take the pointer; otherwise it is the chart's.
    public mutating func pressDrawing(x: Double, y: Double, tolerance: Double = drawingTolerance) -> Bool {
        guard let (point, space) = drawingPlace(x, y) else { return false }
        return board.press(point, space, tolerance: tolerance * space.layout.ratio)
    }

    /// The pointer moves, pressed or not: a begun drawing's next anchor, or what is dragged, follows it.
    public mutating func moveDrawing(x: Double, y: Double, tolerance: Double = drawingTolerance) {
        // Most moves are over nothing: the board is not touched, and so nothing is drawn again.
        guard let (point, space) = drawingPlace(x, y) else { return }
        if case .none = board.gesture {
            let hit = board.tool == nil ? board.hit(point, space, tolerance: tolerance * space.layout.ratio) : nil
            if hit != board.hovered { board.hovered = hit }
        } else {
            board.move(point, space)
        }
    }

    /// The button or finger goes up. One press after the other or one drag: both place the second anchor.
    public mutating func releaseDrawing(x: Double, y: Double, tolerance: Double = drawingTolerance) {
        guard let (point, space) = drawingPlace(x, y) else { return }
        board.release(point, space, tolerance: tolerance * space.layout.ratio)
    }

    /// What is under a place.
    public mutating func drawing(x: Double, y: Double, tolerance: Double = drawingTolerance) -> DrawingHit? {
        guard let (point, space) = drawingPlace(x, y) else { return nil }
        return board.hit(point, space, tolerance: tolerance * space.layout.ratio)
    }

    /// Places an anchor at the crosshair, for who draws by keyboard: its bar, and its height or the bar's close.
    /// - Returns: `false` without a tool or a crosshair.
    public mutating func placeDrawingAtCrosshair() -> Bool {
        guard board.tool != nil, let index = crosshairIndex, let space = drawingSpace() else { return false }
        var y = space.price.y(series.close(at: min(max(index, 0), count - 1)))
        if case .pointer(_, let height) = crosshair { y = height * layout.ratio }
        let point = DrawingPoint(x: space.time.x(index), y: y)
        _ = board.press(point, space, tolerance: 0)
        board.release(point, space, tolerance: 0)
        return true
    }

    /// Moves the selected drawing by bars and by steps of the price, for who moves it by keyboard. One step to undo.
    public mutating func nudgeDrawing(bars: Int, steps: Int) {
        guard let id = board.selection, let drawing = board[id], !drawing.isLocked, drawingSpace() != nil else {
            return
        }
        let bars = Double(min(max(bars, -100_000), 100_000))
        let change = instrument.step * Double(min(max(steps, -100_000), 100_000))
        let anchors = drawing.anchors.map { anchor in
            DrawingAnchor(
                time: bars == 0
                    ? anchor.time
                    : series.time(ofPosition: series.position(of: anchor.time, timeframe) + bars, timeframe),
                price: change == 0 ? anchor.price : instrument.clean(anchor.price + change))
        }
        board.setAnchors(id, anchors)
    }

    private mutating func drawingPlace(_ x: Double, _ y: Double) -> (DrawingPoint, DrawingSpace)? {
        guard x.isFinite, y.isFinite, let space = drawingSpace() else { return nil }
        return (DrawingPoint(x: x * layout.ratio, y: y * layout.ratio), space)
    }

    /// The scales as they are now; `nil` where there is no picture or no bar to measure places by.
    mutating func drawingSpace() -> DrawingSpace? {
        guard !size.isEmpty, !series.isEmpty else { return nil }
        // The scales of the last frame may be older than the last call.
        if pendingRedraw.touchesBase { layOut() }
        guard frame.scales[0].scale > 0 else { return nil }
        return DrawingSpace(
            series: series, timeframe: timeframe, instrument: instrument, time: timeScale, price: frame.scales[0],
            layout: layout)
    }
}
