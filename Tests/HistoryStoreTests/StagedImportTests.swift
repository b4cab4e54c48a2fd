import Foundation
import HistoryStore
import MarketModel
import Testing

@Suite("A staged import")
struct StagedImportTests {
    /// 2023-11-14 00:00:00 UTC, a Tuesday.
    static let midnight = 1_699_920_000.0

    let directory: TemporaryDirectory
    let store: CandleStore
    init() throws {
        directory = try TemporaryDirectory()
        store = try CandleStore(directory: directory.path)
    }

    private func run(
        _ candles: [Candle], _ timeframe: Timeframe = .m1, coarser: CoarserCandles = .missing,
        fetched: Range<Double>? = nil, quiet: [Range<Double>] = []
    ) async throws -> StagedImport.Result {
        let staged = try await StagedImport(store, symbol: "X", timeframe: timeframe)
        for start in stride(from: 0, to: candles.count, by: 1000) {
            try await staged.add(Array(candles[start..<min(start + 1000, candles.count)]))
        }
        return try await staged.finish(coarser: coarser, fetched: fetched.map { [$0] } ?? [], quiet: quiet)
    }

    @Test("changes nothing the second time, and says so")
    func twice() async throws {
        let bars = candles(3000, from: Self.midnight)
        let first = try await run(bars)
        #expect(first.added == 3000 && first.unchanged == 0 && !first.changesNothing)
        #expect(first.first == Self.midnight && first.last == Self.midnight + 2999 * 60)
        let second = try await run(bars)
        #expect(second.added == 0 && second.replaced == 0 && second.unchanged == 3000)
        #expect(second.coarser == [:] && second.changesNothing)
        #expect(try await store.candles(symbol: "X", timeframe: .m1, limit: 5000) == bars)
    }

    @Test("accepts rows in any order; of those with one time the last counts")
    func order() async throws {
        let bars = candles(50, from: Self.midnight)
        var wrong = bars[7]
        wrong.high += 1
        let result = try await run([wrong] + bars.reversed() + [bars[3]])
        #expect(result.added == 50 && result.repeated == 2)
        #expect(try await store.candles(symbol: "X", timeframe: .m1) == bars)
        // The same file again is the same content, whatever its rows were in between.
        #expect(try await run([wrong] + bars.reversed() + [bars[3]]).changesNothing)
    }

    @Test("replaces what differs, but not what a late trade corrected")
    func differences() async throws {
        let bars = candles(10, from: Self.midnight)
        _ = try await run(bars, coarser: .none)
        store.enqueue(StoredCandle(symbol: "X", timeframe: .m1, candle: bars[4], revision: 2, quality: .corrected))
        try await store.flush()
        var other = bars
        for index in [1, 4] { other[index].high += 5 }
        let result = try await run(other, coarser: .none)
        #expect(result.replaced == 1 && result.kept == 1 && result.unchanged == 8)
        let stored = try await store.candles(symbol: "X", timeframe: .m1)
        #expect(stored[1] == other[1] && stored[4] == bars[4])
    }

    @Test("replaces a piece whole, also where a late trade raised its revision; and no whole candle by a piece")
    func pieces() async throws {
        let bars = candles(6, from: Self.midnight)
        var seen = bars
        for index in seen.indices { seen[index].volume /= 2 }
        store.enqueue([
            StoredCandle(symbol: "X", timeframe: .m1, candle: seen[0], revision: 3, quality: .gap),
            StoredCandle(symbol: "X", timeframe: .m1, candle: seen[1], revision: 1, quality: .partial),
            StoredCandle(symbol: "X", timeframe: .m1, candle: seen[2], revision: 2, quality: .corrected),
            StoredCandle(symbol: "X", timeframe: .m1, candle: bars[3], quality: .complete),
            StoredCandle(symbol: "X", timeframe: .m1, candle: bars[4], quality: .partial),
        ])
        try await store.flush()
        let whole = try await run(Array(bars[0...2]), coarser: .none)
        #expect(whole.replaced == 2 && whole.kept == 1 && whole.whole == 0)

        let staged = try await StagedImport(store, symbol: "X", timeframe: .m1)
        var more = seen
        more[5].volume = 9
        try await staged.add(more[3...5].map { ($0, .partial) })
        let result = try await staged.finish(coarser: .none)
        #expect(result.whole == 2 && result.added == 1 && result.replaced == 0)
        // A larger piece replaces a smaller one.
        let larger = try await StagedImport(store, symbol: "X", timeframe: .m1)
        try await larger.add([(bars[5], .partial)])
        #expect(try await larger.finish(coarser: .none).whole == 1)
        more[5].volume = 10
        let largest = try await StagedImport(store, symbol: "X", timeframe: .m1)
        try await largest.add([(more[5], .partial)])
        #expect(try await largest.finish(coarser: .none).replaced == 1)

        let stored = try await store.storedCandles(symbol: "X", timeframe: .m1)
        #expect(stored.map(\.candle) == [bars[0], bars[1], seen[2], bars[3], bars[4], more[5]])
        #expect(stored.map(\.quality) == [.complete, .complete, .corrected, .complete, .partial, .partial])
        #expect(stored.map(\.revision) == [3, 1, 2, 0, 0, 0], "a revision never goes down")
    }

