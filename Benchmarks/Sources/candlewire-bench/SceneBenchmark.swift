import ChartScene
import MarketModel

/// How long it takes to build a display list.
enum SceneBenchmark {
    static func run() {
        var random = SeededGenerator(seed: 3)
        var price = 60_000.0
        let candles = (0..<100_000).map { index in
            let open = price
            price = max(1, price + random.signedUnit() * 20)
            return Candle(
                timestamp: 1_600_000_020 + Double(index) * 60, open: open, high: max(open, price) + random.unit() * 5,
                low: min(open, price) - random.unit() * 5, close: price, volume: random.unit() * 100)
        }
        var view = ChartView(capacity: 200_000)
        view.resize(width: 1440, height: 800, devicePixelRatio: 2)
        view.setSymbol(Array("BTC-USD".utf8), precision: 2)
        view.setTimeframe(.m1)
        _ = view.setData(candles, keepViewport: false)
        view.setCrosshair(x: 700, y: 300)
        var list = DisplayList()
        func draw() {
            // The same theme again: everything has to be drawn.
            view.setTheme(.dark)
            view.render(into: &list)
        }

        // About 200 bars: zoomed in steps until that many are in view.
        while view.visibleCount > 205 { view.zoom(by: 1.01, atX: 1000) }
        while view.visibleCount < 195 { view.zoom(by: 0.99, atX: 1000) }
        var x = 700.0
        Report.duration(
            "scene, \(Int(view.visibleCount)) visible of 100,000 candles, crosshair alone",
            Stopwatch.time(runs: 1001) {
                x = x < 900 ? x + 1 : 700
                view.setCrosshair(x: x, y: 300)
                view.render(into: &list)
            })
        Report.duration(
            "scene, \(Int(view.visibleCount)) visible of 100,000 candles", Stopwatch.time(runs: 1001) { draw() })
        for _ in 0..<2000 { view.zoom(by: 0.97, atX: 700) }
        precondition(view.visibleCount >= 100_000, "all candles are in view")
        Report.duration(
            "scene, all 100,000 candles visible", Stopwatch.time(runs: 1001) { draw() })
    }
}
