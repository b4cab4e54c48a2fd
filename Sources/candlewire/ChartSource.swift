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

    func load() async throws -> ChartBars {
        isFile ? try file() : try await store()
    }

    private func file() throws -> ChartBars {
        let file = try CandleCSV(path: name)
        let title = URL(fileURLWithPath: name).deletingPathExtension().lastPathComponent
        guard let wanted = timeframe else {
            guard let own = file.timeframe else {
                throw CommandFailure.usage(
                    "\(name): its candles have no usual distance; choose one with --timeframe.")
            }
            return ChartBars(title: title, timeframe: own, candles: file.candles)
        }
        if let own = file.timeframe, !wanted.isMadeOf(own) {
            throw CommandFailure.usage(
                "\(name) has \(own.rawValue) candles, from which \(wanted.rawValue) cannot be made; "
                    + "--timeframe can be \(Self.names(of: Timeframe.allCases.filter { $0.isMadeOf(own) })).")
        }
        return ChartBars(title: title, timeframe: wanted, candles: Self.join(file.candles, to: wanted))
    }

    private func store() async throws -> ChartBars {
        let store = try await StoreChoice.open(dataDirectory ?? DataDirectory.userDefault(), having: name)
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
        guard let source = stored.last(where: { $0 == wanted }) ?? stored.last(where: { wanted.isMadeOf($0) }) else {
            throw CommandFailure.usage(
                "\(store.path) has \(Self.names(of: stored)) candles of \(name), from which \(wanted.rawValue) cannot "
                    + "be made.")
        }
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
