import ChartScene
import MarketModel

@_expose(wasm, "cw_chart_pan")
@_cdecl("cw_chart_pan")
public func cw_chart_pan(_ handle: Int32, _ dx: Double) {
    chart(handle)?.view.pan(byPixels: dx)
}

@_expose(wasm, "cw_chart_pan_bars")
@_cdecl("cw_chart_pan_bars")
public func cw_chart_pan_bars(_ handle: Int32, _ bars: Int32) {
    chart(handle)?.view.pan(byBars: Int(bars))
}

@_expose(wasm, "cw_chart_zoom")
@_cdecl("cw_chart_zoom")
public func cw_chart_zoom(_ handle: Int32, _ factor: Double, _ x: Double) {
    chart(handle)?.view.zoom(by: factor, atX: x)
}

@_expose(wasm, "cw_chart_follow_live")
@_cdecl("cw_chart_follow_live")
public func cw_chart_follow_live(_ handle: Int32) {
    chart(handle)?.view.followLive()
}

@_expose(wasm, "cw_chart_is_following")
@_cdecl("cw_chart_is_following")
public func cw_chart_is_following(_ handle: Int32) -> Int32 {
    chart(handle)?.view.isFollowing == true ? 1 : 0
}

/// Spaces bars by their index or by their time, by `TimeScaleKind`.
@_expose(wasm, "cw_chart_set_time_scale")
@_cdecl("cw_chart_set_time_scale")
public func cw_chart_set_time_scale(_ handle: Int32, _ kind: Int32) {
    if let kind: TimeScaleKind = choice(kind) { chart(handle)?.view.setTimeScale(kind) }
}

@_expose(wasm, "cw_chart_time_scale")
@_cdecl("cw_chart_time_scale")
public func cw_chart_time_scale(_ handle: Int32) -> Int32 {
    Int32(chart(handle)?.view.timeScaleKind.rawValue ?? 0)
}

@_expose(wasm, "cw_chart_fit")
@_cdecl("cw_chart_fit")
public func cw_chart_fit(_ handle: Int32) {
    chart(handle)?.view.fit()
}

@_expose(wasm, "cw_chart_first_visible")
@_cdecl("cw_chart_first_visible")
public func cw_chart_first_visible(_ handle: Int32) -> Int32 {
    Int32(chart(handle)?.view.firstVisible ?? 0)
}

@_expose(wasm, "cw_chart_visible_count")
@_cdecl("cw_chart_visible_count")
public func cw_chart_visible_count(_ handle: Int32) -> Double {
    chart(handle)?.view.visibleCount ?? 0
}

@_expose(wasm, "cw_chart_bar_spacing")
@_cdecl("cw_chart_bar_spacing")
public func cw_chart_bar_spacing(_ handle: Int32) -> Double {
    chart(handle)?.view.barSpacing ?? 0
}

/// Shows 100 bars at zoom 1, 10 at 10, 1,000 at 0.1.
@_expose(wasm, "cw_chart_set_zoom")
@_cdecl("cw_chart_set_zoom")
public func cw_chart_set_zoom(_ handle: Int32, _ zoom: Double) {
    chart(handle)?.view.setZoom(zoom)
}

@_expose(wasm, "cw_chart_zoom_level")
@_cdecl("cw_chart_zoom_level")
public func cw_chart_zoom_level(_ handle: Int32) -> Double {
    chart(handle)?.view.zoom ?? 1
}

/// Brings a time to the middle of the plot.
@_expose(wasm, "cw_chart_go_to")
@_cdecl("cw_chart_go_to")
public func cw_chart_go_to(_ handle: Int32, _ time: Double) {
    chart(handle)?.view.go(toTime: time)
}
