import FinanceChartsKit
import HTTPTypes

/// Draws charts for the REST interface. Small ones have a lane of their own and never wait behind large ones.
struct ChartRenderer: Sendable {
    /// Units of `PaintCost` of a small chart: a tenth of a second. A screen's chart has some ten thousand.
    static let maxSmallUnits = 100_000
    /// Bytes of a file.
    static let maxBytes = 32 << 20
    /// How long a picture may be painted, on a machine that has other things to do.
    static let timeLimit = Duration.seconds(10)

    static let lanes = ["small", "large"]
    private let small: RenderLane
    private let large: RenderLane

    init(counts: RequestCounts) {
        small = RenderLane(Self.lanes[0], maxJobs: 16, counts: counts)
        large = RenderLane(Self.lanes[1], maxJobs: 8, counts: counts)
    }

    /// A chart of candles, or their table.
    /// - Throws: `APIError` where too many wait, or the file is too large or takes too long; `CancellationError` where
    ///   the task was cancelled.
    func render(_ query: ChartQuery, _ candles: [Candle], symbol: String) async throws -> [UInt8] {
        try await lane(query.units).run { isCancelled in
            let timeframe = query.candles.timeframe
            switch query.format {
            case .table:
                var series = CandleSeries(capacity: max(candles.count, 1))
                series.replaceAll(with: candles)
                let newest = query.picture.bars > 0 ? query.picture.bars : nil
                return Array(BarsCSV.text(series, studies: query.picture.studies, newest: newest).utf8)
            case .image(let format):
                let picture = query.picture
                let size = PictureSize(
                    width: picture.pixelWidth, height: picture.pixelHeight, pixelRatio: picture.pixelRatio)
                let list = picture.list(candles, symbol: symbol, timeframe: timeframe)
                return try Self.file(list, size, as: format, isCancelled)
            }
        }
    }

    /// A picture that was laid out elsewhere.
    /// - Parameter units: what it costs.
    /// - Throws: as `render`.
    func paint(_ list: DisplayList, _ size: PictureSize, as format: ImageFormat, units: Int) async throws -> [UInt8] {
        try await lane(units).run { try Self.file(list, size, as: format, $0) }
    }

    private func lane(_ units: Int) -> RenderLane { units <= Self.maxSmallUnits ? small : large }

    private static func file(
        _ list: DisplayList, _ size: PictureSize, as format: ImageFormat, _ isCancelled: @escaping @Sendable () -> Bool
    ) throws -> [UInt8] {
        #if os(Linux)
            let end = ContinuousClock.now + timeLimit
            let budget = PaintBudget(maxBytes: maxBytes) { isCancelled() || ContinuousClock.now > end }
            do {
                return try CairoPainter(width: size.width, height: size.height, pixelRatio: size.pixelRatio)
                    .image(list, as: format, within: budget)
            } catch {
                switch error.reason {
                case .failed: throw error
                case .tooManyBytes:
                    throw APIError(
                        .unprocessableContent, "too_complex", "The file would have more than \(maxBytes) bytes.")
                case .stopped:
                    if isCancelled() { throw CancellationError() }
                    throw APIError(
                        .serviceUnavailable, "busy", "The picture was not finished within \(timeLimit).", retryAfter: 1)
                }
            }
        #else
            throw APIError(
                .notImplemented, "no_painter", "This server has no painter for pictures; it writes /v1/chart.csv.")
        #endif
    }
}
