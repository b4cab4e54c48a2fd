import ChartScene
import MarketModel

/// Newer bars for a chart that let its newest ones go. `last`: there are none after them. Answers how many were added.
@_expose(wasm, "cw_chart_append_page")
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

@_expose(wasm, "cw_chart_needs_newer")
@_cdecl("cw_chart_needs_newer")
public func cw_chart_needs_newer(_ handle: Int32) -> Int32 {
    chart(handle)?.view.needsNewer == true ? 1 : 0
}

/// How many bars went because of the capacity and can be had again. `end`: 0 before the oldest, 1 after the newest.
@_expose(wasm, "cw_chart_paged_out")
@_cdecl("cw_chart_paged_out")
public func cw_chart_paged_out(_ handle: Int32, _ end: Int32) -> Int32 {
    guard let pagedOut = chart(handle)?.view.pagedOut else { return 0 }
    return Int32(end == 0 ? pagedOut.older : pagedOut.newer)
}
