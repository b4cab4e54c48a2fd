import ChartScene

// What others put on a chart. Objects are told by the page's own numbers; the same number again replaces one. Texts are
// UTF-8, colours 0xRRGGBBAA as numbers, negative for the usual one.

@_expose(wasm, "cw_chart_line_set")
@_cdecl("cw_chart_line_set")
public func cw_chart_line_set(
    _ handle: Int32, _ id: Int32, _ price: Double, _ colour: Double, _ width: Double, _ dash: Int32,
    _ utf8: UnsafePointer<UInt8>?, _ length: Int32
) {
    guard let dash: DrawingStyle.Dash = choice(dash) else { return }
    let style = DrawingStyle(colour: pageColour(colour), width: width, dash: dash)
    chart(handle)?.view.objects.set(PriceLine(id: Int(id), price: price, style: style, label: text(utf8, length)))
}

@_expose(wasm, "cw_chart_line_remove")
@_cdecl("cw_chart_line_remove")
public func cw_chart_line_remove(_ handle: Int32, _ id: Int32) {
    chart(handle)?.view.objects.removeLine(Int(id))
}

/// - Parameter direction: by `PriceAlert.Direction`.
@_expose(wasm, "cw_chart_alert_set")
@_cdecl("cw_chart_alert_set")
public func cw_chart_alert_set(_ handle: Int32, _ id: Int32, _ price: Double, _ direction: Int32) {
    guard let direction: PriceAlert.Direction = choice(direction) else { return }
    chart(handle)?.view.objects.set(PriceAlert(id: Int(id), price: price, direction: direction))
}

@_expose(wasm, "cw_chart_alert_remove")
@_cdecl("cw_chart_alert_remove")
public func cw_chart_alert_remove(_ handle: Int32, _ id: Int32) {
    chart(handle)?.view.objects.removeAlert(Int(id))
}

@_expose(wasm, "cw_chart_alert_rearm")
@_cdecl("cw_chart_alert_rearm")
public func cw_chart_alert_rearm(_ handle: Int32, _ id: Int32) {
    chart(handle)?.view.objects.rearmAlert(Int(id))
}

/// The last price is now this one. Answers how many alerts fire; `cw_chart_alert_fired` tells which.
@_expose(wasm, "cw_chart_alert_update")
@_cdecl("cw_chart_alert_update")
public func cw_chart_alert_update(_ handle: Int32, _ last: Double) -> Int32 {
    guard let chart = chart(handle), !chart.view.objects.alerts.isEmpty else { return 0 }
    chart.firedAlerts = chart.view.updateAlerts(last: last)
    return Int32(chart.firedAlerts.count)
}

/// Number of the alert that fired at a position of the last update.
@_expose(wasm, "cw_chart_alert_fired")
@_cdecl("cw_chart_alert_fired")
public func cw_chart_alert_fired(_ handle: Int32, _ position: Int32) -> Int32 {
    guard let chart = chart(handle), position >= 0, Int(position) < chart.firedAlerts.count else { return 0 }
    return Int32(chart.firedAlerts[Int(position)])
}

/// - Parameter kind: by `ChartMarker.Kind`.
@_expose(wasm, "cw_chart_marker_set")
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

@_expose(wasm, "cw_chart_marker_remove")
@_cdecl("cw_chart_marker_remove")
public func cw_chart_marker_remove(_ handle: Int32, _ id: Int32) {
    chart(handle)?.view.objects.removeMarker(Int(id))
}

/// - Parameter state: by `FeedMark.State`.
@_expose(wasm, "cw_chart_feed_mark")
@_cdecl("cw_chart_feed_mark")
public func cw_chart_feed_mark(
    _ handle: Int32, _ start: Double, _ end: Double, _ state: Int32, _ utf8: UnsafePointer<UInt8>?, _ length: Int32
) {
    guard let state: FeedMark.State = choice(state) else { return }
    if let mark = FeedMark(from: start, to: end, state, reason: text(utf8, length)) {
        chart(handle)?.view.objects.add(mark)
    }
}

@_expose(wasm, "cw_chart_feed_clear")
@_cdecl("cw_chart_feed_clear")
public func cw_chart_feed_clear(_ handle: Int32) {
    chart(handle)?.view.objects.removeAllFeedMarks()
}

/// No object any more, as for another symbol.
@_expose(wasm, "cw_chart_objects_clear")
@_cdecl("cw_chart_objects_clear")
public func cw_chart_objects_clear(_ handle: Int32) {
    chart(handle)?.view.objects = ChartObjects()
}

// MARK: Orders

/// - Parameter kind: by `OrderLine.Kind`.
@_expose(wasm, "cw_chart_order_set")
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

@_expose(wasm, "cw_chart_order_remove")
@_cdecl("cw_chart_order_remove")
public func cw_chart_order_remove(_ handle: Int32, _ id: Int32) {
    chart(handle)?.view.objects.removeOrder(Int(id))
}

/// The proposed price is the order's price now.
@_expose(wasm, "cw_chart_order_accept")
@_cdecl("cw_chart_order_accept")
public func cw_chart_order_accept(_ handle: Int32, _ id: Int32) {
    chart(handle)?.view.objects.acceptOrder(Int(id))
}

@_expose(wasm, "cw_chart_order_revert")
@_cdecl("cw_chart_order_revert")
public func cw_chart_order_revert(_ handle: Int32, _ id: Int32) {
    chart(handle)?.view.objects.revertOrder(Int(id))
}

/// 1 where an order's line takes the pointer.
@_expose(wasm, "cw_chart_order_press")
@_cdecl("cw_chart_order_press")
public func cw_chart_order_press(_ handle: Int32, _ x: Double, _ y: Double, _ tolerance: Double) -> Int32 {
    chart(handle)?.view.pressObject(x: x, y: y, tolerance: tolerance) == true ? 1 : 0
}

/// 1 where a draggable order's line is under a place.
@_expose(wasm, "cw_chart_order_hit")
@_cdecl("cw_chart_order_hit")
public func cw_chart_order_hit(_ handle: Int32, _ x: Double, _ y: Double, _ tolerance: Double) -> Int32 {
    chart(handle)?.view.order(x: x, y: y, tolerance: tolerance) == nil ? 0 : 1
}

@_expose(wasm, "cw_chart_order_drag")
@_cdecl("cw_chart_order_drag")
public func cw_chart_order_drag(_ handle: Int32, _ x: Double, _ y: Double) {
    chart(handle)?.view.moveObject(x: x, y: y)
}

/// Two numbers, the order and its proposed price; 0 where nothing moved. Valid until the next call with this handle.
@_expose(wasm, "cw_chart_order_release")
@_cdecl("cw_chart_order_release")
public func cw_chart_order_release(_ handle: Int32) -> UnsafeMutablePointer<Double>? {
    guard let chart = chart(handle), let proposal = chart.view.releaseObject() else { return nil }
    return chart.answer(Double(proposal.id), proposal.price)
}
