import MarketModel
import TestKit
import Testing

@testable import ChartScene

@Suite("bars beyond the cap go out and come back in")
struct PagingTests {
    private static let capacity = 500

    /// A chart at its cap, and all bars there are.
    private static func chart(_ all: [Candle]) -> ChartView {
        var view = ChartView(capacity: capacity)
        view.resize(width: 500, height: 300, devicePixelRatio: 1)
        view.setData(all)
        return view
    }

    private static func bars(_ view: ChartView) -> [Candle] {
        (0..<view.count).map { view.series[$0] }
    }

    /// The time of the bar at the right edge, or of the newest one; the left edge may lie before the oldest bar.
    private static func atRightEdge(_ view: ChartView) -> Double {
        view.series.timestamp(at: min(Int(view.viewport.right), view.count - 1))
    }

    @Test("what the cap dropped is counted: at a load, by live bars, by a smaller cap")
    func counts() {
        var random = SeededGenerator(seed: 1)
        let all = random.candles(600)
        var view = Self.chart(Array(all[..<550]))
        #expect(view.pagedOut.older == 50)
        for candle in all[550...] { view.place(candle, final: true) }
        #expect(view.pagedOut.older == 100)
        view.setCapacity(400)
        #expect(view.pagedOut.older == 200)
        view.setData(all.suffix(10))
        #expect(view.pagedOut == PagedOut())
    }

    @Test("an authoritative bar that is out of sight is what its trades go on from, and not its only one")
    func placedOutOfSight() {
        var random = SeededGenerator(seed: 5)
        let all = random.candles(900)
        var view = Self.chart(Array(all[400...]))
        view.pan(byBars: -400)
        view.prepend(Array(all[..<400]))
        #expect(view.pagedOut.newer > 0)
        let time = all[899].timestamp + 60
        let bar = Candle(timestamp: time, open: 100, high: 110, low: 90, close: 95, volume: 50)
        view.place(bar, final: false)
        view.ingest(Tick(timestamp: time + 30, price: 105, volume: 1))
        #expect(
            view.pagedOut.newest
                == Candle(timestamp: time, open: 100, high: 110, low: 90, close: 105, volume: 51))
        view.place(bar, final: true)
        view.ingest(Tick(timestamp: time + 40, price: 300, volume: 1))
        #expect(view.pagedOut.newest == bar, "a final bar accepts no more trades")
    }

    @Test("a view on the newest bar follows it at the cap too, however wide the bars are")
    func followsAtTheCap() {
        var random = SeededGenerator(seed: 6)
        let all = random.candles(520)
        var view = Self.chart(Array(all[..<500]))
        view.zoom(by: 30, atX: 250)
        view.followLive()
        #expect(view.isFollowing)
        for candle in all[500...] {
            view.place(candle, final: true)
            #expect(view.isFollowing && view.viewport.right >= Double(view.count - 1))
        }
    }

    @Test("nothing is lost: back to the first bar and forth again while the market goes on", arguments: 1...12)
    func backAndForth(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        // What a server has.
        var all = random.candles(3000)
        var view = Self.chart(all)
        var price = all[all.count - 1].close

        /// A live bar, to the server and to the chart.
        func live() {
            let last = all[all.count - 1]
            let isNew = random.unit() < 0.5
            price = max(1, price + random.unit() - 0.5)
            let next =
                isNew
                ? Candle(timestamp: last.timestamp + 60, open: price, high: price, low: price, close: price, volume: 1)
                : Candle(
                    timestamp: last.timestamp, open: last.open, high: max(last.high, price), low: min(last.low, price),
                    close: price, volume: last.volume + 1)
            if isNew { all.append(next) } else { all[all.count - 1] = next }
            view.place(next, final: false)
        }

        /// The bars in the chart are the server's, without a hole.
        func check(_ what: Comment) {
            let bars = Self.bars(view)
            let from = all.firstIndex { $0.timestamp == bars[0].timestamp } ?? 0
            #expect(bars.count <= Self.capacity, what)
            #expect(bars == Array(all[from..<min(from + bars.count, all.count)]), what)
            #expect(view.pyramid.extremes(view.series, 0..<view.count).high == bars.map(\.high).max(), what)
        }

        // To the left, page by page.
        var pages = 0
        while view.series.timestamp(at: 0) > all[0].timestamp, pages < 200 {
            view.pan(byBars: -60)
            live()
            guard view.needsHistory else { continue }
            let oldest = view.series.timestamp(at: 0)
            let end = all.firstIndex { $0.timestamp == oldest } ?? 0
            let shown = Self.atRightEdge(view)
            #expect(view.prepend(all[max(0, end - 150)..<end]) > 0)
            #expect(Self.atRightEdge(view) == shown)
            pages += 1
            check("page \(pages) to the left")
        }
        #expect(view.series.first == all.first)
        #expect(view.pagedOut.newer > 0)
        #expect(view.pagedOut.newest == all.last)
        #expect(!view.isFollowing)

        // And back.
        pages = 0
        while view.pagedOut.newer > 0, pages < 200 {
            view.pan(byBars: 60)
            live()
            guard view.needsNewer else { continue }
            let newest = view.series.timestamp(at: view.count - 1)
            let start = (all.firstIndex { $0.timestamp == newest } ?? 0) + 1
            let page = all[start..<min(start + 150, all.count)]
            let shown = Self.atRightEdge(view)
            view.appendPage(page, isLast: page.endIndex == all.count)
            #expect(Self.atRightEdge(view) == shown)
            pages += 1
            check("page \(pages) to the right")
        }
        #expect(view.series.last == all.last)
        #expect(view.pagedOut.newest == nil)
        for _ in 0..<20 { live() }
        check("live again")
        #expect(view.series.last == all.last)
        #expect(view.pagedOut.older == all.count - Self.capacity)
    }

    @Test("bars on screen are never paged out, however many older ones come")
    func keepsWhatIsSeen() {
        var random = SeededGenerator(seed: 4)
        let all = random.candles(3000)
        var view = Self.chart(Array(all[2000...]))
        view.zoom(by: 1e-9, atX: 250)
        let shown = view.series.timestamp(at: view.count - 1)
        #expect(view.prepend(all[..<2500]) == 0)
        #expect(view.series.last?.timestamp == shown)
        #expect(view.pagedOut.newer == 0)
    }

    @Test("a page that ends before the live bar leaves the chart requesting more")
    func shortPage() {
        var random = SeededGenerator(seed: 5)
        let all = random.candles(1500)
        var view = Self.chart(Array(all[600..<1100]))
        view.pan(byBars: -400)
        #expect(view.prepend(all[400..<600]) == 200)
        #expect(view.pagedOut.newer == 200)
        view.pan(byBars: 400)
        #expect(view.needsNewer)
        let newest = view.count - 1
        let start = (all.firstIndex { $0.timestamp == view.series.timestamp(at: newest) } ?? 0) + 1
        #expect(view.appendPage(all[start..<start + 20], isLast: false) == 20)
        #expect(view.needsNewer)
        #expect(view.pagedOut.newer == 180)
        #expect(view.appendPage([], isLast: true) == 1)
        #expect(view.pagedOut.newer == 0)
    }
}
