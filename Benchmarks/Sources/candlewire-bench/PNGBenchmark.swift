import FinanceChartsKit
import Foundation

/// A picture of 500 candles with their volume, an EMA and an RSI in panes, 1200 x 700 pixels, from bars to the bytes of
/// the file: whole, and each step of it.
enum PNGBenchmark {
    static let candles = walk(500)

    static func run(dumpTo folder: String?) throws {
        var picture = ChartPicture()
        (picture.width, picture.height, picture.pixelRatio) = (1200, 700, 1)
        picture.bars = 500
        picture.volume = .pane
        picture.studies = [StudySettings(.ema, parameters: [20]), StudySettings(.rsi, parameters: [14])]
        let painter = try CairoPainter(width: picture.pixelWidth, height: picture.pixelHeight)

        var chart = picture.chart(candles, symbol: "BTC-USD", timeframe: .m5)
        precondition(ChartPicture.shownBars(chart) == 500, "all candles are in the picture")
        var list = DisplayList()
        chart.render(into: &list)
        let pixels = try painter.pixels(list)
        let file = try painter.image(list, as: .png)
        let encoded = try PNGFile.bytes(pixels, width: painter.width, height: painter.height)
        precondition(encoded == file, "the steps are those of the whole")
        if let folder {
            try Data(file).write(to: URL(fileURLWithPath: folder + "/candlewire.png"))
            var series = CandleSeries(capacity: candles.count)
            series.replaceAll(with: candles)
            try BarsCSV.text(series).write(toFile: folder + "/png.csv", atomically: true, encoding: .utf8)
        }

        Report.duration(
            "png, chart of the candles (bars, studies)",
            Stopwatch.time(runs: 301) { keep(picture.chart(candles, symbol: "BTC-USD", timeframe: .m5)) })
        Report.duration(
            "png, scene (layout, display list)",
            Stopwatch.time(runs: 1001) {
                // The same theme again: everything has to be drawn.
                chart.setTheme(.dark)
                chart.render(into: &list)
            })
        Report.duration("png, painting", Stopwatch.time(runs: 201) { keep(try? painter.pixels(list)) })
        Report.duration(
            "png, encoding (\(file.count) bytes)",
            Stopwatch.time(runs: 201) {
                keep(try? PNGFile.bytes(pixels, width: painter.width, height: painter.height))
            })
        Report.duration(
            "png, whole",
            Stopwatch.time(runs: 201) {
                keep(try? picture.encoded(candles, symbol: "BTC-USD", timeframe: .m5, as: .png))
            })
    }

    /// A random walk of five minute candles.
    private static func walk(_ count: Int) -> [Candle] {
        var random = SeededGenerator(seed: 4)
        var price = 60_000.0
        return (0..<count).map { index in
            let open = price
            price = ((price + (random.unit() * 2 - 1) * 60) * 100).rounded() / 100
            return Candle(
                timestamp: 1_732_100_400 + Double(index) * 300, open: open, high: max(open, price) + random.unit() * 20,
                low: min(open, price) - random.unit() * 20, close: price, volume: random.unit() * 100)
        }
    }
}
