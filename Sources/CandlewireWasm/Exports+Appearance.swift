import ChartScene
import MarketModel

@_expose(wasm, "cw_chart_resize")
@_cdecl("cw_chart_resize")
public func cw_chart_resize(_ handle: Int32, _ width: Double, _ height: Double, _ devicePixelRatio: Double) {
    chart(handle)?.view.resize(width: width, height: height, devicePixelRatio: devicePixelRatio)
}

/// 0 dark, 1 light.
@_expose(wasm, "cw_chart_set_theme")
@_cdecl("cw_chart_set_theme")
public func cw_chart_set_theme(_ handle: Int32, _ theme: Int32) {
    chart(handle)?.view.setTheme(theme == 1 ? .light : .dark)
}

@_expose(wasm, "cw_chart_set_symbol")
@_cdecl("cw_chart_set_symbol")
public func cw_chart_set_symbol(_ handle: Int32, _ utf8: UnsafePointer<UInt8>?, _ length: Int32, _ precision: Int32) {
    let bytes = UnsafeBufferPointer(start: utf8, count: utf8 == nil ? 0 : max(0, Int(length)))
    chart(handle)?.view.setSymbol(bytes, precision: Int(precision))
}

/// By `Timeframe.index`; another number is ignored.
@_expose(wasm, "cw_chart_set_timeframe")
@_cdecl("cw_chart_set_timeframe")
public func cw_chart_set_timeframe(_ handle: Int32, _ index: Int32) {
    let all = Timeframe.allCases
    guard index >= 0, Int(index) < all.count else { return }
    chart(handle)?.view.setTimeframe(all[Int(index)])
}

/// Draws and answers where the words are; `cw_chart_render_words` says how many. Valid until the next call with this
/// handle.
@_expose(wasm, "cw_chart_render")
@_cdecl("cw_chart_render")
public func cw_chart_render(_ handle: Int32) -> UnsafePointer<UInt32>? {
    chart(handle)?.render()
}

@_expose(wasm, "cw_chart_render_words")
@_cdecl("cw_chart_render_words")
public func cw_chart_render_words(_ handle: Int32) -> Int32 {
    Int32(chart(handle)?.wordCount ?? 0)
}
