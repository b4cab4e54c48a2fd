import MarketModel
import Testing

@testable import ChartScene

@Suite("Drawings stay where they are")
struct DrawingStabilityTests {
    /// Which time is under the first anchor on screen.
    private func time(_ view: inout ChartView) throws -> Double {
        let found = view.drawingSpace()
        let space = try #require(found)
        let point = space.point(view.board.drawings[0].anchors[0])
        return view.series.time(ofPosition: space.time.index(at: point.x), view.timeframe)
    }

    @Test("when bars come in front, behind or go away, and in another timeframe")
    func stable() throws {
        var view = DrawingFixture.view()
        view.board.add(DrawingFixture.line())
        let anchors = view.board.drawings[0].anchors
        let expected = anchors[0].time
        #expect(try abs(time(&view) - expected) < 1e-3)
        view.prepend(DrawingFixture.candles(30, from: DrawingFixture.start - 30 * 300))
        #expect(try abs(time(&view) - expected) < 1e-3)
        view.place(DrawingFixture.candles(61)[60], final: false)
        #expect(try abs(time(&view) - expected) < 1e-3)
        // Its bars are gone: it lies before the oldest one, and not at it.
        view.setData(DrawingFixture.candles(40, from: DrawingFixture.start + 20 * 300))
        #expect(try abs(time(&view) - expected) < 1e-3)
        view.setTimeframe(.h1)
        view.setData(DrawingFixture.candles(50, .h1, from: DrawingFixture.start - 600 - 20 * 3600))
        #expect(try abs(time(&view) - expected) < 1e-3)
        #expect(view.board.drawings[0].anchors == anchors)
    }

    @Test("in a gap of trading they lie between its bars")
    func gap() {
        var series = CandleSeries()
        let day = 86_400.0
        for time in [day, day + 300, day + 90_000, day + 90_300] {
            series.place(Candle(timestamp: time, open: 1, high: 1, low: 1, close: 1, volume: 0))
        }
        #expect(series.position(of: day + 300, .m5) == 1)
        #expect(series.position(of: day + 45_150, .m5) == 1.5)
        #expect(series.position(of: day + 90_450, .m5) == 3.5)
        #expect(series.position(of: day + 90_900, .m5) == 5)
        #expect(series.time(ofPosition: 1.5, .m5) == day + 45_150)
    }

    @Test("position and time are each other's inverse, months included", arguments: [Timeframe.s1, .m5, .d1, .mo1])
    func inverse(timeframe: Timeframe) {
        var series = CandleSeries()
        var start = timeframe.bucketStart(of: 1_700_000_000)
        for index in 0..<50 {
            if index % 7 != 3 { series.place(Candle(timestamp: start, open: 1, high: 1, low: 1, close: 1, volume: 0)) }
            start = timeframe.bucketEnd(ofBucketAt: start)
        }
        for step in -400...800 {
            let position = Double(step) / 8
            let back = series.position(of: series.time(ofPosition: position, timeframe), timeframe)
            #expect(abs(back - position) < 1e-4)
        }
        // Nothing traps far off.
        for time in [0, 253_402_300_799.0] { #expect(series.position(of: time, timeframe).isFinite) }
    }
}
