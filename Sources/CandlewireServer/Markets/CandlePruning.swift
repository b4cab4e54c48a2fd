import HistoryStore
import Logging
import MarketModel

/// Deletes candles that are older than the server keeps them: soon after the start, and then once an hour.
struct CandlePruning: Sendable {
    let store: CandleStore
    let retention: CandleRetention
    let logger: Logger

    private static let interval = Duration.seconds(3600)

    init(_ store: CandleStore, _ configuration: ServerConfiguration, _ logger: Logger) {
        self.store = store
        retention = configuration.candleRetention
        self.logger = logger
    }

    /// Until the task is cancelled.
    func run() async {
        guard retention != .keepAll else { return }
        while !Task.isCancelled {
            await prune()
            do { try await Task.sleep(for: Self.interval) } catch { return }
        }
    }

    func prune(now: Double = WallClock.now()) async {
        do {
            let report = try await store.prune(retention, now: now)
            if !report.doubtful.isEmpty {
                logger.warning(
                    "old candles are not deleted: the clock and the newest candle differ by more than they are kept",
                    metadata: [
                        "timeframes": "\(report.doubtful.map(\.rawValue).joined(separator: ","))",
                        "newest": "\(report.newest ?? 0)",
                    ])
            }
            guard report.count > 0 else { return }
            logger.notice(
                "old candles were deleted",
                metadata: [
                    "candles": "\(report.count)", "bytes_freed": "\(report.fileBytes.before - report.fileBytes.after)",
                    "bytes_reusable": "\(report.reusableBytes)",
                ])
        } catch {
            // The server stops.
            guard !Task.isCancelled else { return }
            logger.error("old candles cannot be deleted; it is tried again", metadata: ["error": "\(error)"])
        }
    }
}
