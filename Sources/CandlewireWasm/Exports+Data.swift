import ChartScene
import MarketModel

@_expose(wasm, "cw_chart_set_data")
@_cdecl("cw_chart_set_data")
public func cw_chart_set_data(
    _ handle: Int32, _ numbers: UnsafePointer<Double>?, _ count: Int32, _ keepViewport: Int32
) -> Int32 {
    guard let chart = chart(handle) else { return 0 }
    guard let records = CandleRecords(numbers, count: count) else {
        return Int32(chart.view.setData(EmptyCollection(), keepViewport: keepViewport != 0))
    }
    return Int32(chart.view.setData(records, keepViewport: keepViewport != 0))
}

@_expose(wasm, "cw_chart_prepend")
@_cdecl("cw_chart_prepend")
public func cw_chart_prepend(_ handle: Int32, _ numbers: UnsafePointer<Double>?, _ count: Int32) -> Int32 {
    guard let chart = chart(handle), let records = CandleRecords(numbers, count: count) else { return 0 }
    return Int32(chart.view.prepend(records))
}

/// 0 applied, 1 merged, 2 rejected.
@_expose(wasm, "cw_chart_place")
@_cdecl("cw_chart_place")
public func cw_chart_place(
    _ handle: Int32, _ timestamp: Double, _ open: Double, _ high: Double, _ low: Double, _ close: Double,
    _ volume: Double, _ final: Int32
) -> Int32 {
    guard let chart = chart(handle) else { return 0 }
    let candle = Candle(timestamp: timestamp, open: open, high: high, low: low, close: close, volume: volume)
    switch chart.view.place(candle, final: final != 0) {
    case .applied: return 0
    case .merged: return 1
    case .rejected: return 2
    }
}

/// Bit 0: a bar was updated; bit 1: one was completed.
@_expose(wasm, "cw_chart_tick")
@_cdecl("cw_chart_tick")
public func cw_chart_tick(_ handle: Int32, _ timestamp: Double, _ price: Double, _ volume: Double) -> Int32 {
    guard let chart = chart(handle) else { return 0 }
    return Int32(chart.view.ingest(Tick(timestamp: timestamp, price: price, volume: volume)).rawValue)
}

@_expose(wasm, "cw_chart_count")
@_cdecl("cw_chart_count")
public func cw_chart_count(_ handle: Int32) -> Int32 {
    Int32(chart(handle)?.view.count ?? 0)
}

/// Six numbers: timestamp, open, high, low, close, volume; 0 for an index outside of the series. Valid until the next
/// call with this handle.
@_expose(wasm, "cw_chart_bar")
@_cdecl("cw_chart_bar")
public func cw_chart_bar(_ handle: Int32, _ index: Int32) -> UnsafeMutablePointer<Double>? {
    guard let chart = chart(handle), let candle = chart.view.bar(at: Int(index)) else { return nil }
    chart.write(candle, at: 0)
    return chart.numbers
}

@_expose(wasm, "cw_chart_needs_history")
@_cdecl("cw_chart_needs_history")
public func cw_chart_needs_history(_ handle: Int32) -> Int32 {
    chart(handle)?.view.needsHistory == true ? 1 : 0
}
