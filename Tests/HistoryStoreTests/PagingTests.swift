import HistoryStore
import MarketModel
import Testing

@Suite("A page of candles")
struct PagingTests {
    /// Bars of the seconds 10, 20, ..., 100 after a start; numbers below are those seconds.
    static let start = 1_700_000_000.0
    static let bars = candles(10, from: start + 10, every: 10)

    struct Case: Sendable, CustomTestStringConvertible {
        var from: Double?
        var to: Double?
        var before: Double?
        var limit = 1000
        var expected: [Double]
        var why: String
        var testDescription: String { why }
    }

    static let cases: [Case] = [
        Case(expected: Array(stride(from: 10, through: 100, by: 10)), why: "no bounds: everything, ascending"),
        Case(limit: 3, expected: [80, 90, 100], why: "a limit keeps the newest"),
        Case(limit: 0, expected: [], why: "limit zero"),
        Case(limit: -1, expected: [], why: "a negative limit"),
        Case(limit: .max, expected: Array(stride(from: 10, through: 100, by: 10)), why: "the largest limit"),
        Case(before: 80, limit: 3, expected: [50, 60, 70], why: "before is exclusive"),
        Case(before: 85, limit: 2, expected: [70, 80], why: "before between two bars"),
        Case(before: 10, expected: [], why: "before the oldest"),
        Case(before: 30, limit: 5, expected: [10, 20], why: "fewer are left than requested"),
        Case(to: 80, limit: 3, expected: [60, 70, 80], why: "to is inclusive"),
        Case(to: 5, expected: [], why: "to before the oldest"),
        Case(to: 500, limit: 1, expected: [100], why: "to after the newest"),
        Case(from: 30, limit: 3, expected: [30, 40, 50], why: "from alone: the oldest from there, inclusive"),
        Case(from: 35, limit: 1, expected: [40], why: "from between two bars"),
        Case(from: 101, expected: [], why: "from after the newest"),
        Case(from: 30, to: 60, expected: [30, 40, 50, 60], why: "a closed range"),
        Case(from: 30, to: 90, limit: 2, expected: [80, 90], why: "in a range a limit keeps the newest"),
        Case(from: 30, before: 60, expected: [30, 40, 50], why: "a half-open range"),
        Case(from: 30, before: 90, limit: 2, expected: [70, 80], why: "the newest of a half-open range"),
        Case(to: 70, before: 50, expected: [10, 20, 30, 40], why: "the earlier of to and before counts"),
        Case(
            to: 40, before: 90, limit: 2, expected: [30, 40], why: "the earlier of both, the other way"),
        Case(from: 60, to: 30, expected: [], why: "an empty range"),
    ]

    @Test("holds what its bounds and limit say", arguments: cases)
    func page(_ page: Case) async throws {
        let directory = try TemporaryDirectory()
        let store = try CandleStore(directory: directory.path)
        try await store.importCandles(Self.bars, symbol: "A", timeframe: .s5)
        // Neighbours in the key on both sides: a page must not run over its series' edge.
        try await store.importCandles(Self.bars, symbol: "B", timeframe: .s5)
        try await store.importCandles(Self.bars, symbol: "A", timeframe: .s15)
        func shifted(_ bound: Double?) -> Double? { bound.map { $0 + Self.start } }
        let found = try await store.candles(
            symbol: "A", timeframe: .s5, from: shifted(page.from), to: shifted(page.to), before: shifted(page.before),
            limit: page.limit)
        #expect(found.map { $0.timestamp - Self.start } == page.expected)
        try await store.close()
    }

    @Test("joined backwards or forwards gives the whole series", arguments: [1, 2, 7, 99, 100, 101])
    func walk(size: Int) async throws {
        let directory = try TemporaryDirectory()
        let store = try CandleStore(directory: directory.path)
        let bars = candles(100)
        try await store.importCandles(bars, symbol: "A", timeframe: .m1)
        var backwards: [Candle] = []
        while true {
            let page = try await store.candles(
                symbol: "A", timeframe: .m1, before: backwards.first?.timestamp, limit: size)
            if page.isEmpty { break }
            backwards = page + backwards
        }
        #expect(backwards == bars)
        var forwards: [Candle] = []
        while true {
            let page = try await store.candles(
                symbol: "A", timeframe: .m1, from: (forwards.last?.timestamp ?? 0) + 1, limit: size)
            if page.isEmpty { break }
            forwards += page
        }
        #expect(forwards == bars)
        try await store.close()
    }

    @Test("of any number follow one another through a stretch, each candle once", arguments: [1, 3, 4, 10, 11])
    func pages(rows: Int) async throws {
        let directory = try TemporaryDirectory()
        let store = try CandleStore(directory: directory.path)
        try await store.importCandles(Self.bars, symbol: "A", timeframe: .s5)
        try await store.importCandles(Self.bars, symbol: "B", timeframe: .s5)
        for (from, end) in [(10.0, 101.0), (-.infinity, .infinity), (15, 80), (30, 30), (200, 300)] {
            var (found, sizes) = ([Double](), [Int]())
            try await store.forEachPage(
                symbol: "A", timeframe: .s5, from: Self.start + from, before: Self.start + end, rows: rows
            ) { page in
                found += page.map { $0.timestamp - Self.start }
                sizes.append(page.count)
            }
            let all = stride(from: 10.0, through: 100, by: 10)
            #expect(found == all.filter { $0 >= from && $0 < end })
            #expect(sizes.allSatisfy { 1...rows ~= $0 } && sizes.dropLast().allSatisfy { $0 == rows })
        }
        try await store.close()
    }
}
