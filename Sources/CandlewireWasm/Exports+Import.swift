import ChartScene
import MarketModel

// The bars of a chart in pieces, so that a million of them do not lie in this memory twice: begin, rows as often as
// there are pieces, end. WebAssembly memory never shrinks again.

/// The chart has no bars until `cw_chart_data_end`.
@_expose(wasm, "cw_chart_data_begin")
@_cdecl("cw_chart_data_begin")
public func cw_chart_data_begin(_ handle: Int32, _ expected: Int32, _ keepViewport: Int32) {
    guard let chart = chart(handle) else { return }
    // Whoever begins twice has the bars of the second time.
    chart.incoming = nil
    chart.incoming = chart.view.beginData(expecting: max(0, Int(expected)), keepViewport: keepViewport != 0)
}

@_expose(wasm, "cw_chart_data_rows")
@_cdecl("cw_chart_data_rows")
public func cw_chart_data_rows(_ handle: Int32, _ numbers: UnsafePointer<Double>?, _ count: Int32) {
    guard let chart = chart(handle), let records = CandleRecords(numbers, count: count), var bars = chart.incoming
    else { return }
    // Taken out, so that the columns have one owner and are changed in place.
    chart.incoming = nil
    for candle in records { bars.add(candle) }
    chart.incoming = bars
}

/// Answers the number of bars.
@_expose(wasm, "cw_chart_data_end")
@_cdecl("cw_chart_data_end")
public func cw_chart_data_end(_ handle: Int32) -> Int32 {
    guard let chart = chart(handle), let bars = chart.incoming else { return 0 }
    chart.incoming = nil
    return Int32(chart.view.finishData(bars))
}

/// The most bars to keep; the oldest go first.
@_expose(wasm, "cw_chart_set_capacity")
@_cdecl("cw_chart_set_capacity")
public func cw_chart_set_capacity(_ handle: Int32, _ bars: Int32) {
    chart(handle)?.view.setCapacity(Int(bars))
}