    @Test("a coarser candle with a hole inside is none that is whole, unless it is known that nothing was traded")
    func holes() async throws {
        let day = candles(1440, from: Self.midnight)
        /// Of the day, and of some of its hours.
        func quality(_ hours: Int...) async throws -> [CandleQuality?] {
            let day = try await store.storedCandles(symbol: "X", timeframe: .d1).first?.quality
            let stored = try await store.storedCandles(symbol: "X", timeframe: .h1)
            return [day]
                + hours.map { hour in
                    stored.first { $0.candle.timestamp == Self.midnight + Double(hour) * 3600 }?.quality
                }
        }
        // The morning and the evening, from two files, and nothing between.
        _ = try await run(Array(day[..<400]))
        _ = try await run(Array(day[1100...]))
        #expect(try await quality(5, 6, 18) == [.gap, .complete, .partial, .gap])
        // A minute that was fetched as empty is no hole, one that was not is one.
        _ = try await run(Array(day[400..<700] + day[701..<1100]), fetched: Self.midnight..<Self.midnight + 42_000)
        #expect(try await quality(6, 11) == [.gap, .complete, .gap])
        _ = try await run([day[699]], fetched: Self.midnight + 42_000..<Self.midnight + 42_060)
        #expect(try await quality(11) == [.complete, .complete])
        let week = try await store.storedCandles(symbol: "X", timeframe: .w1)
        #expect(week.map(\.quality) == [.partial], "the days before are unknown")
    }

    @Test("a file says what it knows: between its rows nothing was traded")
    func quiet() async throws {
        let hour = candles(60, from: Self.midnight)
        let span = Self.midnight..<Self.midnight + 3600
        let sparse = Array(hour[..<20] + hour[25...])
        #expect(try await run(sparse).coarser[.h1] == 1)
        #expect(try await store.storedCandles(symbol: "X", timeframe: .h1).map(\.quality) == [.gap])
        _ = try await run(sparse, quiet: [span])
        #expect(try await store.storedCandles(symbol: "X", timeframe: .h1).map(\.quality) == [.complete])
        #expect(try await store.coverage(symbol: "X", timeframe: .m1).isEmpty, "a venue may still know better")
    }

    @Test("a coarser candle that is a piece replaces no whole one, and gives way to it")
    func coarserPieces() async throws {
        let hour = candles(60, from: Self.midnight)
        var other = try #require(hour.first)
        other.high = 500
        other.low = 1
        other.volume = 0
        store.enqueue(StoredCandle(symbol: "X", timeframe: .h1, candle: other))
        try await store.flush()
        var wild = Array(hour[..<30])
        wild[3].high = 900
        wild[3].low = 0.5
        _ = try await run(wild)
        #expect(try await store.candles(symbol: "X", timeframe: .h1) == [other])
        store.enqueue(StoredCandle(symbol: "X", timeframe: .h1, candle: other, revision: 2, quality: .gap))
        try await store.flush()
        _ = try await run(wild + hour[30...])
        let stored = try await store.storedCandles(symbol: "X", timeframe: .h1)
        #expect(stored.map(\.candle.high) == [900] && stored.map(\.quality) == [.complete])
        #expect(stored.map(\.revision) == [2])
    }

    @Test("leaves the store as it was when it is given up, and does without what is malformed")
    func cancelled() async throws {
        let staged = try await StagedImport(store, symbol: "X", timeframe: .m1)
        try await staged.add(candles(10, from: Self.midnight))
        await staged.cancel()
        #expect(try await store.symbols().isEmpty)
        var bars = candles(3, from: Self.midnight)
        bars[1].low = .nan
        #expect(try await run(bars).added == 2)
        #expect(try await run([]).changesNothing)
    }

