import Foundation
import MarketModel
import Testing

@testable import ChartScene

/// A chart of 60 five-minute bars, 10 pixels apart, whose close climbs one a bar from 100; with room for what is drawn.
enum DrawingFixture {
    static let start = 1_704_063_000.0

    static func view(bars: Int = 60, timeframe: Timeframe = .m5, ratio: Double = 1) -> ChartView {
        var view = ChartView(timeframe: timeframe)
        view.resize(width: 700, height: 400, devicePixelRatio: ratio)
        view.setSymbol("BTC-USD".utf8, precision: 2)
        view.setData(candles(bars, timeframe))
        view.fit()
        view.zoom(by: 10 / view.barSpacing, atX: 300)
        return view
    }

    static func candles(_ count: Int, _ timeframe: Timeframe = .m5, from first: Double = start) -> [Candle] {
        (0..<count).map { index in
            let close = 100 + Double(index)
            return Candle(
                timestamp: first + Double(index) * timeframe.seconds, open: close - 1, high: close + 2, low: close - 3,
                close: close, volume: 0)
        }
    }

    /// CSS pixels of a place: the ratio is 1.
    static func pixel(_ view: inout ChartView, bar: Double, price: Double) throws -> (x: Double, y: Double) {
        let found = view.drawingSpace()
        let space = try #require(found)
        return (space.time.x(bar) / space.layout.ratio, space.price.y(price) / space.layout.ratio)
    }

    static func line(_ kind: DrawingKind = .trendLine) -> Drawing {
        let first = DrawingAnchor(time: start + 3000, price: 115)
        let second = DrawingAnchor(time: start + 9000, price: 135)
        return Drawing(
            kind, kind.anchorCount == 2 ? [first, second] : [first], text: kind == .text ? Array("note".utf8) : [])!
    }
}

/// Compares a picture with the one that was recorded. Recorded with CANDLEWIRE_RECORD=1, on purpose only: recording
/// fails the run, so that it cannot pass unseen.
func expectGolden(_ list: DisplayList, _ name: String) throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let file = folder.appendingPathComponent("Golden/\(name).txt")
    let dump = list.dump()
    if ProcessInfo.processInfo.environment["CANDLEWIRE_RECORD"] == "1" {
        try dump.write(to: file, atomically: true, encoding: .utf8)
        Issue.record("recorded \(name); look at the difference and run again without recording")
        return
    }
    let golden = try String(contentsOf: file, encoding: .utf8)
    guard dump != golden else { return }
    let lines = zip(dump.split(separator: "\n"), golden.split(separator: "\n"))
    let place = lines.enumerated().first { $0.element.0 != $0.element.1 }
    Issue.record("\(name), line \(place.map { $0.offset + 1 } ?? 0): \(place?.element.0 ?? "more or fewer lines")")
}
