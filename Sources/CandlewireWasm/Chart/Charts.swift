import ChartScene
import MarketModel

/// What a chart's page reads without a call: written by `cw_chart_draw` and by what feeds the chart.
struct ChartStatus: PageRecord {
    var count: Double
    var isFollowing: PageFlag
    /// Whether the view comes close to the oldest bar.
    var needsHistory: PageFlag
    /// Whether the view comes close to a newest bar that is not the newest there is.
    var needsNewer: PageFlag
    /// Start of the oldest bar; NaN without bars.
    var oldest: Double
    /// Start of the newest bar; NaN without bars.
    var newest: Double
    /// Where the words of the base are, and how many.
    var base: Double
    var baseLength: Double
    var overlay: Double
    var overlayLength: Double
    /// The price that announcements are judged by; NaN before the first.
    var newsPrice: Double
    /// When there is something to announce; infinity while nothing waits.
    var newsDeadline: Double
    /// Another number once a `LegendRowRecord` is another.
    var legendStamp: Double
}

/// A chart with the memory that the page reads its answers from.
final class Chart {
    private let storage: UnsafeMutablePointer<ChartView>
    /// By address: to read one figure of a stored property, Swift would copy all of the view.
    var view: ChartView {
        unsafeAddress { UnsafePointer(storage) }
        unsafeMutableAddress { storage }
    }
    var picture = DisplayList()
    /// Between `cw_chart_data_begin` and `cw_chart_data_end`.
    var incoming: ChartImport?
    /// The words of the last `cw_chart_render`, outside of Swift's arrays so that the address stays valid until the
    /// next one.
    private(set) var words = PageBuffer<UInt32>(capacity: 4096)
    /// The segments as the last `cw_chart_draw` that touched them left them.
    private var base = PageBuffer<UInt32>(capacity: 4096)
    private var overlay = PageBuffer<UInt32>(capacity: 1024)
    /// Alerts that fired with the last price.
    var firedAlerts: [Int] = []
    /// What of live data is announced.
    private(set) var news = AnnouncementPolicy()
    /// The text that the last call left.
    var text = PageBuffer<UInt8>(capacity: 256)
    /// The record that the last call answered with.
    private let numbers = UnsafeMutablePointer<Double>.allocate(capacity: 16)
    let status = UnsafeMutablePointer<ChartStatus>.allocate(capacity: 1)

    init() {
        storage = .allocate(capacity: 1)
        storage.initialize(to: ChartView())
        writeStatus(newsPrice: .nan)
    }

    deinit {
        storage.deinitialize(count: 1)
        storage.deallocate()
        numbers.deallocate()
        status.deallocate()
    }

    func render() -> UnsafePointer<UInt32>? {
        view.render(into: &picture)
        // The segments were drawn with it, so a later draw does not report them.
        base.fill(view.base.words)
        overlay.fill(view.overlay.words)
        words.fill(picture.words)
        writeStatus(newsPrice: status.pointee.newsPrice)
        return UnsafePointer(words.base)
    }

    func draw() -> RedrawLevel {
        let level = view.draw()
        if level.touchesBase { base.fill(view.base.words) }
        if level > .none { overlay.fill(view.overlay.words) }
        writeStatus(newsPrice: status.pointee.newsPrice)
        return level
    }

    /// Changes what is announced, and the page's view of it.
    func updateNews(_ change: (inout AnnouncementPolicy) -> Void) {
        change(&news)
        status.pointee.newsDeadline = news.deadline
    }

    /// Another market or timeframe.
    func beginNews() {
        status.pointee.newsPrice = .nan
        updateNews { $0.begin() }
    }

    func setNewsPrice(_ price: Double) {
        status.pointee.newsPrice = price
        updateNews { $0.price(price) }
    }

    private func writeStatus(newsPrice: Double) {
        status.pointee = view.readStatus(base, overlay, newsPrice: newsPrice, newsDeadline: news.deadline)
    }

    /// Writes an answer; valid until the next call with this chart.
    func answer(_ record: some PageRecord) -> UnsafeMutablePointer<Double> {
        record.write(to: numbers)
        return numbers
    }
}

