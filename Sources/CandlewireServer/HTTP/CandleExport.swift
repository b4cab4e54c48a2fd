import FinanceChartsKit
import HTTPTypes
import HistoryStore
import Hummingbird
import Logging
import MarketModel
import NIOCore
import Synchronization

/// `GET /v1/candles.csv`: the stored candles of a market in a stretch of time of any length, as `candlewire export` writes them.
///
/// They leave a page at a time, as fast as the client reads: millions need no more memory than thousands. An answer that cannot be
/// finished ends without its last chunk, so that the client knows.
struct CandleExport: Sendable {
    /// Exports at the same time. Each has a page in memory, and another in its connection.
    static let maximum = 4
    /// As many requests as it counts as.
    static let cost = 100.0
    private static let pageRows = 4_000

    let reader: CandlesReader
    let logger: Logger
    private let running = Running()

    init(reader: CandlesReader, logger: Logger) {
        self.reader = reader
        self.logger = logger
    }

    private final class Running: Sendable {
        let count = Atomic(0)
    }

    /// One export, counted until its answer is over, or dropped because it was for `HEAD`.
    private final class Place: Sendable {
        private let running: Running

        init(_ running: Running) throws(APIError) {
            guard running.count.add(1, ordering: .relaxed).newValue <= CandleExport.maximum else {
                running.count.subtract(1, ordering: .relaxed)
                throw APIError(
                    .serviceUnavailable, "busy",
                    "\(CandleExport.maximum) exports are running, the most at the same time; try again later.",
                    retryAfter: 5)
            }
            self.running = running
        }

        deinit { running.count.subtract(1, ordering: .relaxed) }
    }

    /// - Parameter query: its limit does not count.
    func answer(_ query: CandlesQuery) async throws -> Response {
        let place = try Place(running)
        let end = min(query.before ?? .infinity, query.to?.nextUp ?? .infinity)
        let stored = try await reader.waitForStore(query, before: end)
        let symbol = reader.core.registry.markets[query.market].symbol
        let body = ResponseBody { [reader, logger] writer in
            defer { withExtendedLifetime(place) {} }
            let table = CandleTable()
            do {
                try await writer.write(ByteBuffer(string: CandleTable.header))
                try await reader.store.forEachPage(
                    symbol: stored, timeframe: query.timeframe, from: query.from ?? -.infinity, before: end,
                    rows: Self.pageRows
                ) { page in try await writer.write(ByteBuffer(string: table.text(page))) }
                try await writer.finish(nil)
            } catch let error as StoreError {
                logger.error(
                    "an export of candles was not finished", metadata: ["symbol": "\(symbol)", "error": "\(error)"])
                throw error
            }
        }
        let name = "\(Self.fileName(symbol))-\(query.timeframe.rawValue).csv"
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/csv; charset=utf-8", .cacheControl: "no-store",
                .contentDisposition: "attachment; filename=\"\(name)\"",
            ], body: body)
    }

    /// A symbol without what the name of a file cannot have: `kraken:BTC/USD` is `kraken-BTC-USD`.
    private static func fileName(_ symbol: String) -> String {
        String(symbol.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
    }
}
