import FinanceChartsKit
import HTTPTypes

/// The parameters of `GET /v1/chart.png`, `.svg`, `.pdf` and `.csv`: what a `CandlesQuery` has, but for its limit, and the
/// fields of a `ChartPicture`.
struct ChartQuery: Sendable {
    enum Format: Sendable, Equatable {
        case image(ImageFormat)
        case table

        /// How a file's name ends.
        var suffix: String { if case .image(let format) = self { format.rawValue } else { "csv" } }

        var contentType: String {
            switch self {
            case .image(.png): "image/png"
            case .image(.svg): "image/svg+xml"
            case .image(.pdf): "application/pdf"
            case .table: "text/csv; charset=utf-8"
            }
        }
    }

    /// Pixels of a picture: 4,000 x 4,000. More is a job for the command line.
    static let maxPixels = 16_000_000
    /// What the painter can do.
    static let maxPixelsPerSide = 32_767
    /// Bars of a picture or a table.
    static let maxBars = 9000
    /// Bars before the first one shown, so that studies have their values there.
    static let warmUp = 1000

    var format: Format
    var candles: CandlesQuery
    var picture = ChartPicture()

    /// - Parameter parameters: names and texts, in their order.
    init(_ format: Format, registry: MarketRegistry, parameters: [(name: String, text: String)]) throws(APIError) {
        self.format = format
        let data = ["symbol", "timeframe", "from", "to", "before"]
        for (name, text) in parameters where !data.contains(name) {
            do {
                try picture.set(name, text)
            } catch {
                let allowed = ChartPicture.fields.contains(name) || name == "study"
                throw .invalid(
                    error.field,
                    allowed
                        ? "Parameter \"\(name)\": \(error.description)"
                        : "Parameter \"\(name.prefix(40))\" is not known; allowed are \((data + ChartPicture.fields).joined(separator: ", "))."
                )
            }
        }
        let (width, height) = (picture.pixelWidth, picture.pixelHeight)
        guard width * height <= Self.maxPixels else {
            throw Self.tooLarge("pixel_ratio", width, height, "the maximum is \(Self.maxPixels) in all")
        }
        guard max(width, height) <= Self.maxPixelsPerSide else {
            throw Self.tooLarge("pixel_ratio", width, height, "the maximum on one side is \(Self.maxPixelsPerSide)")
        }
        guard (1...Self.maxBars).contains(picture.bars) else {
            throw .invalid("bars", "Parameter \"bars\" must be a whole number from 1 to \(Self.maxBars).")
        }
        let limit = picture.bars + Self.warmUp
        candles = try CandlesQuery(registry: registry) { name in
            name == "limit" ? String(limit) : parameters.last { $0.name == name }?.text
        }
        // From a time on: these bars and no later ones.
        if candles.isForward { candles.limit = picture.bars }
    }

    /// What the file costs, as `PaintCost` counts: each bar in the chart and in each study, and the pixels of a PNG.
    var units: Int {
        let bars = 8 * picture.bars * (1 + picture.studies.count)
        return format == .image(.png) ? bars + picture.pixelWidth * picture.pixelHeight / 50 : bars
    }

    static func tooLarge(_ field: String, _ width: Int, _ height: Int, _ rule: String) -> APIError {
        .invalid(field, "The picture would have \(width) x \(height) pixels; \(rule).")
    }
}
