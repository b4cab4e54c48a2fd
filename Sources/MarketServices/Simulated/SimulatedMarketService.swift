internal import MarketModel

struct SimulatedMarketService: MarketServiceProtocol {
    let link: SimulatedLink

    var marketUpdates: ServiceStream<[MarketInfo]> { link.channels.markets.stream }

    func fetchMarkets() async throws(ServiceError) -> [MarketInfo] {
        try await link.travel()
        return await link.world.marketInfos()
    }

    func fetchMarket(symbol: String) async throws(ServiceError) -> MarketInfo {
        try await link.travel()
        return try await link.world.marketInfo(symbol)
    }

    func fetchCandles(_ request: CandlesRequest) async throws(ServiceError) -> [Candle] {
        try await link.travel()
        return try await link.world.candles(request)
    }
}
