import ChartScene
import MarketModel

@_cdecl("cw_chart_resize")
public func cw_chart_resize(_ handle: Int32, _ width: Double, _ height: Double, _ devicePixelRatio: Double) {
    chart(handle)?.view.resize(width: width, height: height, devicePixelRatio: devicePixelRatio)
}

/// By `PageTheme`'s number; another one is ignored.
@_cdecl("cw_chart_set_theme")
public func cw_chart_set_theme(_ handle: Int32, _ theme: Int32) {
    if let preset = Theme.preset(Int(theme)) { chart(handle)?.view.setTheme(preset) }
}

/// A theme of one's own: its colours as `0xRRGGBBAA` in the order of `Theme.colours`, the palette last. 1 where it
/// applies, 0 where colours are missing.
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
@_cdecl("cw_chart_text_contrast")
public func cw_chart_text_contrast(_ handle: Int32) -> Double { chart(handle)?.view.theme.lowestTextContrast ?? 0 }

/// How many times larger than by default text is.
@_cdecl("cw_chart_set_font_scale")
public func cw_chart_set_font_scale(_ handle: Int32, _ scale: Double) { chart(handle)?.view.setFontScale(scale) }

/// By `SeriesKind`'s number; another one is ignored.
@_cdecl("cw_chart_set_kind")
public func cw_chart_set_kind(_ handle: Int32, _ kind: Int32) {
    if let kind: SeriesKind = choice(kind) { chart(handle)?.view.setKind(kind) }
}

/// The price that a baseline series is filled to; NaN is the middle of the pane.
@_cdecl("cw_chart_set_baseline")
public func cw_chart_set_baseline(_ handle: Int32, _ price: Double) { chart(handle)?.view.setBaseline(price) }

/// 0 none, 1 in the price pane, 2 in a pane of its own.
@_cdecl("cw_chart_set_volume")
public func cw_chart_set_volume(_ handle: Int32, _ placement: Int32) {
    if let place: VolumePlacement = choice(placement) { chart(handle)?.view.setVolume(place) }
}

/// The smallest step of the symbol's price, 0 where the precision says it; `cw_chart_set_symbol` forgets it.
@_cdecl("cw_chart_set_tick_size")
public func cw_chart_set_tick_size(_ handle: Int32, _ tickSize: Double) {
    chart(handle)?.view.setTickSize(tickSize)
}

@_cdecl("cw_chart_set_symbol")
public func cw_chart_set_symbol(_ handle: Int32, _ utf8: UnsafePointer<UInt8>?, _ length: Int32, _ precision: Int32) {
    let bytes = text(utf8, length)
    chart(handle)?.view.setSymbol(bytes, precision: Int(precision))
}

/// By `Timeframe.index`; another number is ignored.
@_cdecl("cw_chart_set_timeframe")
public func cw_chart_set_timeframe(_ handle: Int32, _ index: Int32) {
    let all = Timeframe.allCases
    guard index >= 0, Int(index) < all.count else { return }
    chart(handle)?.view.setTimeframe(all[Int(index)])
}

/// A colour of the present theme as `0xRRGGBBAA`, by its place in `Theme.colours`; 0 beyond the last one.
@_cdecl("cw_chart_theme_colour")
public func cw_chart_theme_colour(_ handle: Int32, _ index: Int32) -> UInt32 {
    guard let colours = chart(handle)?.view.theme.colours, colours.indices.contains(Int(index)) else { return 0 }
    return colours[Int(index)].rgba
}

// MARK: Clocks

/// Shows times by the clocks of an IANA zone. Answers 1, or 0 for a zone that is not in the table, which changes nothing.
@_cdecl("cw_chart_set_zone")
public func cw_chart_set_zone(_ handle: Int32, _ utf8: UnsafePointer<UInt8>?, _ length: Int32) -> Int32 {
    let name = text(utf8, length)
    guard let chart = chart(handle), let zone = TimeZoneRules(utf8: name) else { return 0 }
    chart.view.setTimeZone(zone)
    return 1
}

/// Seconds that the chart's clock is ahead of UTC at a time; of bars of a day and longer it is 0.
@_cdecl("cw_chart_zone_offset")
public func cw_chart_zone_offset(_ handle: Int32, _ time: Double) -> Double {
    chart(handle)?.view.readClockOffset(at: time) ?? 0
}

/// The names of all zones, a line feed after each; `cw_zone_names_length` says how many bytes. Valid for good.
@_cdecl("cw_zone_names")
public func cw_zone_names() -> UnsafePointer<UInt8>? {
    UnsafePointer(zoneNames.baseAddress)
}

@_cdecl("cw_zone_names_length")
public func cw_zone_names_length() -> Int32 {
    Int32(zoneNames.count)
}

nonisolated(unsafe) private let zoneNames: UnsafeMutableBufferPointer<UInt8> = {
    var bytes: [UInt8] = []
    for name in TimeZoneRules.identifiers {
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(0x0A)
    }
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    _ = copy.update(fromContentsOf: bytes)
    return copy
}()
