import ChartScene

/// Draws and answers where the words of the whole picture are; `cw_chart_render_words` says how many. Valid until the
/// next call with this handle.
@_expose(wasm, "cw_chart_render")
@_cdecl("cw_chart_render")
public func cw_chart_render(_ handle: Int32) -> UnsafePointer<UInt32>? {
    chart(handle)?.render()
}

@_expose(wasm, "cw_chart_render_words")
@_cdecl("cw_chart_render_words")
public func cw_chart_render_words(_ handle: Int32) -> Int32 {
    Int32(chart(handle)?.words.count ?? 0)
}

/// Draws what changed and answers how much by `RedrawLevel`'s number: 0 nothing, 1 the overlay alone, from 2 on the base
/// too.
@_expose(wasm, "cw_chart_draw")
@_cdecl("cw_chart_draw")
public func cw_chart_draw(_ handle: Int32) -> Int32 {
    Int32(chart(handle)?.draw().rawValue ?? 0)
}

/// The words of a segment, 0 the base and 1 the overlay, as the last draw left them; `cw_chart_segment_words` says how
/// many. Valid until the next draw.
@_expose(wasm, "cw_chart_segment")
@_cdecl("cw_chart_segment")
public func cw_chart_segment(_ handle: Int32, _ segment: Int32) -> UnsafePointer<UInt32>? {
    guard let chart = chart(handle) else { return nil }
    return UnsafePointer(segment == 0 ? chart.base.base : chart.overlay.base)
}

@_expose(wasm, "cw_chart_segment_words")
@_cdecl("cw_chart_segment_words")
public func cw_chart_segment_words(_ handle: Int32, _ segment: Int32) -> Int32 {
    guard let chart = chart(handle) else { return 0 }
    return Int32(segment == 0 ? chart.base.count : chart.overlay.count)
}
