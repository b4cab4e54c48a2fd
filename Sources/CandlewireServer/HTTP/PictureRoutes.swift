import FinanceChartsKit
import HTTPTypes
import Hummingbird
import NIOCore

/// `POST /v1/picture.svg` and `.pdf`: a file of the display list in the body, which is what a page has on screen,
/// drawings and all. The words of `DisplayList`, little-endian.
///
/// No PNG: a page has its pixels, and in a vector format no list costs more than its bytes.
struct PictureRoutes: Sendable {
    /// Bytes of a list. A chart's has some ten thousand; one with every candle of a wide screen some hundred thousand.
    static let mostBytes = 4 << 20

    let renderer: ChartRenderer

    func add(to router: Router<BasicRequestContext>) {
        for format in [ImageFormat.svg, .pdf] {
            router.post("v1/picture.\(format.rawValue)") { [renderer] request, _ in
                try await JSONResponse.answer {
                    let parameters = request.uri.queryParameters
                    let size = try PictureSize { name in parameters[name[...]].map(String.init) }
                    var request = request
                    let list = try await Self.list(&request)
                    let bytes = try await renderer.paint(list, size, as: format)
                    return ChartQuery.Format.image(format).response(bytes)
                }
            }
        }
    }

    private static func list(_ request: inout Request) async throws -> DisplayList {
        let body: ByteBuffer
        do {
            body = try await request.collectBody(upTo: mostBytes)
        } catch is NIOTooManyBytesError {
            throw APIError(
                status: .contentTooLarge, code: "too_large",
                message: "A display list has at most \(mostBytes) bytes.", field: "body")
        }
        let words = body.withUnsafeReadableBytes { bytes in
            (0..<bytes.count / 4).map {
                UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self))
            }
        }
        let list = DisplayList(words: words)
        // Reading stops at the first word that is no command: all of them have to be.
        let length = list.commands.reduce(0) { $0 + $1.operands.count + 1 }
        guard !words.isEmpty, body.readableBytes % 4 == 0, length == words.count else {
            throw APIError.invalid("body", "The body is no display list: word \(length) is no command.")
        }
        return list
    }
}

/// `width` and `height` in device pixels, and `pixel_ratio`.
struct PictureSize: Sendable, Equatable {
    static let sides = 1...8000
    static let ratios = 0.5...8

    var width: Int
    var height: Int
    var pixelRatio: Double

    /// - Parameter parameter: the text of a parameter by its name.
    init(_ parameter: (String) -> String?) throws(APIError) {
        width = try Self.number("width", parameter, in: Self.sides)
        height = try Self.number("height", parameter, in: Self.sides)
        pixelRatio = try Self.number("pixel_ratio", parameter, in: Self.ratios)
        guard width * height <= ChartQuery.mostPixels else {
            throw .invalid(
                "width",
                "The picture would have \(width) x \(height) pixels; \(ChartQuery.mostPixels) in all is the most.")
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

/// `GET /v1/chart.png`, `.svg`, `.pdf` and `.csv`: the candles that `/v1/candles` has, drawn or with studies.
struct ChartRoutes: Sendable {
    let core: MarketCore
    let reader: CandlesReader
    let renderer: ChartRenderer

    func add(to router: Router<BasicRequestContext>) {
        for format in ImageFormat.allCases { add("v1/chart.\(format.rawValue)", .image(format), to: router) }
        add("v1/chart.csv", .table, to: router)
    }

    private func add(_ path: String, _ format: ChartQuery.Format, to router: Router<BasicRequestContext>) {
        router.get(RouterPath(path)) { [core, reader, renderer] request, _ in
            try await JSONResponse.answer {
                let parameters = request.uri.queryParameters.map { (name: String($0.key), text: String($0.value)) }
                let query = try ChartQuery(format, registry: core.registry, parameters: parameters)
                let candles = try await reader.read(query.candles)
                let symbol = core.registry.markets[query.candles.market].symbol
                let bytes = try await renderer.render(query, candles, symbol: symbol)
                return format.response(bytes)
            }
        }
    }
}

extension ChartQuery.Format {
    /// The answer with a file's bytes.
    func response(_ bytes: [UInt8]) -> Response {
        Response(
            status: .ok, headers: [.contentType: contentType, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
