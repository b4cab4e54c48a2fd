import FinanceChartsKit
import HTTPTypes
import Hummingbird
import NIOCore

extension Routes {
    /// Bytes of a list. A chart's has some ten thousand; one with every candle of a wide screen some hundred thousand.
    private static let maxBytes = 4 << 20

    func addPictures(of reader: CandlesReader, to routes: inout RouteTable) {
        let renderer = ChartRenderer(counts: operations.requests)
        // The candles that `/v1/candles` has, drawn or with studies.
        for format in ImageFormat.allCases.map(ChartQuery.Format.image) + [.table] {
            routes.on(.get, "v1/chart.\(format.suffix)", .markets) { [registry = core.registry] request in
                let parameters = request.request.uri.queryParameters.map {
                    (name: String($0.key), text: String($0.value))
                }
                let query = try ChartQuery(format, registry: registry, parameters: parameters)
                try request.spend(.renderings, Self.renderings(query.units))
                let candles = try await reader.read(query.candles)
                let symbol = registry.markets[query.candles.market].symbol
                let bytes = try await ConnectionEnd.cancelling {
                    try await renderer.render(query, candles, symbol: symbol)
                }
                return .file(bytes, type: format.contentType)
            }
        }
        // A file of the display list in the body, which is what a page has on screen, drawings and all: the words of
        // `DisplayList`, little-endian. No PNG: a page has its pixels.
        for format in [ImageFormat.svg, .pdf] {
            routes.on(.post, "v1/picture.\(format.rawValue)", .markets) { request in
                let size = try PictureSize(request.query)
                let body = try await request.bytes(
                    atMost: Self.maxBytes, "too_large", "A display list has", field: "body")
                let (list, units) = try Self.list(body, size)
                try request.spend(.renderings, Self.renderings(units))
                let bytes = try await ConnectionEnd.cancelling {
                    try await renderer.paint(list, size, as: format, units: units)
                }
                return .file(bytes, type: ChartQuery.Format.image(format).contentType)
            }
        }
    }

    /// How many small pictures it counts as.
    private static func renderings(_ units: Int) -> Double {
        max(1, Double(units) / Double(ChartRenderer.maxSmallUnits))
    }

    /// The list in a body, and the units it costs.
    /// - Throws: `APIError` that names the word that is no command, or exceeds a limit.
    private static func list(_ body: ByteBuffer, _ size: PictureSize) throws(APIError) -> (DisplayList, units: Int) {
        let words = body.withUnsafeReadableBytes { bytes in
            (0..<bytes.count / 4).map {
                UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self))
            }
        }
        let list = DisplayList(words: words)
        let cost: PaintCost
        do {
            cost = try PaintCost(list, width: size.width, height: size.height)
        } catch {
            throw APIError(.unprocessableContent, "too_complex", error.description, field: "body")
        }
        // Reading stops at the first word that is no command: all of them have to be.
        guard !words.isEmpty, body.readableBytes % 4 == 0, cost.words == words.count else {
            throw APIError.invalid("body", "The body is not a valid display list: word \(cost.words) is not a command.")
        }
        return (list, cost.units)
    }
}

/// `width` and `height` in device pixels, and `pixel_ratio`.
struct PictureSize: Sendable, Equatable {
    static let sides = 1...8000
    static let ratios = 0.5...8

    var width: Int
    var height: Int
    var pixelRatio: Double

    init(width: Int, height: Int, pixelRatio: Double) {
        self.width = width
        self.height = height
        self.pixelRatio = pixelRatio
    }

    /// - Parameter parameter: the text of a parameter by its name.
    init(_ parameter: (String) -> String?) throws(APIError) {
        width = try Self.number("width", parameter, in: Self.sides)
        height = try Self.number("height", parameter, in: Self.sides)
        pixelRatio = try Self.number("pixel_ratio", parameter, in: Self.ratios)
        guard width * height <= ChartQuery.maxPixels else {
            throw ChartQuery.tooLarge("width", width, height, "the maximum is \(ChartQuery.maxPixels) in all")
        }
    }

    private static func number<Number: LosslessStringConvertible & Comparable>(
        _ name: String, _ parameter: (String) -> String?, in range: ClosedRange<Number>
    ) throws(APIError) -> Number {
        guard let number = parameter(name).flatMap(Number.init), range.contains(number)
        else {
            throw .invalid(name, "Parameter \"\(name)\" must be from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }
}
