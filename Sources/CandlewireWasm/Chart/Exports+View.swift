import ChartScene
import MarketModel

@_cdecl("cw_chart_pan")
public func cw_chart_pan(_ handle: Int32, _ dx: Double) {
    chart(handle)?.view.pan(byPixels: dx)
}

@_cdecl("cw_chart_pan_bars")
public func cw_chart_pan_bars(_ handle: Int32, _ bars: Int32) {
    chart(handle)?.view.pan(byBars: Int(bars))
}

@_cdecl("cw_chart_zoom")
public func cw_chart_zoom(_ handle: Int32, _ factor: Double, _ x: Double) {
    chart(handle)?.view.zoom(by: factor, atX: x)
}

@_cdecl("cw_chart_follow_live")
public func cw_chart_follow_live(_ handle: Int32) {
    chart(handle)?.view.followLive()
}

@_cdecl("cw_chart_is_following")
public func cw_chart_is_following(_ handle: Int32) -> Int32 {
    chart(handle)?.view.readIsFollowing() == true ? 1 : 0
}

/// Spaces bars by their index or by their time, by `TimeScaleKind`.
@_cdecl("cw_chart_set_time_scale")
public func cw_chart_set_time_scale(_ handle: Int32, _ kind: Int32) {
    if let kind: TimeScaleKind = choice(kind) { chart(handle)?.view.setTimeScale(kind) }
}

@_cdecl("cw_chart_time_scale")
public func cw_chart_time_scale(_ handle: Int32) -> Int32 {
    Int32(chart(handle)?.view.timeScaleKind.rawValue ?? 0)
}

@_cdecl("cw_chart_fit")
public func cw_chart_fit(_ handle: Int32) {
    chart(handle)?.view.fit()
}

@_cdecl("cw_chart_first_visible")
public func cw_chart_first_visible(_ handle: Int32) -> Int32 {
    Int32(chart(handle)?.view.readFirstVisible() ?? 0)
}

@_cdecl("cw_chart_visible_count")
public func cw_chart_visible_count(_ handle: Int32) -> Double {
    chart(handle)?.view.readVisibleCount() ?? 0
}

@_cdecl("cw_chart_bar_spacing")
public func cw_chart_bar_spacing(_ handle: Int32) -> Double {
    chart(handle)?.view.readBarSpacing() ?? 0
}

/// Shows 100 bars at zoom 1, 10 at 10, 1,000 at 0.1.
@_cdecl("cw_chart_set_zoom")
public func cw_chart_set_zoom(_ handle: Int32, _ zoom: Double) {
    chart(handle)?.view.setZoom(zoom)
}

@_cdecl("cw_chart_zoom_level")
public func cw_chart_zoom_level(_ handle: Int32) -> Double {
    chart(handle)?.view.readZoom() ?? 1
}

/// Brings a time to the middle of the plot.
@_cdecl("cw_chart_go_to")
public func cw_chart_go_to(_ handle: Int32, _ time: Double) {
    chart(handle)?.view.go(toTime: time)
}

// MARK: Crosshair

struct LegendRecord: PageRecord {
    /// Start of the bar, seconds since 1970 UTC.
    var timestamp: Double
    var open: Double
    var high: Double
    var low: Double
    var close: Double
    var volume: Double
    /// Position in the series.
    var index: Double
    /// What the bar's change is measured against, as in the picture: the close of the bar before, of the first bar its
    /// own open.
    var reference: Double
}

@_cdecl("cw_chart_crosshair")
public func cw_chart_crosshair(_ handle: Int32, _ x: Double, _ y: Double) {
    chart(handle)?.view.setCrosshair(x: x, y: y)
}

@_cdecl("cw_chart_crosshair_off")
public func cw_chart_crosshair_off(_ handle: Int32) {
    chart(handle)?.view.clearCrosshair()
}

@_cdecl("cw_chart_crosshair_index")
public func cw_chart_crosshair_index(_ handle: Int32, _ step: Int32) {
    chart(handle)?.view.moveCrosshair(byBars: Int(step))
}

struct LegendRowRecord: PageRecord {
    /// The study's or the comparison's.
    var id: Double
    /// The end of its name in CSS pixels.
    var right: Double
    /// The middle of the line in CSS pixels.
    var middle: Double
}

/// A `LegendRowRecord` of the study or comparison that the legend names at a place, as the last draw left it; 0 after the
/// last one. Valid until the next call with this handle.
@_cdecl("cw_chart_legend_row")
public func cw_chart_legend_row(_ handle: Int32, _ index: Int32) -> UnsafeMutablePointer<Double>? {
    guard let chart = chart(handle), let row = chart.view.readLegendRow(Int(index)) else { return nil }
    return chart.answer(row)
}

/// A `LegendRecord` of the crosshair's bar, else the last one; 0 without bars. Valid until the next call with this handle.
@_cdecl("cw_chart_legend")
public func cw_chart_legend(_ handle: Int32) -> UnsafeMutablePointer<Double>? {
    guard let chart = chart(handle), let legend = chart.view.readLegend() else { return nil }
    return chart.answer(legend)
}
