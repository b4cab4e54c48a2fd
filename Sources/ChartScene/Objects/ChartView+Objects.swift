internal import MarketModel

/// Dragging the lines of orders. Places are CSS pixels from the chart's top left.
extension ChartView {
    /// A button or finger goes down.
    /// - Returns: whether it grabbed an order's line; otherwise the pointer is the drawings' or the chart's.
    public mutating func pressObject(x: Double, y: Double, tolerance: Double = drawingTolerance) -> Bool {
        guard let id = order(x: x, y: y, tolerance: tolerance) else { return false }
        changeOrders { $0.dragged = id }
        return true
    }

    /// The pointer moves: the dragged order is proposed at the price under it, in whole ticks.
    public mutating func moveObject(x: Double, y: Double) {
        guard let id = objects.dragged, x.isFinite, y.isFinite, let space = drawingSpace() else { return }
        let price = space.instrument.clean(space.price.price(at: y * layout.ratio))
        if price.magnitude <= 1e15 { changeOrders { $0.propose(id, price) } }
    }

    /// The button or finger goes up.
    /// - Returns: the order and its proposed price, for the trading code to accept or revert; `nil` where nothing moved.
    public mutating func releaseObject() -> (id: Int, price: Double)? {
        guard let id = objects.dragged else { return nil }
        changeOrders { $0.dragged = nil }
        guard let order = objects.orders.first(where: { $0.id == id }), let price = order.proposed else { return nil }
        return (id, price)
    }

    /// The last price is now this one.
    /// - Returns: the numbers of the alerts that fire, each once.
    public mutating func updateAlerts(last: Double) -> [Int] {
        let pending = pendingRedraw
        let fired = objects.updateAlerts(last: last)
        // Only one that fired looks different.
        if fired.isEmpty { pendingRedraw = pending }
        return fired
    }

    /// Orders are part of the overlay: while one is dragged, candles need not be drawn again.
    private mutating func changeOrders(_ change: (inout ChartObjects) -> Void) {
        let pending = pendingRedraw
        change(&objects)
        pendingRedraw = pending
        mark(.cursor)
    }

    /// The draggable order whose line is nearest to a place and near enough; the last one put there of equals.
    public mutating func order(x: Double, y: Double, tolerance: Double = drawingTolerance) -> Int? {
        guard !objects.orders.isEmpty, x.isFinite, y.isFinite, x >= 0, x < plotWidth, let space = drawingSpace() else {
            return nil
        }
        let pixel = y * layout.ratio
        guard pixel >= space.top, pixel < space.bottom else { return nil }
        var nearest = tolerance * layout.ratio
        var found: Int?
        for order in objects.orders where order.isDraggable {
            let away = (space.price.y(order.shown) - pixel).magnitude
            if away <= nearest {
                nearest = away
                found = order.id
            }
        }
        return found
    }
}
