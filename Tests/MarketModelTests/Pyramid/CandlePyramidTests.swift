import TestKit
import Testing

@testable import MarketModel

@Suite("CandlePyramid: levels of detail that lose nothing")
struct CandlePyramidTests {
    @Test(
        "every range of a small series is what a loop over its bars finds", arguments: [0, 1, 15, 16, 17, 47, 64, 97])
    func everyRange(count: Int) {
        var world = World(seed: 11, capacity: 1000)
        for _ in 0..<count { world.append() }
        for lower in 0...count {
            for upper in lower...count { world.check(lower..<upper) }
        }
    }

    @Test("after any changes all answers equal a naive loop", arguments: 1...24)
    func anyChanges(seed: Int) {
        let capacity = [40, 300, 1000, 5000][seed % 4]
        var world = World(seed: UInt64(seed), capacity: capacity)
        for _ in 0..<1500 {
            world.change()
            world.check(world.randomRange())
        }
        world.check(0..<world.series.count)
    }

    @Test("a series that never shrinks is appended to and corrected without a hole", arguments: 1...4)
    func growing(seed: Int) {
        var world = World(seed: UInt64(100 + seed), capacity: 200_000)
        for step in 0..<20_000 {
            world.append()
            if step % 7 == 0 { world.correct() }
            if step % 50 == 0 { world.check(world.randomRange()) }
        }
        for _ in 0..<300 { world.check(world.randomRange()) }
    }

    @Test("updating the newest or an older bar and dropping the oldest ones keep the storage they have")
    func allocatesNothing() {
        var world = World(seed: 5, capacity: 4000)
        for _ in 0..<6000 { world.append() }
        let storage = world.storage
        for _ in 0..<10_000 {
            world.append()
            world.tick()
            world.correct()
        }
        #expect(world.storage == storage)
        world.check(0..<world.series.count)
    }

    @Test("the levels take 5 to 10 bytes a bar, as said", arguments: [(65_536, 5.01), (65_537 + 15, 10.01)])
    func memory(bars: Int, bytes: Double) {
        var series = CandleSeries(capacity: bars)
        series.replaceAll(with: (1...bars).map { World.candle(Double($0), open: 10, close: 11, volume: 1) })
        var pyramid = CandlePyramid()
        pyramid.rebuild(series)
        #expect(Double(pyramid.memory) < bytes * Double(bars))
        #expect(pyramid.extremes(series, 0..<bars).volume == Double(bars))
    }

    @Test("a range beyond the bars is cut, one without bars has no extremes and makes no candle")
    func cut() {
        var world = World(seed: 3, capacity: 100)
        for _ in 0..<50 { world.append() }
        let all = world.pyramid.extremes(world.series, -5..<5000)
        #expect(all == world.pyramid.extremes(world.series, 0..<50))
        #expect(world.pyramid.merged(world.series, 60..<70) == nil)
        #expect(world.pyramid.extremes(world.series, 20..<20).isEmpty)
        #expect(CandlePyramid().merged(CandleSeries(), 0..<10) == nil)
    }
}

/// A series with its pyramid, changed together, and a loop to compare with.
private struct World {
    var series: CandleSeries
    var pyramid = CandlePyramid()
    var random: SeededGenerator
    private var now = 1_000_000.0

    init(seed: UInt64, capacity: Int) {
        series = CandleSeries(capacity: capacity)
        random = SeededGenerator(seed: seed)
    }

    static func candle(_ timestamp: Double, open: Double, close: Double, volume: Double) -> Candle {
        Candle(
            timestamp: timestamp, open: open, high: max(open, close) + 1, low: min(open, close) - 1, close: close,
            volume: volume)
    }

    private mutating func candle(_ timestamp: Double) -> Candle {
        // Volumes are hundredths: their sums are exact in integers.
        World.candle(
            timestamp, open: Double.random(in: 10...99, using: &random),
            close: Double.random(in: 10...99, using: &random),
            volume: Double(Int.random(in: 0...100_000, using: &random)) / 100)
    }

    /// Levels' address and size: changed by any allocation.
    var storage: [Int] {
        [pyramid.withLevels(series) { Int(bitPattern: $0.nodes.baseAddress) }, pyramid.memory]
    }

    // MARK: Changes

    mutating func change() {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<50: append()
        case 50..<70: tick()
        case 70..<80: correct()
        case 80..<86: insertBetween()
        case 86..<93: prepend()
        case 93..<97: trim()
        case 97..<99: pyramid.rebuild(series)
        default: clear()
        }
    }

    mutating func append() {
        now += 60
        let before = series.count
        series.place(candle(now))
        if series.count == before { pyramid.dropFirst(1) }
        pyramid.update(series, from: series.count - 1)
    }

    mutating func tick() {
        guard let last = series.last else { return }
        series.place(candle(last.timestamp))
        pyramid.update(series, from: series.count - 1)
    }

    mutating func correct() {
        guard !series.isEmpty else { return }
        let index = Int.random(in: 0..<series.count, using: &random)
        series.place(candle(series.timestamp(at: index)))
        pyramid.update(series, at: index)
    }

    private mutating func insertBetween() {
        guard series.count > 1, series.count < series.capacity else { return }
        let index = Int.random(in: 1..<series.count, using: &random)
        let time = (series.timestamp(at: index - 1) + series.timestamp(at: index)) / 2
        guard series.place(candle(time)) == .applied else { return }
        pyramid.update(series, from: index)
    }

    private mutating func prepend() {
        guard let first = series.first else { return }
        let bars = Int.random(in: 1...200, using: &random)
        let older = (1...bars).map { candle(first.timestamp - Double($0) * 60) }.reversed()
        let added = series.prepend(Array(older))
        pyramid.prepended(series, bars: added)
    }

    private mutating func trim() {
        let keep = Int.random(in: 0...series.count, using: &random)
        let dropped = series.count - keep
        series.trim(keepingLast: keep)
        pyramid.dropFirst(dropped)
    }

    private mutating func clear() {
        series.removeAll()
        pyramid.update(series, from: 0)
    }

    // MARK: Checks

    mutating func randomRange() -> Range<Int> {
        let a = Int.random(in: 0...series.count, using: &random)
        let b = Int.random(in: 0...series.count, using: &random)
        return min(a, b)..<max(a, b)
    }

    func check(_ range: Range<Int>, sourceLocation: SourceLocation = #_sourceLocation) {
        var low = Double.infinity
        var high = -Double.infinity
        var maxVolume = 0.0
        var hundredths = 0
        for index in range {
            low = min(low, series.low(at: index))
            high = max(high, series.high(at: index))
            maxVolume = max(maxVolume, series.volume(at: index))
            hundredths += Int((series.volume(at: index) * 100).rounded())
        }
        let answer = pyramid.extremes(series, range)
        #expect(pyramid.count == series.count, sourceLocation: sourceLocation)
        #expect(answer.low == low, sourceLocation: sourceLocation)
        #expect(answer.high == high, sourceLocation: sourceLocation)
        #expect(answer.maxVolume == maxVolume, sourceLocation: sourceLocation)
        #expect(answer.volume == Double(hundredths) / 100, sourceLocation: sourceLocation)
        let merged = pyramid.merged(series, range)
        let expected =
            range.isEmpty
            ? nil
            : Candle(
                timestamp: series.timestamp(at: range.lowerBound), open: series.open(at: range.lowerBound), high: high,
                low: low, close: series.close(at: range.upperBound - 1), volume: Double(hundredths) / 100)
        #expect(merged == expected, sourceLocation: sourceLocation)
    }
}
