import FinanceChartsKit
import HTTPTypes
import Hummingbird
import NIOCore

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