    @Test("makes the coarser candles that the finer ones roll up to")
    func coarser() async throws {
        let bars = candles(2 * 1440 + 30, from: Self.midnight)
        let result = try await run(bars)
        for timeframe in Timeframe.allCases where timeframe != .m1 && timeframe.isMadeOf(.m1) {
            var rollup = CandleRollup(to: timeframe)
            var expected = bars.compactMap { rollup.add($0) }
            if let last = rollup.forming { expected.append(last) }
            #expect(result.coarser[timeframe] == expected.count)
            let stored = try await store.storedCandles(symbol: "X", timeframe: timeframe, limit: 5000)
            #expect(stored.map(\.candle) == expected, "\(timeframe)")
            // The days before, and the rest of the last bucket, are unknown.
            let isCut = timeframe.seconds > 1800
            #expect(stored.last?.quality == (isCut ? .partial : .complete), "\(timeframe)")
            if timeframe == .d1 { #expect(stored.map(\.quality) == [.complete, .complete, .partial]) }
        }
    }

    @Test("lets a day that is imported in halves grow to the whole, and does not let an hour replace a day")
    func growing() async throws {
        let day = candles(1440, from: Self.midnight)
        _ = try await run(Array(day[..<700]))
        let half = try await store.storedCandles(symbol: "X", timeframe: .d1)
        #expect(half.first?.quality == .partial)
        let rest = try await run(Array(day[700...]))
        #expect(rest.coarser[.d1] == 1)
        let whole = try await store.storedCandles(symbol: "X", timeframe: .d1)
        #expect(whole.map(\.candle.close) == [day[1439].close] && whole.first?.quality == .complete)

        // A day of its own, of which only an hour comes by the minute.
        let other = Candle(timestamp: Self.midnight, open: 1, high: 9000, low: 0.5, close: 2, volume: 1e6)
        let staged = try await StagedImport(store, symbol: "Y", timeframe: .d1)
        try await staged.add([other])
        _ = try await staged.finish()
        for (mode, expected) in [(CoarserCandles.missing, other), (.none, other), (.all, nil)] {
            let hour = try await StagedImport(store, symbol: "Y", timeframe: .m1)
            try await hour.add(candles(60, from: Self.midnight))
            _ = try await hour.finish(coarser: mode)
            let stored = try await store.candles(symbol: "Y", timeframe: .d1)
            #expect((stored == [other]) == (expected != nil), "\(mode)")
        }
    }

    @Test("keeps which stretches of time were fetched, as few as can be")
    func coverage() async throws {
        let bars = candles(10, from: Self.midnight)
        let start = Self.midnight
        for (from, to) in [(0.0, 600.0), (1200, 1800), (1800, 2400), (3600, 3660), (540, 1260)] {
            _ = try await run(bars, coarser: .none, fetched: start + from..<start + to)
        }
        let coverage = try await store.coverage(symbol: "X", timeframe: .m1)
        #expect(coverage == [start..<start + 2400, start + 3600..<start + 3660])
        #expect(try await store.coverage(symbol: "X", timeframe: .m5).isEmpty)
        try await store.remove(symbol: "X", timeframe: .m1)
        #expect(try await store.coverage(symbol: "X", timeframe: .m1).isEmpty)
    }

    @Test("what was neither fetched nor seen whole is missing")
    func missing() async throws {
        let start = Self.midnight
        func missing(_ from: Double, _ to: Double) async throws -> [Range<Double>] {
            try await store.missingStretches(symbol: "X", timeframe: .m1, from: start + from, to: start + to)
                .map { $0.lowerBound - start..<$0.upperBound - start }
        }
        #expect(try await missing(0, 3600) == [0..<3600])
        #expect(try await missing(60, 60) == [])
        // Fetched, but nothing was traded; seen whole; seen in part; corrected.
        _ = try await run([], coarser: .none, fetched: start + 600..<start + 1200)
        let bars = candles(60, from: start)
        store.enqueue([
            StoredCandle(symbol: "X", timeframe: .m1, candle: bars[5]),
            StoredCandle(symbol: "X", timeframe: .m1, candle: bars[12], quality: .gap),
            StoredCandle(symbol: "X", timeframe: .m1, candle: bars[30], quality: .gap),
            StoredCandle(symbol: "X", timeframe: .m1, candle: bars[31], revision: 1, quality: .corrected),
            StoredCandle(symbol: "X", timeframe: .m1, candle: bars[32], quality: .noTrade),
            StoredCandle(symbol: "X", timeframe: .m1, candle: bars[33], quality: .partial),
        ])
        try await store.flush()
        #expect(try await missing(0, 3600) == [0..<300, 360..<600, 1200..<1860, 1980..<3600])
        #expect(try await missing(660, 1140) == [])
        #expect(try await missing(300, 420) == [360..<420])
        #expect(try await missing(1860, 1980) == [])
    }
}
