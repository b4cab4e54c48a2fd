public import MarketModel

/// Markets: what they are, what they cost, how they got there.
public protocol MarketServiceProtocol: Sendable {
    /// All markets in one element, each time prices were looked at (every two seconds by default). A slow listener gets
    /// the newest list only.
    var marketUpdates: ServiceStream<[MarketInfo]> { get }

    func fetchMarkets() async throws(ServiceError) -> [MarketInfo]
    /// - Throws: `ServiceError.notFound` for a symbol that is not known.
    func fetchMarket(symbol: String) async throws(ServiceError) -> MarketInfo
    /// Ascending; empty where there is nothing that old.
    func fetchCandles(_ request: CandlesRequest) async throws(ServiceError) -> [Candle]
}

extension MarketServiceProtocol {
    public func fetchCandles(
        symbol: String, timeframe: Timeframe, limit: Int = 1000, before: Double? = nil
    ) async throws(ServiceError) -> [Candle] {
        try await fetchCandles(CandlesRequest(symbol: symbol, timeframe: timeframe, limit: limit, before: before))
    }
}
