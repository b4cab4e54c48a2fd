import ChartScene
import MarketModel

@_expose(wasm, "cw_chart_resize")
@_cdecl("cw_chart_resize")
public func cw_chart_resize(_ handle: Int32, _ width: Double, _ height: Double, _ devicePixelRatio: Double) {
    chart(handle)?.view.resize(width: width, height: height, devicePixelRatio: devicePixelRatio)
}

/// 0 dark, 1 light, 2 deuteranopia, 3 high contrast; another number is ignored.
@_expose(wasm, "cw_chart_set_theme")
@_cdecl("cw_chart_set_theme")
public func cw_chart_set_theme(_ handle: Int32, _ theme: Int32) {
    if let preset = Theme.preset(Int(theme)) { chart(handle)?.view.setTheme(preset) }
}

/// A theme of one's own: its colours as `0xRRGGBBAA` in the order of `Theme.colours`, the palette last. 1 where it was
/// taken, 0 where colours are missing.
@_expose(wasm, "cw_chart_set_theme_colours")
@_cdecl("cw_chart_set_theme_colours")
public func cw_chart_set_theme_colours(_ handle: Int32, _ colours: UnsafePointer<UInt32>?, _ count: Int32) -> Int32 {
    guard let chart = chart(handle), let colours, count > 0 else { return 0 }
    var list: [Colour] = []
    for index in 0..<min(Int(count), 64) { list.append(Colour(rgba: colours[index])) }
    guard let theme = Theme(colours: list) else { return 0 }
    chart.view.setTheme(theme)
    return 1
}

/// The lowest contrast of a text of the present theme; it should not be below 4.5.
@_expose(wasm, "cw_chart_text_contrast")
@_cdecl("cw_chart_text_contrast")
public func cw_chart_text_contrast(_ handle: Int32) -> Double {
    chart(handle)?.view.theme.lowestTextContrast ?? 0
}

/// How many times larger than usual text is.
@_expose(wasm, "cw_chart_set_font_scale")
@_cdecl("cw_chart_set_font_scale")
public func cw_chart_set_font_scale(_ handle: Int32, _ scale: Double) {
    chart(handle)?.view.setFontScale(scale)
}

/// By `SeriesKind`'s number; another one is ignored.
@_expose(wasm, "cw_chart_set_kind")
@_cdecl("cw_chart_set_kind")
public func cw_chart_set_kind(_ handle: Int32, _ kind: Int32) {
    if let kind: SeriesKind = choice(kind) { chart(handle)?.view.setKind(kind) }
}

/// The price that a baseline series is filled to; NaN is the middle of the pane.
@_expose(wasm, "cw_chart_set_baseline")
@_cdecl("cw_chart_set_baseline")
public func cw_chart_set_baseline(_ handle: Int32, _ price: Double) {
    chart(handle)?.view.setBaseline(price)
}

/// 0 none, 1 in the price pane, 2 in a pane of its own.
@_expose(wasm, "cw_chart_set_volume")
@_cdecl("cw_chart_set_volume")
public func cw_chart_set_volume(_ handle: Int32, _ placement: Int32) {
    if let place: VolumePlacement = choice(placement) { chart(handle)?.view.setVolume(place) }
}

/// The smallest step of the symbol's price, 0 where the precision says it; `cw_chart_set_symbol` forgets it.
@_expose(wasm, "cw_chart_set_tick_size")
@_cdecl("cw_chart_set_tick_size")
public func cw_chart_set_tick_size(_ handle: Int32, _ tickSize: Double) {
    chart(handle)?.view.setTickSize(tickSize)
}

@_expose(wasm, "cw_chart_set_symbol")
@_cdecl("cw_chart_set_symbol")
public func cw_chart_set_symbol(_ handle: Int32, _ utf8: UnsafePointer<UInt8>?, _ length: Int32, _ precision: Int32) {
    let bytes = text(utf8, length)
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

/// A colour of the present theme as `0xRRGGBBAA`, by its place in `Theme.colours`; 0 beyond the last one.
@_expose(wasm, "cw_chart_theme_colour")
@_cdecl("cw_chart_theme_colour")
public func cw_chart_theme_colour(_ handle: Int32, _ index: Int32) -> UInt32 {
    guard let colours = chart(handle)?.view.theme.colours, colours.indices.contains(Int(index)) else { return 0 }
    return colours[Int(index)].rgba
}
