import ChartScene
import MarketModel

/// Adds a symbol to compare with; answers its id, 0 where there are too many.
@_cdecl("cw_chart_add_comparison")
public func cw_chart_add_comparison(
    _ handle: Int32, _ utf8: UnsafePointer<UInt8>?, _ length: Int32, _ precision: Int32
) -> Int32 {
    let bytes = text(utf8, length)
    return Int32(chart(handle)?.view.addComparison(bytes, precision: Int(precision)) ?? 0)
}

@_cdecl("cw_chart_remove_comparison")
public func cw_chart_remove_comparison(_ handle: Int32, _ id: Int32) {
    chart(handle)?.view.removeComparison(Int(id))
}

/// Replaces a comparison's bars; answers how many it has.
@_cdecl("cw_chart_set_comparison")
public func cw_chart_set_comparison(
    _ handle: Int32, _ id: Int32, _ numbers: UnsafePointer<Double>?, _ count: Int32
) -> Int32 {
    guard let chart = chart(handle) else { return 0 }
    guard let records = CandleRecords(numbers, count: count) else {
        return Int32(chart.view.setData(ofComparison: Int(id), EmptyCollection()))
    }
    return Int32(chart.view.setData(ofComparison: Int(id), records))
}

/// Answers what became of the bar by `PagePlacement`.
@_cdecl("cw_chart_place_comparison")
public func cw_chart_place_comparison(
    _ handle: Int32, _ id: Int32, _ timestamp: Double, _ open: Double, _ high: Double, _ low: Double, _ close: Double,
    _ volume: Double
) -> Int32 {
    guard let chart = chart(handle) else { return 2 }
    let candle = Candle(timestamp: timestamp, open: open, high: high, low: low, close: close, volume: volume)
    return Int32(PagePlacement(chart.view.place(candle, ofComparison: Int(id))).rawValue)
}

@_cdecl("cw_chart_show_comparison")
public func cw_chart_show_comparison(_ handle: Int32, _ id: Int32, _ isVisible: Int32) {
    chart(handle)?.view.setVisible(ofComparison: Int(id), isVisible != 0)
}

@_cdecl("cw_chart_comparison_colour")
public func cw_chart_comparison_colour(_ handle: Int32, _ id: Int32) -> UInt32 {
    chart(handle)?.view.readColour(ofComparison: Int(id)) ?? 0
}

/// `0xRRGGBBAA`; 0 is the theme's colour.
@_cdecl("cw_chart_set_comparison_colour")
public func cw_chart_set_comparison_colour(_ handle: Int32, _ id: Int32, _ colour: UInt32) {
    chart(handle)?.view.setColour(ofComparison: Int(id), colour == 0 ? nil : Colour(rgba: colour))
}
