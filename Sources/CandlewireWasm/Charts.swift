import ChartScene
import MarketModel

/// A chart with the memory that the page reads its answers from.
final class Chart {
    var view = ChartView()
    var picture = DisplayList()
    /// Between `cw_chart_data_begin` and `cw_chart_data_end`.
    var incoming: ChartImport?
    /// The words of the last `cw_chart_render`, outside of Swift's arrays so that the address stays valid until the
    /// next one.
    private(set) var words = PageBuffer<UInt32>(capacity: 4096)
    /// The segments as the last `cw_chart_draw` that touched them left them.
    private(set) var base = PageBuffer<UInt32>(capacity: 4096)
    private(set) var overlay = PageBuffer<UInt32>(capacity: 1024)
    /// Alerts that fired with the last price.
    var firedAlerts: [Int] = []
    /// What is said of live data.
    var news = AnnouncementPolicy()
    /// The text that the last call left.
    var text = PageBuffer<UInt8>(capacity: 256)
    /// The numbers that the last call answered with.
    let numbers = UnsafeMutablePointer<Double>.allocate(capacity: 16)

    deinit {
        numbers.deallocate()
    }

    func render() -> UnsafePointer<UInt32>? {
        view.render(into: &picture)
        // The segments were drawn with it, so a later draw does not tell of them.
        base.fill(view.base.words)
        overlay.fill(view.overlay.words)
        words.fill(picture.words)
        return UnsafePointer(words.base)
    }

    func draw() -> RedrawLevel {
        let level = view.draw()
        if level.touchesBase { base.fill(view.base.words) }
        if level > .none { overlay.fill(view.overlay.words) }
        return level
    }

    /// Writes an answer of a few numbers.
    func answer(_ values: Double...) -> UnsafeMutablePointer<Double> {
        for (index, value) in values.prefix(16).enumerated() { numbers[index] = value }
        return numbers
    }

    func write(_ candle: Candle, at offset: Int) {
        numbers[offset] = candle.timestamp
        numbers[offset + 1] = candle.open
        numbers[offset + 2] = candle.high
        numbers[offset + 3] = candle.low
        numbers[offset + 4] = candle.close
        numbers[offset + 5] = candle.volume
    }
}

/// The charts by handle, which is the position plus one. A WebAssembly instance has a single thread.
nonisolated(unsafe) private var charts: [Chart?] = []

/// The chart of a handle, `nil` for one that was never given out or was freed.
func chart(_ handle: Int32) -> Chart? {
    handle >= 1 && Int(handle) <= charts.count ? charts[Int(handle) - 1] : nil
}

@_expose(wasm, "cw_chart_new")
@_cdecl("cw_chart_new")
public func cw_chart_new() -> Int32 {
    _ = runtimeStarted
    if let free = charts.firstIndex(where: { $0 == nil }) {
        charts[free] = Chart()
        return Int32(free + 1)
    }
    charts.append(Chart())
    return Int32(charts.count)
}

@_expose(wasm, "cw_chart_free")
@_cdecl("cw_chart_free")
public func cw_chart_free(_ handle: Int32) {
    if chart(handle) != nil { charts[Int(handle) - 1] = nil }
}
