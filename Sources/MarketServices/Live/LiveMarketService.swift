internal import MarketModel
internal import TradingCore

struct LiveMarketService<Mode: TradingMode>: MarketServiceProtocol {
    let rest: RESTClient
    let state: LiveState<Mode>

    var marketUpdates: ServiceStream<[MarketInfo]> { state.channels.markets.stream }

    func fetchMarkets() async throws(ServiceError) -> [MarketInfo] {
        try await rest.call("GET", ["v1", "markets"], as: MarketsDocument.self).markets
    }

    func fetchMarket(symbol: String) async throws(ServiceError) -> MarketInfo {
        try await rest.call("GET", ["v1", "markets", symbol])
    }

    func fetchCandles(_ request: CandlesRequest) async throws(ServiceError) -> [Candle] {
        let candles: [CandleDocument] = try await rest.call(
            "GET", ["v1", "candles"],
            query: [
                ("symbol", request.symbol), ("timeframe", request.timeframe.rawValue), ("limit", "\(request.limit)"),
                ("before", request.before.map { "\($0)" }),
            ])
        return candles.map(\.candle)
    }
}

/// A candle of `GET /v1/candles`.
struct CandleDocument: Decodable {
    var timestamp: Double
    var open: Double
    var high: Double
    var low: Double
    var close: Double
    var volume: Double

    var candle: Candle {
        Candle(timestamp: timestamp, open: open, high: high, low: low, close: close, volume: volume)
    }
}
