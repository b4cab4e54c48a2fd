import ArgumentParser
import FinanceChartsKit
import Foundation
import HistoryStore
import MarketFeeds
import MarketModel

extension DataDirectory {
    /// `CANDLEWIRE_DATA_DIR`, else the user's: as `serve` finds it, but for a configuration file.
    static func chosen() -> String {
        let variable = ProcessInfo.processInfo.environment["CANDLEWIRE_DATA_DIR"]
        return variable.flatMap { $0.isEmpty ? nil : $0 } ?? userDefault()
    }
}

/// Where candles are kept.
struct StoreOptions: ParsableArguments {
    @Option("Data folder. Default: CANDLEWIRE_DATA_DIR, else the user's.", "dir") var dataDir: String?

    var directory: String { dataDir ?? DataDirectory.chosen() }

    /// Where candles of venues are kept.
    var liveDirectory: String { DataDirectory.live(directory) }

    /// Opens the store to write, for this process alone: a running server keeps its directory to itself. Open files that only
    /// root can read first.
    /// - Parameter isLive: the one of real markets.
    func openToWrite(isLive: Bool = false) throws -> (store: CandleStore, lock: DirectoryLock) {
        try require(!directory.isEmpty, "The data directory must not be empty.")
        try DataDirectory.actAsOwner(of: directory)
        let directory = isLive ? liveDirectory : directory
        try DataDirectory.create(directory)
        let lock = try DirectoryLock(directory)
        return (try CandleStore(directory: directory), lock)
    }
}

extension CandleStore {
    /// Closes the store after `body`, also where that throws.
    func closing<Value>(after body: () async throws -> Value) async throws -> Value {
        let value: Value
        do { value = try await body() } catch {
            try? await close()
            throw error
        }
        try await close()
        return value
    }
}

/// Which stretch of time is meant.
struct PeriodOptions: ParsableArguments {
    @Option("Where it begins: a date, date and time, or Unix time, such as 2024-08-08 or \"2024-08-08 12:00\".", "time")
    var from: String?

    @Option("Where it ends, itself not included.", "time") var to: String?

    /// - Parameter zone: the time zone of times without one.
    func times(zone: CSVZone = .utc) throws -> (from: Double?, to: Double?) {
        let begin = try from.map { try Self.time($0, "--from", zone) }
        let end = try to.map { try Self.time($0, "--to", zone) }
        if let begin, let end { try require(begin < end, "--to \(to ?? "") is not after --from \(from ?? "").") }
        return (begin, end)
    }

    private static func time(_ text: String, _ flag: String, _ zone: CSVZone) throws -> Double {
        try require(
            CSVTimeFormat.time(text, zone: zone),
            "\(flag) “\(text)” is not a time; it is a date (2024-08-08), a date and time (\"2024-08-08 12:00\", "
                + "2024-08-08T12:00Z) or a Unix time.")
    }
}

/// Which market of which venue is meant, and where the venue is.
struct VenueOptions: ParsableArguments {
    @Argument(
        "The market, as coinbase:BTC-USD or kraken:BTC/USD, or provider:FILE:SYMBOL of a provider by its configuration.",
        "VENUE:SYMBOL")
    var market: String

    @Option(help: "Timeframe: \(ChartCommand.timeframes).", transform: ChartCommand.timeframe)
    var timeframe: Timeframe = .m1

    @Option("Where the venue's REST interface is, instead of its own address: http://host[:port].", "url")
    var url: String?

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "The name in the store of real markets. Default: VENUE:SYMBOL, as the server has it.", valueName: "symbol"))
    var storedAs: String?

    @OptionGroup var access: CredentialsOptions

    /// What is meant by all of this.
    struct Resolved {
        var history: VenueHistory
        /// As the venue has it.
        var symbol: String
        /// Behind its feed's name.
        var title: String
        /// The market's name in the store.
        var stored: String
    }

    func resolved() throws -> Resolved {
        let parts = market.split(separator: ":", maxSplits: 1).map(String.init)
        if parts.first == Venue.provider.rawValue { return try provided() }
        let names = HistoryCatalogue.names.joined(separator: ", ")
        try require(
            parts.count == 2 && !parts[1].isEmpty && parts[1].utf8.allSatisfy { $0 > 32 && $0 != 127 },
            "“\(market)” is not a market; use VENUE:SYMBOL, for example coinbase:BTC-USD. The venues are \(names).")
        let adapter = try require(
            HistoryCatalogue.adapter(named: parts[0]),
            "\(FeedOutline.withoutHistory(parts[0])) The venues whose history can be fetched are \(names), and "
                + "provider:FILE.")
        let key = FeedCatalogue.adapter(named: parts[0])?.credentialsName
        return try resolved(
            adapter, headers: key.map { adapter.headers(try access.required($0)) } ?? [], symbol: parts[1],
            title: market)
    }

    private func provided() throws -> Resolved {
        guard case .provider(let configuration, let symbols) = try FeedSpecification(market), symbols.count == 1 else {
            throw CommandFailure.usage("“\(market)” is not one market; it is provider:FILE:SYMBOL.")
        }
        let token = configuration.tokenVariable.flatMap { ProcessInfo.processInfo.environment[$0] }
        let provider = try ProviderAdapter(configuration, token: token)
        let adapter = try require(
            provider.history, "\(provider.title) has no history: \"history\" of its configuration is null.")
        return try resolved(
            adapter, headers: provider.historyHeaders, symbol: symbols[0], title: "\(provider.name):\(symbols[0])")
    }

    private func resolved(
        _ adapter: any HistoryAdapter, headers: @autoclosure () throws -> [FeedHeader], symbol: String, title: String
    ) throws -> Resolved {
        try require(
            adapter.timeframes.contains(timeframe),
            "\(adapter.name) has no \(timeframe.rawValue) candles; --timeframe can be "
                + "\(adapter.timeframes.map(\.rawValue).joined(separator: ", ")).")
        return Resolved(
            history: try VenueHistory(adapter, base: url, headers: headers()), symbol: symbol, title: title,
            stored: storedAs ?? title)
    }
}

/// Which store of a data directory has a symbol: that of the simulated exchange and of imports, that of real markets, or
/// that of the last replay.
enum StoreChoice {
    /// - Returns: the first that has candles of the symbol; where none has, the first that is there.
    /// - Throws: `StoreError` where there is none, or the directory's own cannot be read. The others are looked at only where
    ///   that one lacks the symbol, and one that cannot be read has nothing.
    static func open(_ directory: String, having symbol: String) async throws -> CandleStore {
        let own: CandleStore?
        do throws(StoreError) { own = try CandleStore(directory: directory, mustExist: true) } catch {
            guard error.code == .missing else { throw error }
            own = nil
        }
        if let own, try await !own.timeframes(of: symbol).isEmpty { return own }
        let others = [DataDirectory.live(directory), directory + "/replay"]
        for place in others {
            guard let store = try? CandleStore(directory: place, mustExist: true) else { continue }
            if let timeframes = try? await store.timeframes(of: symbol), !timeframes.isEmpty {
                try await own?.close()
                return store
            }
            try? await store.close()
        }
        if let own { return own }
        for place in others {
            if let store = try? CandleStore(directory: place, mustExist: true) { return store }
        }
        return try CandleStore(directory: directory, mustExist: true)
    }
}
