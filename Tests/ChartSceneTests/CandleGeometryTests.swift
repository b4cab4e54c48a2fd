import Testing

@testable import ChartScene

@Suite("Widths of candles")
struct CandleGeometryTests {
    @Test("body and wick are whole pixels of one parity, with a gap to the next bar", arguments: [0.5, 1, 1.5, 2, 3])
    func parity(ratio: Double) throws {
        for tenth in 25...1800 {
            let spacing = Double(tenth) / 10
            let candle = try #require(CandleGeometry(spacing: spacing, ratio: ratio))
            #expect(candle.body == candle.body.rounded() && candle.wick == candle.wick.rounded())
            #expect(candle.wick >= 1 && candle.body >= candle.wick)
            #expect((candle.body - candle.wick).truncatingRemainder(dividingBy: 2) == 0)
            #expect(spacing < 4 ? candle.body == 3 : candle.body <= spacing - 1)
        }
    }

    @Test("where a body would be narrower than two pixels there are no candles", arguments: [0.0, 0.01, 1, 2, 2.49])
    func tooClose(spacing: Double) {
        #expect(CandleGeometry(spacing: spacing, ratio: 1) == nil)
    }

    @Test("an even wick has its bar's centre in the middle, an odd one is within half a pixel")
    func centred() throws {
        let even = try #require(CandleGeometry(spacing: 14, ratio: 2))
        #expect(even.wickLeft(100) + even.wick / 2 == 100)
        let odd = try #require(CandleGeometry(spacing: 7, ratio: 1))
        #expect(abs(odd.wickLeft(100) + odd.wick / 2 - 100) <= 0.5)
    }
}
