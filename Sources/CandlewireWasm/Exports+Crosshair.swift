import ChartScene
import MarketModel

@_expose(wasm, "cw_chart_crosshair")
@_cdecl("cw_chart_crosshair")
public func cw_chart_crosshair(_ handle: Int32, _ x: Double, _ y: Double) {
    chart(handle)?.view.setCrosshair(x: x, y: y)
}

@_expose(wasm, "cw_chart_crosshair_off")
@_cdecl("cw_chart_crosshair_off")
public func cw_chart_crosshair_off(_ handle: Int32) {
    chart(handle)?.view.clearCrosshair()
}

@_expose(wasm, "cw_chart_crosshair_index")
@_cdecl("cw_chart_crosshair_index")
public func cw_chart_crosshair_index(_ handle: Int32, _ step: Int32) {
    chart(handle)?.view.moveCrosshair(byBars: Int(step))
}

/// Eight numbers: whether there is a bar, its timestamp, open, high, low, close, volume, its index. Valid until the
/// next call with this handle.
@_expose(wasm, "cw_chart_legend")
@_cdecl("cw_chart_legend")
public func cw_chart_legend(_ handle: Int32) -> UnsafeMutablePointer<Double>? {
    guard let chart = chart(handle) else { return nil }
    let legend = chart.view.legend
    chart.numbers[0] = legend == nil ? 0 : 1
    chart.write(
        legend?.candle ?? Candle(timestamp: 0, open: 0, high: 0, low: 0, close: 0, volume: 0), at: 1)
    chart.numbers[7] = Double(legend?.index ?? 0)
    return chart.numbers
}
