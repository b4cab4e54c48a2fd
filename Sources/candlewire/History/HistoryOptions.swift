import ArgumentParser
import FinanceChartsKit
import HistoryStore

/// Where candles are kept.
struct StoreOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Where the store is. Default: the user's data folder.", valueName: "dir"))
    var dataDir: String?

    var directory: String { dataDir ?? DataDirectory.userDefault() }

    /// Where candles of venues are kept.
    var liveDirectory: String { DataDirectory.live(directory) }

    /// Opens the store to write, for this process alone: a running server keeps its directory to itself.
    /// - Parameter isLive: the one of real markets.
    func openToWrite(isLive: Bool = false) throws -> (store: CandleStore, lock: DirectoryLock) {
        guard !directory.isEmpty else { throw CommandFailure.usage("The data directory must not be empty.") }
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
        do {
            value = try await body()
        } catch {
            try? await close()
            throw error
        }
        try await close()
        return value
    }
}

/// Which stretch of time is meant.
struct PeriodOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where it begins: a date, date and time, or Unix time, such as 2024-08-08 or \"2024-08-08 12:00\".",
            valueName: "time"))
    var from: String?

    @Option(help: ArgumentHelp("Where it ends, itself not included.", valueName: "time"))
    var to: String?

    /// - Parameter zone: the time zone of times without one.
    func times(zone: CSVZone = .utc) throws -> (from: Double?, to: Double?) {
        let begin = try from.map { try Self.time($0, "--from", zone) }
        let end = try to.map { try Self.time($0, "--to", zone) }
        if let begin, let end, begin >= end {
            throw CommandFailure.usage("--to \(to ?? "") is not after --from \(from ?? "").")
        }
        return (begin, end)
    }

    private static func time(_ text: String, _ flag: String, _ zone: CSVZone) throws -> Double {
        guard let time = CSVTimeFormat.time(text, zone: zone) else {
            throw CommandFailure.usage(
                "\(flag) “\(text)” is not a time; it is a date (2024-08-08), a date and time (\"2024-08-08 12:00\", "
                    + "2024-08-08T12:00Z) or a Unix time.")
        }
        return time
    }
}
