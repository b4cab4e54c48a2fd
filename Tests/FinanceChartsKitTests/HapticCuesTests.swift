import FinanceChartsKit
import Testing

@Suite struct HapticCuesTests {
    private func cues(_ prices: [Double], levels: [Double], range: ClosedRange<Double>? = nil, every: Double = 20)
        -> [HapticCue?]
    {
        var cues = HapticCues(levels: levels, range: range)
        return prices.enumerated().map { cues.cue(price: $1, now: Double($0) * every) }
    }

    @Test("levels are felt when they are crossed, from either side, and not when they are touched")
    func levels() {
        #expect(cues([99, 99.5, 101, 99], levels: [100], range: 0...200) == [nil, nil, .crossedUp, .crossedDown])
        #expect(cues([99, 100, 99, 100, 101], levels: [100], range: 0...200) == [nil, nil, nil, nil, .crossedUp])
        #expect(cues([99, .nan, 101], levels: [100], range: 0...200) == [nil, nil, .crossedUp])
    }

    @Test("extremes are beyond all prices before; a level comes first")
    func extremes() {
        #expect(cues([10, 11, 10.5, 11, 12, 9], levels: []) == [nil, .newHigh, nil, nil, .newHigh, .newLow])
        #expect(cues([10, 11, 21], levels: [], range: 5...20) == [nil, nil, .newHigh])
        #expect(cues([10, 12], levels: [11]) == [nil, .crossedUp])
    }

    @Test("at most one cue a second, and one extreme in ten")
    func limits() {
        let zigzag = (0..<100).map { $0 % 2 == 0 ? 99.0 : 101 }
        #expect(cues(zigzag, levels: [100], range: 0...200, every: 0.1).compactMap { $0 }.count == 10)
        let rally = (0..<600).map { Double($0) }
        #expect(cues(rally, levels: [], every: 0.1).compactMap { $0 }.count == 6)
        var many = HapticCues(levels: (0..<1000).map(Double.init))
        #expect(many.levels.count == 100)
        many.levels = Array(repeating: 5, count: 300)
        #expect(many.levels.count == 100)
    }
}
