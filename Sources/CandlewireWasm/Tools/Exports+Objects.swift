import ChartScene

// What others put on a chart. Objects are named by the page's own numbers; the same number again replaces one. Texts are
// UTF-8, colours 0xRRGGBBAA as numbers, negative for the default one.

@_cdecl("cw_chart_line_set")
public func cw_chart_line_set(
    _ handle: Int32, _ id: Int32, _ price: Double, _ colour: Double, _ width: Double, _ dash: Int32,
    _ utf8: UnsafePointer<UInt8>?, _ length: Int32
) {
    guard let dash: DrawingStyle.Dash = choice(dash) else { return }
    let style = DrawingStyle(colour: pageColour(colour), width: width, dash: dash)
    chart(handle)?.view.objects.set(PriceLine(id: Int(id), price: price, style: style, label: text(utf8, length)))
}

@_cdecl("cw_chart_line_remove")
public func cw_chart_line_remove(_ handle: Int32, _ id: Int32) {
    chart(handle)?.view.objects.removeLine(Int(id))
}

/// - Parameter direction: by `PriceAlert.Direction`.
@_cdecl("cw_chart_alert_set")
public func cw_chart_alert_set(_ handle: Int32, _ id: Int32, _ price: Double, _ direction: Int32) {
    guard let direction: PriceAlert.Direction = choice(direction) else { return }
    chart(handle)?.view.objects.set(PriceAlert(id: Int(id), price: price, direction: direction))
}

@_cdecl("cw_chart_alert_remove")
public func cw_chart_alert_remove(_ handle: Int32, _ id: Int32) {
    chart(handle)?.view.objects.removeAlert(Int(id))
}

@_cdecl("cw_chart_alert_rearm")
public func cw_chart_alert_rearm(_ handle: Int32, _ id: Int32) {
    chart(handle)?.view.objects.rearmAlert(Int(id))
}

/// The last price is now this one. Answers how many alerts fire; `cw_chart_alert_fired` names them.
@_cdecl("cw_chart_alert_update")
public func cw_chart_alert_update(_ handle: Int32, _ last: Double) -> Int32 {
    guard let chart = chart(handle), !chart.view.objects.alerts.isEmpty else { return 0 }
    chart.firedAlerts = chart.view.updateAlerts(last: last)
    return Int32(chart.firedAlerts.count)
}

/// Number of the alert that fired at a position of the last update.
@_cdecl("cw_chart_alert_fired")
public func cw_chart_alert_fired(_ handle: Int32, _ position: Int32) -> Int32 {
    guard let chart = chart(handle), position >= 0, Int(position) < chart.firedAlerts.count else { return 0 }
    return Int32(chart.firedAlerts[Int(position)])
}

/// - Parameter kind: by `ChartMarker.Kind`.
@_cdecl("cw_chart_marker_set")
public func cw_chart_marker_set(
    _ handle: Int32, _ id: Int32, _ time: Double, _ kind: Int32, _ colour: Double, _ utf8: UnsafePointer<UInt8>?,
    _ length: Int32
) {
    guard let kind: ChartMarker.Kind = choice(kind) else { return }
    if let marker = ChartMarker(
        id: Int(id), time: time, kind: kind, text: text(utf8, length), colour: pageColour(colour))
    {
        chart(handle)?.view.objects.set(marker)
    }
}

@_cdecl("cw_chart_marker_remove")
public func cw_chart_marker_remove(_ handle: Int32, _ id: Int32) {
    chart(handle)?.view.objects.removeMarker(Int(id))
}

/// - Parameter state: by `FeedMark.State`.
@_cdecl("cw_chart_feed_mark")
public func cw_chart_feed_mark(
    _ handle: Int32, _ start: Double, _ end: Double, _ state: Int32, _ utf8: UnsafePointer<UInt8>?, _ length: Int32
) {
    guard let state: FeedMark.State = choice(state) else { return }
    if let mark = FeedMark(from: start, to: end, state, reason: text(utf8, length)) {
        chart(handle)?.view.objects.add(mark)
    }
}

@_cdecl("cw_chart_feed_clear")
public func cw_chart_feed_clear(_ handle: Int32) {
    chart(handle)?.view.objects.removeAllFeedMarks()
}

/// No object any more, as for another symbol.
@_cdecl("cw_chart_objects_clear")
public func cw_chart_objects_clear(_ handle: Int32) {
    chart(handle)?.view.objects = ChartObjects()
}

// MARK: Orders

/// - Parameter kind: by `OrderLine.Kind`.
@_cdecl("cw_chart_order_set")
public func cw_chart_order_set(
    _ handle: Int32, _ id: Int32, _ kind: Int32, _ isBuy: Int32, _ price: Double, _ isDraggable: Int32,
    _ utf8: UnsafePointer<UInt8>?, _ length: Int32
) {
    guard let kind: OrderLine.Kind = choice(kind) else { return }
    chart(handle)?.view.objects.set(
        OrderLine(
            id: Int(id), kind: kind, isBuy: isBuy != 0, price: price, label: text(utf8, length),
            isDraggable: isDraggable != 0))
}

@_cdecl("cw_chart_order_remove")
public func cw_chart_order_remove(_ handle: Int32, _ id: Int32) {
    chart(handle)?.view.objects.removeOrder(Int(id))
}

/// The proposed price is the order's price now.
@_cdecl("cw_chart_order_accept")
public func cw_chart_order_accept(_ handle: Int32, _ id: Int32) {
    chart(handle)?.view.objects.acceptOrder(Int(id))
}

@_cdecl("cw_chart_order_revert")
public func cw_chart_order_revert(_ handle: Int32, _ id: Int32) {
    chart(handle)?.view.objects.revertOrder(Int(id))
}

/// 1 where an order's line captures the pointer.
@_cdecl("cw_chart_order_press")
public func cw_chart_order_press(_ handle: Int32, _ x: Double, _ y: Double, _ tolerance: Double) -> Int32 {
    chart(handle)?.view.pressObject(x: x, y: y, tolerance: tolerance) == true ? 1 : 0
}

/// 1 where a draggable order's line is under a place.
@_cdecl("cw_chart_order_hit")
public func cw_chart_order_hit(_ handle: Int32, _ x: Double, _ y: Double, _ tolerance: Double) -> Int32 {
    chart(handle)?.view.order(x: x, y: y, tolerance: tolerance) == nil ? 0 : 1
}

@_cdecl("cw_chart_order_drag")
public func cw_chart_order_drag(_ handle: Int32, _ x: Double, _ y: Double) {
    chart(handle)?.view.moveObject(x: x, y: y)
}

struct ProposalRecord: PageRecord {
    /// The order.
    var id: Double
    var price: Double
}

/// A `ProposalRecord`; 0 where nothing moved. Valid until the next call with this handle.
@_cdecl("cw_chart_order_release")
public func cw_chart_order_release(_ handle: Int32) -> UnsafeMutablePointer<Double>? {
    guard let chart = chart(handle), let proposal = chart.view.releaseObject() else { return nil }
    return chart.answer(ProposalRecord(id: Double(proposal.id), price: proposal.price))
}
