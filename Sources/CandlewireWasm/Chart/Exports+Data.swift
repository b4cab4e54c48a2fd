import ChartScene
import MarketModel

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

@_cdecl("cw_chart_prepend")
public func cw_chart_prepend(_ handle: Int32, _ numbers: UnsafePointer<Double>?, _ count: Int32) -> Int32 {
    guard let chart = chart(handle), let records = CandleRecords(numbers, count: count) else { return 0 }
    return Int32(chart.view.prepend(records))
}

/// Places an authoritative bar by its timestamp; answers what became of it by `PagePlacement`.
@_cdecl("cw_chart_place")
public func cw_chart_place(
    _ handle: Int32, _ timestamp: Double, _ open: Double, _ high: Double, _ low: Double, _ close: Double,
    _ volume: Double, _ final: Int32
) -> Int32 {
    guard let chart = chart(handle) else { return 0 }
    let candle = Candle(timestamp: timestamp, open: open, high: high, low: low, close: close, volume: volume)
    return Int32(PagePlacement(chart.view.place(candle, final: final != 0)).rawValue)
}

/// Bit 0: a bar was updated; bit 1: one was completed.
@_cdecl("cw_chart_tick")
public func cw_chart_tick(_ handle: Int32, _ timestamp: Double, _ price: Double, _ volume: Double) -> Int32 {
    guard let chart = chart(handle) else { return 0 }
    return Int32(chart.view.ingest(Tick(timestamp: timestamp, price: price, volume: volume)).rawValue)
}

@_cdecl("cw_chart_count")
public func cw_chart_count(_ handle: Int32) -> Int32 {
    Int32(chart(handle)?.view.readCount() ?? 0)
}

/// A `CandleRecord`; 0 for an index outside of the series. Valid until the next call with this handle.
@_cdecl("cw_chart_bar")
public func cw_chart_bar(_ handle: Int32, _ index: Int32) -> UnsafeMutablePointer<Double>? {
    guard let chart = chart(handle), let candle = chart.view.bar(at: Int(index)) else { return nil }
    return chart.answer(CandleRecord(candle))
}

// MARK: Pages

/// Newer bars for a chart that let its newest ones go. `last`: there are none after them. Answers how many were added.
@_cdecl("cw_chart_append_page")
public func cw_chart_append_page(
    _ handle: Int32, _ numbers: UnsafePointer<Double>?, _ count: Int32, _ last: Int32
) -> Int32 {
    guard let chart = chart(handle) else { return 0 }
    guard let records = CandleRecords(numbers, count: count) else {
        return Int32(chart.view.appendPage(EmptyCollection(), isLast: last != 0))
    }
    return Int32(chart.view.appendPage(records, isLast: last != 0))
}

/// How many bars went because of the capacity and can be had again. `end`: 0 before the oldest, 1 after the newest.
@_cdecl("cw_chart_paged_out")
public func cw_chart_paged_out(_ handle: Int32, _ end: Int32) -> Int32 {
    guard let pagedOut = chart(handle)?.view.pagedOut else { return 0 }
    return Int32(end == 0 ? pagedOut.older : pagedOut.newer)
}

// MARK: In pieces

// So that a million bars do not lie in this memory twice: begin, rows as often as there are pieces, end. WebAssembly
// memory never shrinks again.

/// The chart has no bars until `cw_chart_data_end`.
@_cdecl("cw_chart_data_begin")
public func cw_chart_data_begin(_ handle: Int32, _ expected: Int32, _ keepViewport: Int32) {
    guard let chart = chart(handle) else { return }
    // After a second begin only the rows that follow it count.
    chart.incoming = nil
    chart.incoming = chart.view.beginData(expecting: max(0, Int(expected)), keepViewport: keepViewport != 0)
}

@_optimize(speed)
@_cdecl("cw_chart_data_rows")
public func cw_chart_data_rows(_ handle: Int32, _ numbers: UnsafePointer<Double>?, _ count: Int32) {
    guard let chart = chart(handle), let records = CandleRecords(numbers, count: count), var bars = chart.incoming
    else { return }
    // Moved out, so that the columns have one owner and are changed in place.
    chart.incoming = nil
    for row in 0..<records.count { bars.add(records[row]) }
    chart.incoming = bars
}

/// Answers the number of bars.
@_cdecl("cw_chart_data_end")
public func cw_chart_data_end(_ handle: Int32) -> Int32 {
    guard let chart = chart(handle), let bars = chart.incoming else { return 0 }
    chart.incoming = nil
    return Int32(chart.view.finishData(bars))
}

/// The most bars to keep; the oldest go first.
@_cdecl("cw_chart_set_capacity")
public func cw_chart_set_capacity(_ handle: Int32, _ bars: Int32) {
    chart(handle)?.view.setCapacity(Int(bars))
}
