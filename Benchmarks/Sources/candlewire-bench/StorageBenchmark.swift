import HistoryStore
import MarketModel

/// Rows a second through the store, and pages read from it, with the numbers of `Benchmarks/peers/sqlite_candles.c`.
enum StorageBenchmark {
    private static let start = 1_500_000_000.0
    private static let reads = 2_000

    /// - Parameters:
    ///   - folder: an empty one, on the disk that is measured.
    ///   - rows: how many are written, once as live candles are and once as made or imported ones are.
    ///   - batch: how many live ones are written at once.
    static func run(folder: String, rows: Int, batch: Int) async throws {
        var options = CandleStore.Options()
        // A batch is written when it is full, and not by itself.
        options.batchRows = .max
        options.flushInterval = .seconds(86_400)
        let store = try CandleStore(directory: folder, options: options)
        let live = try await seconds {
            for first in stride(from: 0, to: rows, by: batch) {
                store.enqueue(
                    (first..<min(first + batch, rows)).map {
                        StoredCandle(symbol: "LIVE-USD", timeframe: .s1, candle: candle($0))
                    })
                try await store.flush()
            }
        }
        print("live\t\(Double(rows) / live)")
        try await pages("last", of: store, rows) { _ in start + Double(rows) }
        try await pages("random", of: store, rows) { random in
            start + 1000 + Double.random(in: 0...1, using: &random) * Double(rows - 1000)
        }
        var made = 0.0
        for first in stride(from: 0, to: rows, by: 500_000) {
            let candles = (first..<min(first + 500_000, rows)).map(candle)
            made += try await seconds {
                try await store.importCandles(candles, symbol: "MADE-USD", timeframe: .s1)
            }
        }
        print("made\t\(Double(rows) / made)")
        try await store.close()
    }

    private static func candle(_ index: Int) -> Candle {
        let open = 60_000 + Double(index % 9973) / 8 + 0.01
        return Candle(
            timestamp: start + Double(index), open: open, high: open + 2.5, low: open - 1.25, close: open + 0.3,
            volume: Double(index % 1009) / 7)
    }

    private static func pages(
        _ name: String, of store: CandleStore, _ rows: Int, before: (inout SeededGenerator) -> Double
    ) async throws {
        var random = SeededGenerator(seed: 1)
        var times: [Double] = []
        for _ in 0..<reads {
            let before = before(&random)
            times.append(
                try await seconds {
                    let page = try await store.storedCandles(symbol: "LIVE-USD", timeframe: .s1, before: before)
                    precondition(page.count == 1000)
                })
        }
        times.sort()
        print("\(name)\t\(times[reads / 2] * 1e3)\t\(times[reads * 99 / 100] * 1e3)")
    }

    private static func seconds(_ work: () async throws -> Void) async rethrows -> Double {
        let start = ContinuousClock.now
        try await work()
        return start.duration(to: .now) / .seconds(1)
    }
}
