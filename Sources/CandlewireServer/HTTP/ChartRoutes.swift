import FinanceChartsKit
import HTTPTypes
import Hummingbird
import NIOCore

/// `GET /v1/chart.png`, `.svg`, `.pdf` and `.csv`: the candles that `/v1/candles` has, drawn or with studies.
struct ChartRoutes: Sendable {
    let core: MarketCore
    let reader: CandlesReader
    private let renderer = ChartRenderer()

    init(core: MarketCore, reader: CandlesReader) {
        self.core = core
        self.reader = reader
    }

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
                return Response(
                    status: .ok, headers: [.contentType: format.contentType, .cacheControl: "no-store"],
                    body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
            }
        }
    }
}
