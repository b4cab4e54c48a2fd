import ChartScene

@_cdecl("cw_chart_pane_count")
public func cw_chart_pane_count(_ handle: Int32) -> Int32 {
    Int32(chart(handle)?.view.panes.count ?? 0)
}

struct PaneRecord: PageRecord {
    /// CSS pixels.
    var top: Double
    var height: Double
    /// Its part of the height.
    var share: Double
}

/// A `PaneRecord`; 0 where there is no such pane.
@_cdecl("cw_chart_pane")
public func cw_chart_pane(_ handle: Int32, _ pane: Int32) -> UnsafeMutablePointer<Double>? {
    guard let chart = chart(handle), let place = chart.view.place(ofPane: Int(pane)) else { return nil }
    return chart.answer(
        PaneRecord(top: place.top, height: place.height, share: chart.view.panes[Int(pane)].share))
}

/// The pane at a height in CSS pixels, -1 on a divider and outside.
@_cdecl("cw_chart_pane_at")
public func cw_chart_pane_at(_ handle: Int32, _ y: Double) -> Int32 {
    Int32(chart(handle)?.view.readPane(atY: y) ?? -1)
}

struct PlotRecord: PageRecord {
    var width: Double
    var height: Double
}

/// A `PlotRecord`: width and height of all panes together, in CSS pixels; the axes lie beyond them.
@_cdecl("cw_chart_plot")
public func cw_chart_plot(_ handle: Int32) -> UnsafeMutablePointer<Double>? {
    guard let chart = chart(handle) else { return nil }
    return chart.answer(PlotRecord(width: chart.view.paneWidth, height: chart.view.paneHeight))
}

@_cdecl("cw_chart_drag_divider")
public func cw_chart_drag_divider(_ handle: Int32, _ pane: Int32, _ dy: Double) {
    chart(handle)?.view.dragDivider(below: Int(pane), byPixels: dy)
}

@_cdecl("cw_chart_set_share")
public func cw_chart_set_share(_ handle: Int32, _ pane: Int32, _ share: Double) {
    chart(handle)?.view.setShare(ofPane: Int(pane), share)
}

/// - Parameters:
///   - kind: by `PriceScaleKind`'s number; another one is linear.
///   - low: NaN with `high` NaN is the automatic range.
@_cdecl("cw_chart_set_scale")
public func cw_chart_set_scale(
    _ handle: Int32, _ pane: Int32, _ kind: Int32, _ inverted: Int32, _ low: Double, _ high: Double
) {
    let kind: PriceScaleKind = choice(kind) ?? .linear
    chart(handle)?.view.setScale(
        ofPane: Int(pane),
        PriceScaleSettings(kind: kind, isInverted: inverted != 0, range: low < high ? low...high : nil))
}

struct ScaleRecord: PageRecord {
    var kind: PageCase<PriceScaleKind>
    var inverted: PageFlag
    /// Whether its range is fixed.
    var isFixed: PageFlag
    /// The values at its ends.
    var low: Double
    var high: Double
}

/// A `ScaleRecord`; 0 where there is no such pane.
@_cdecl("cw_chart_scale")
public func cw_chart_scale(_ handle: Int32, _ pane: Int32) -> UnsafeMutablePointer<Double>? {
    guard let chart = chart(handle), chart.view.panes.indices.contains(Int(pane)) else { return nil }
    let settings = chart.view.panes[Int(pane)].scale
    let range = chart.view.range(ofPane: Int(pane))
    return chart.answer(
        ScaleRecord(
            kind: PageCase(settings.kind), inverted: PageFlag(settings.isInverted),
            isFixed: PageFlag(settings.range != nil), low: range.low, high: range.high))
}

@_cdecl("cw_chart_stretch_scale")
public func cw_chart_stretch_scale(_ handle: Int32, _ pane: Int32, _ factor: Double) {
    chart(handle)?.view.stretchScale(ofPane: Int(pane), by: factor)
}

@_cdecl("cw_chart_pan_scale")
public func cw_chart_pan_scale(_ handle: Int32, _ pane: Int32, _ dy: Double) {
    chart(handle)?.view.panScale(ofPane: Int(pane), byPixels: dy)
}

@_cdecl("cw_chart_reset_scale")
public func cw_chart_reset_scale(_ handle: Int32, _ pane: Int32) {
    chart(handle)?.view.resetScale(ofPane: Int(pane))
}

struct PositionRecord: PageRecord {
    var pane: Double
    var index: Double
    var time: Double
    var value: Double
}

/// A `PositionRecord`, see `ChartPosition`; 0 beside the panes and without bars.
@_cdecl("cw_chart_position")
public func cw_chart_position(_ handle: Int32, _ x: Double, _ y: Double) -> UnsafeMutablePointer<Double>? {
    guard let chart = chart(handle), let place = chart.view.position(x: x, y: y) else { return nil }
    return chart.answer(
        PositionRecord(pane: Double(place.pane), index: place.index, time: place.time, value: place.value))
}

struct PointRecord: PageRecord {
    var x: Double
    var y: Double
}

/// A `PointRecord` in CSS pixels; 0 where a time and a price have no place.
@_cdecl("cw_chart_point")
public func cw_chart_point(_ handle: Int32, _ time: Double, _ price: Double) -> UnsafeMutablePointer<Double>? {
    guard let chart = chart(handle), let place = chart.view.point(time: time, price: price) else { return nil }
    return chart.answer(PointRecord(x: place.x, y: place.y))
}
