public import ChartScene

/// What an app puts on the chart: price lines, alerts, markers, orders, the state of the feed.
///
/// Each object has a number of the app's; the same number again replaces it. An object whose price or time is no place on
/// a chart is not accepted.
///
/// ```swift
/// controller.onAlert = { alert in notify("BTC-USD is at \(alert.price)") }
/// controller.set(PriceAlert(id: 1, price: 68_000, direction: .up))
/// controller.set(PriceLine(id: 1, price: 66_500, label: "entry".utf8))
/// controller.set(OrderLine(id: 7, kind: .stopLoss, isBuy: false, price: 65_900, label: "Stop 0.5".utf8))
/// ```
extension ChartController {
    /// All of them.
    public var objects: ChartObjects { observed(\.objects) }

    /// Changes several objects as one change of the picture.
    public func changeObjects(_ body: (inout ChartObjects) -> Void) { change { body(&$0.objects) } }
    public func set(_ line: PriceLine) { changeObjects { $0.set(line) } }
    public func removePriceLine(_ id: Int) { changeObjects { $0.removeLine(id) } }

    /// Draws an alert and watches its price: when the newest price crosses it, `onAlert` is called, once.
    public func set(_ alert: PriceAlert) { changeObjects { $0.set(alert) } }
    public func removeAlert(_ id: Int) { changeObjects { $0.removeAlert(id) } }
    /// Makes a fired alert ready again.
    public func rearmAlert(_ id: Int) { changeObjects { $0.rearmAlert(id) } }
    public func set(_ marker: ChartMarker) { changeObjects { $0.set(marker) } }
    public func removeMarker(_ id: Int) { changeObjects { $0.removeMarker(id) } }

    /// Draws a position or an order. Dragging it only proposes a price: `onOrderDrag` says so, and the trading code calls
    /// `acceptOrder` or `revertOrder`.
    public func set(_ order: OrderLine) { changeObjects { $0.set(order) } }
    public func removeOrder(_ id: Int) { changeObjects { $0.removeOrder(id) } }
    public func acceptOrder(_ id: Int) { changeObjects { $0.acceptOrder(id) } }
    public func revertOrder(_ id: Int) { changeObjects { $0.revertOrder(id) } }

    /// Marks bars on which the feed was not well, with the reason that the crosshair shows.
    public func add(_ mark: FeedMark) { changeObjects { $0.add(mark) } }
    public func removeAllFeedMarks() { changeObjects { $0.removeAllFeedMarks() } }

    // MARK: A pointer, in points from the chart's top left

    /// - Returns: whether a draggable order's line is there and follows the pointer now.
    public func pressObject(x: Double, y: Double, tolerance: Double = ChartView.drawingTolerance) -> Bool {
        change { $0.pressObject(x: x, y: y, tolerance: tolerance) }
    }

    public func moveObject(x: Double, y: Double) { change { $0.moveObject(x: x, y: y) } }

    /// Ends the drag; where the order has another price now, `onOrderDrag` is called.
    public func releaseObject() {
        guard let (id, price) = change({ $0.releaseObject() }) else { return }
        onOrderDrag?(id, price)
    }

    /// The newest price changed.
    func checkAlerts() {
        guard !view.objects.alerts.isEmpty, let last = view.series.last?.close else { return }
        for id in view.updateAlerts(last: last) {
            guard let alert = view.objects.alerts.first(where: { $0.id == id }) else { continue }
            announce(.alert(price: alert.price, precision: shownPrecision))
            onAlert?(alert)
        }
    }
}
