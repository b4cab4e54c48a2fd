import FinanceChartsKit
import Foundation
import HistoryStore

/// Where the candles of `candlewire chart` come from.
struct ChartSource {
    var name: String
    var timeframe: Timeframe?
    /// How many candles are wanted; 0 for all.
    var bars: Int
    var dataDirectory: String?

    /// A name is a file where there is one, or where it looks like one; else a symbol (`BTC/USD` has a slash, too).
    private var isFile: Bool {
        let text = name.lowercased()
        return FileManager.default.fileExists(atPath: name)
            || [".csv", ".tsv", ".txt", ".gz"].contains(where: text.hasSuffix)
    }

    func load() async throws -> ChartBars { isFile ? try file() : try await store() }

    private func file() throws -> ChartBars {
        let file = try CandleCSV(path: name)
        let title = URL(fileURLWithPath: name).deletingPathExtension().lastPathComponent
        guard let wanted = timeframe else {
            let own = try require(
                file.timeframe, "\(name): its candles are not evenly spaced; choose one with --timeframe.")
            return ChartBars(title: title, timeframe: own, candles: file.candles)
        }
        if let own = file.timeframe {
            try require(
                wanted.isMadeOf(own),
                "\(name) has \(own.rawValue) candles, from which \(wanted.rawValue) cannot be made; "
                    + "--timeframe can be \(Self.names(of: Timeframe.allCases.filter { $0.isMadeOf(own) })).")
        }
        return ChartBars(title: title, timeframe: wanted, candles: Self.join(file.candles, to: wanted))
    }

    private func store() async throws -> ChartBars {
        let directory = dataDirectory ?? DataDirectory.chosen()
        let acting = try DataDirectory.actAsOwner(of: directory)
        defer { acting.end() }
        let store = try await StoreChoice.open(directory, having: name)
        let wanted = timeframe ?? .m1
        let stored = try await store.timeframes(of: name)
        guard !stored.isEmpty else {
            let symbols = try await store.symbols()
            throw CommandFailure(
                66,
                "\(name) is neither a file nor a symbol of \(store.path), which has "
                    + (symbols.isEmpty ? "no candles yet." : "\(symbols.joined(separator: ", "))."))
        }
        // The stored series where there is one, else the coarsest from which it can be made.
        let source = try require(
            stored.last { $0 == wanted } ?? stored.last { wanted.isMadeOf($0) },
            "\(store.path) has \(Self.names(of: stored)) candles of \(name), from which \(wanted.rawValue) cannot be made."
        )
        var limit = Int(Int32.max)
        if bars > 0 {
            // One more, as the first bucket is cut off unless it happens to start there.
            let perBar = Int((wanted.seconds / source.seconds).rounded(.up)) + (wanted == .mo1 ? 2 : 0)
            limit = (bars + 1) * perBar
        }
        let candles = try await store.candles(symbol: name, timeframe: source, limit: limit)
        try await store.close()
        var joined = source == wanted ? candles : Self.join(candles, to: wanted)
        if bars > 0, joined.count > bars { joined.removeFirst(joined.count - bars) }
        return ChartBars(title: name, timeframe: wanted, candles: joined)
    }

    private static func join(_ candles: [Candle], to timeframe: Timeframe) -> [Candle] {
        var rollup = CandleRollup(to: timeframe)
        var joined = candles.compactMap { rollup.add($0) }
        if let last = rollup.forming { joined.append(last) }
        return joined
    }

    private static func names(of timeframes: [Timeframe]) -> String {
        timeframes.map(\.rawValue).joined(separator: ", ")
    }
}

/// Candles with what a chart must know beside them.
struct ChartBars {
    let title: String
    let timeframe: Timeframe
    /// Ascending, and all of them such that a chart shows them.
    let candles: [Candle]
    /// How many were left out because they lie before 1970, where the model's time begins.
    let tooEarly: Int

    init(title: String, timeframe: Timeframe, candles: [Candle]) {
        self.title = title
        self.timeframe = timeframe
        self.candles = candles.filter { $0.isWellFormed }
        tooEarly = candles.count - self.candles.count
    }

    /// "200 candles of 1m, 2024-02-29 12:34 to 2024-02-29 15:54 UTC"
    func summary(newest shown: Int) -> String {
        let shown = candles.suffix(shown)
        let left = tooEarly > 0 ? "; \(tooEarly) before 1970 left out" : ""
        guard let first = shown.first, let last = shown.last else { return "no candles\(left)" }
        let range = "\(Self.text(first.timestamp, timeframe)) to \(Self.text(last.timestamp, timeframe)) UTC"
        return "\(shown.count) of \(candles.count) candles of \(timeframe.rawValue), \(range)\(left)"
    }

    private static func text(_ timestamp: Double, _ timeframe: Timeframe) -> String {
        let text = TimeText.utc(timestamp)
        return String(text.dropLast(timeframe.seconds >= 86_400 ? 9 : timeframe.seconds < 60 ? 0 : 3))
    }
}
