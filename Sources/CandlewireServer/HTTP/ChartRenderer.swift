import FinanceChartsKit
import Hummingbird
import Synchronization

/// Draws charts for the REST interface, one at a time: a picture needs a core for some ten milliseconds, and the server
/// has other things to do with the others.
actor ChartRenderer {
    /// How many may wait; more are refused and may retry.
    static let maxWaiting = 16

    private let waiting = Atomic(0)

    /// A chart of candles, or their table.
    /// - Throws: `APIError` 503 where too many wait already.
    nonisolated func render(_ query: ChartQuery, _ candles: [Candle], symbol: String) async throws -> [UInt8] {
        try await inTurn { try Self.draw(query, candles, symbol: symbol) }
    }

    /// A picture that was laid out elsewhere.
    /// - Throws: `APIError` 503 where too many wait already.
    nonisolated func paint(_ list: DisplayList, _ size: PictureSize, as format: ImageFormat) async throws -> [UInt8] {
        try await inTurn {
            #if os(Linux)
                let painter = try CairoPainter(width: size.width, height: size.height, pixelRatio: size.pixelRatio)
                return try painter.image(list, as: format)
            #else
                throw Self.noPainter
            #endif
        }
    }

    private nonisolated func inTurn(_ work: @Sendable () throws -> [UInt8]) async throws -> [UInt8] {
        defer { waiting.subtract(1, ordering: .relaxed) }
        guard waiting.add(1, ordering: .relaxed).newValue <= Self.maxWaiting else {
            throw APIError(.serviceUnavailable, "busy", "Too many charts are being drawn; try again in a second.")
        }
        return try await run(work)
    }

    private func run(_ work: @Sendable () throws -> [UInt8]) throws -> [UInt8] { try work() }

    private static func draw(_ query: ChartQuery, _ candles: [Candle], symbol: String) throws -> [UInt8] {
        let timeframe = query.candles.timeframe
        switch query.format {
        case .table:
            var series = CandleSeries(capacity: max(candles.count, 1))
            series.replaceAll(with: candles)
            let newest = query.picture.bars > 0 ? query.picture.bars : nil
            return Array(BarsCSV.text(series, studies: query.picture.studies, newest: newest).utf8)
        case .image(let format):
            #if os(Linux)
                return try query.picture.encoded(candles, symbol: symbol, timeframe: timeframe, as: format)
            #else
                throw noPainter
            #endif
        }
    }

    #if !os(Linux)
        private static let noPainter = APIError(
            .notImplemented, "no_painter", "This server has no painter for pictures; it writes /v1/chart.csv.")
    #endif
}
