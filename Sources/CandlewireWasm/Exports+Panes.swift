import ChartScene

@_expose(wasm, "cw_chart_pane_count")
@_cdecl("cw_chart_pane_count")
public func cw_chart_pane_count(_ handle: Int32) -> Int32 {
    Int32(chart(handle)?.view.panes.count ?? 0)
}

/// Three numbers: top and height in CSS pixels, and its share of the height. 0 where there is no such pane.
@_expose(wasm, "cw_chart_pane")
@_cdecl("cw_chart_pane")
public func cw_chart_pane(_ handle: Int32, _ pane: Int32) -> UnsafeMutablePointer<Double>? {
    guard let chart = chart(handle), let place = chart.view.place(ofPane: Int(pane)) else { return nil }
    return chart.answer(place.top, place.height, chart.view.panes[Int(pane)].share)
}

/// The pane at a height in CSS pixels, -1 on a divider and outside.
@_expose(wasm, "cw_chart_pane_at")
@_cdecl("cw_chart_pane_at")
public func cw_chart_pane_at(_ handle: Int32, _ y: Double) -> Int32 {
    Int32(chart(handle)?.view.pane(atY: y) ?? -1)
}

/// Two numbers: width and height of all panes together, in CSS pixels; the axes lie beyond them.
@_expose(wasm, "cw_chart_plot")
@_cdecl("cw_chart_plot")
public func cw_chart_plot(_ handle: Int32) -> UnsafeMutablePointer<Double>? {
    guard let chart = chart(handle) else { return nil }
    return chart.answer(chart.view.paneWidth, chart.view.paneHeight)
}

@_expose(wasm, "cw_chart_drag_divider")
@_cdecl("cw_chart_drag_divider")
public func cw_chart_drag_divider(_ handle: Int32, _ pane: Int32, _ dy: Double) {
    chart(handle)?.view.dragDivider(below: Int(pane), byPixels: dy)
}

@_expose(wasm, "cw_chart_set_share")
@_cdecl("cw_chart_set_share")
public func cw_chart_set_share(_ handle: Int32, _ pane: Int32, _ share: Double) {
    chart(handle)?.view.setShare(ofPane: Int(pane), share)
}

/// - Parameters:
///   - kind: by `PriceScaleKind`'s number; another one is linear.
///   - low: NaN with `high` NaN is the automatic range.
@_expose(wasm, "cw_chart_set_scale")
@_cdecl("cw_chart_set_scale")
public func cw_chart_set_scale(
    _ handle: Int32, _ pane: Int32, _ kind: Int32, _ inverted: Int32, _ low: Double, _ high: Double
) {
    let kind: PriceScaleKind = choice(kind) ?? .linear
    chart(handle)?.view.setScale(
        ofPane: Int(pane),
        PriceScaleSettings(kind: kind, isInverted: inverted != 0, range: low < high ? low...high : nil))
}

/// Five numbers: kind, whether it is inverted, whether its range is fixed, and the values at its ends. 0 where there is
/// no such pane.
@_expose(wasm, "cw_chart_scale")
@_cdecl("cw_chart_scale")
public func cw_chart_scale(_ handle: Int32, _ pane: Int32) -> UnsafeMutablePointer<Double>? {
    guard let chart = chart(handle), chart.view.panes.indices.contains(Int(pane)) else { return nil }
    let settings = chart.view.panes[Int(pane)].scale
    let range = chart.view.range(ofPane: Int(pane))
    return chart.answer(
        Double(settings.kind.rawValue), settings.isInverted ? 1 : 0, settings.range == nil ? 0 : 1, range.low,
        range.high)
}

@_expose(wasm, "cw_chart_stretch_scale")
@_cdecl("cw_chart_stretch_scale")
public func cw_chart_stretch_scale(_ handle: Int32, _ pane: Int32, _ factor: Double) {
    chart(handle)?.view.stretchScale(ofPane: Int(pane), by: factor)
}

@_expose(wasm, "cw_chart_pan_scale")
@_cdecl("cw_chart_pan_scale")
public func cw_chart_pan_scale(_ handle: Int32, _ pane: Int32, _ dy: Double) {
    chart(handle)?.view.panScale(ofPane: Int(pane), byPixels: dy)
}

@_expose(wasm, "cw_chart_reset_scale")
@_cdecl("cw_chart_reset_scale")
public func cw_chart_reset_scale(_ handle: Int32, _ pane: Int32) {
    chart(handle)?.view.resetScale(ofPane: Int(pane))
}

/// Five numbers: whether there is a place, its pane, index, time and value. See `ChartPosition`.
@_expose(wasm, "cw_chart_position")
@_cdecl("cw_chart_position")
public func cw_chart_position(_ handle: Int32, _ x: Double, _ y: Double) -> UnsafeMutablePointer<Double>? {
    guard let chart = chart(handle) else { return nil }
    guard let place = chart.view.position(x: x, y: y) else { return chart.answer(0, 0, 0, 0, 0) }
    return chart.answer(1, Double(place.pane), place.index, place.time, place.value)
}

/// Three numbers: whether there is a place, and its x and y in CSS pixels.
@_expose(wasm, "cw_chart_point")
@_cdecl("cw_chart_point")
public func cw_chart_point(_ handle: Int32, _ time: Double, _ price: Double) -> UnsafeMutablePointer<Double>? {
    guard let chart = chart(handle) else { return nil }
    guard let place = chart.view.point(time: time, price: price) else { return chart.answer(0, 0, 0) }
    return chart.answer(1, place.x, place.y)
}