/// What is computed of a view. As methods that could change it, because Swift copies all of a value that it knows by
/// address to read of it.
extension ChartView {
    @inline(never)
    fileprivate mutating func readStatus(
        _ base: borrowing PageBuffer<UInt32>, _ overlay: borrowing PageBuffer<UInt32>, newsPrice: Double,
        newsDeadline: Double
    ) -> ChartStatus {
        ChartStatus(
            count: Double(count), isFollowing: PageFlag(isFollowing), needsHistory: PageFlag(needsHistory),
            needsNewer: PageFlag(needsNewer), oldest: bar(at: 0)?.timestamp ?? .nan,
            newest: bar(at: count - 1)?.timestamp ?? .nan, base: Double(UInt(bitPattern: base.base)),
            baseLength: Double(base.count), overlay: Double(UInt(bitPattern: overlay.base)),
            overlayLength: Double(overlay.count), newsPrice: newsPrice, newsDeadline: newsDeadline,
            legendStamp: Double(
                legendRows.reduce(UInt32(legendRows.count)) { stamp, row in
                    let place = Int(row.right * 8) &* 8191 &+ Int(row.middle * 8)
                    return (stamp &* 31 &+ UInt32(truncatingIfNeeded: row.id)) &* 31
                        &+ UInt32(truncatingIfNeeded: place)
                }))
    }

    @inline(never)
    mutating func readFirstVisible() -> Int { firstVisible }

    @inline(never)
    mutating func readVisibleCount() -> Double { visibleCount }

    @inline(never)
    mutating func readBarSpacing() -> Double { barSpacing }

    @inline(never)
    mutating func readZoom() -> Double { zoom }

    @inline(never)
    mutating func readCount() -> Int { count }

    @inline(never)
    mutating func readIsFollowing() -> Bool { isFollowing }

    @inline(never)
    mutating func readPane(atY y: Double) -> Int? { pane(atY: y) }

    @inline(never)
    mutating func readClockOffset(at time: Double) -> Double { clockOffset(at: time) }

    @inline(never)
    mutating func readColour(ofStudy id: Int, output: Int) -> UInt32 { colour(ofStudy: id, output: output)?.rgba ?? 0 }

    @inline(never)
    mutating func readColour(ofComparison id: Int) -> UInt32 { colour(ofComparison: id)?.rgba ?? 0 }

    @inline(never)
    mutating func readLegendRow(_ index: Int) -> LegendRowRecord? {
        guard legendRows.indices.contains(index) else { return nil }
        let row = legendRows[index]
        return LegendRowRecord(id: Double(row.id), right: row.right, middle: row.middle)
    }

    @inline(never)
    mutating func readLegend() -> LegendRecord? {
        legend.map { legend in
            let candle = legend.candle
            return LegendRecord(
                timestamp: candle.timestamp, open: candle.open, high: candle.high, low: candle.low, close: candle.close,
                volume: candle.volume, index: Double(legend.index),
                reference: bar(at: legend.index - 1)?.close ?? candle.open)
        }
    }
}

/// Values that the page knows by handle, which is the position plus one. A WebAssembly instance has a single thread.
struct HandleTable<Value: AnyObject> {
    private var values: [Value?] = []

    /// The value of a handle, `nil` for one that was never given out or was freed.
    subscript(handle: Int32) -> Value? {
        handle >= 1 && Int(handle) <= values.count ? values[Int(handle) - 1] : nil
    }

    mutating func insert(_ value: Value) -> Int32 {
        if let free = values.firstIndex(where: { $0 == nil }) {
            values[free] = value
            return Int32(free + 1)
        }
        values.append(value)
        return Int32(values.count)
    }

    mutating func remove(_ handle: Int32) { if self[handle] != nil { values[Int(handle) - 1] = nil } }
}

nonisolated(unsafe) private var charts = HandleTable<Chart>()

func chart(_ handle: Int32) -> Chart? { charts[handle] }

@_cdecl("cw_chart_new")
public func cw_chart_new() -> Int32 {
    _ = runtimeStarted
    return charts.insert(Chart())
}

@_cdecl("cw_chart_free")
public func cw_chart_free(_ handle: Int32) { charts.remove(handle) }

/// Where the chart's `ChartStatus` is. It stays there.
@_cdecl("cw_chart_status")
public func cw_chart_status(_ handle: Int32) -> UnsafeMutableRawPointer? {
    (chart(handle)?.status).map { UnsafeMutableRawPointer($0) }
}

// MARK: Pictures

/// Draws and answers where the words of the whole picture are; `cw_chart_render_words` says how many. Valid until the
/// next call with this handle.
@_cdecl("cw_chart_render")
public func cw_chart_render(_ handle: Int32) -> UnsafePointer<UInt32>? { chart(handle)?.render() }

@_cdecl("cw_chart_render_words")
public func cw_chart_render_words(_ handle: Int32) -> Int32 { Int32(chart(handle)?.words.count ?? 0) }

/// Draws what changed and answers how much by `RedrawLevel`'s number: 0 nothing, 1 the overlay alone, from 2 on the base
/// too. Where the segments are is in the chart's status, valid until the next draw.
@_cdecl("cw_chart_draw")
public func cw_chart_draw(_ handle: Int32) -> Int32 { Int32(chart(handle)?.draw().rawValue ?? 0) }
