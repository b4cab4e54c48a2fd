import FinanceChartsKit
import Foundation
import MarketFeeds

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Older bars over REST, one request a second at most, and no faster than the server says.
struct History {
    enum APIError: Error {
        case invalidURL
        case rateLimitExceeded
        case invalidResponse
    }

    private let base: String
    private let limiter = RESTRateLimiter()

    /// - Parameter base: `http://host:port`
    init(base: String) {
        self.base = base
    }

    /// - Parameter before: only bars that are older, for the next page.
    func candles(
        symbol: String, timeframe: Timeframe, limit: Int = 1000, before: Double? = nil
    ) async throws -> [Candle] {
        guard var address = URLComponents(string: base + "/v1/candles") else { throw APIError.invalidURL }
        address.queryItems = [
            URLQueryItem(name: "symbol", value: symbol),
            URLQueryItem(name: "timeframe", value: timeframe.rawValue),
            URLQueryItem(name: "limit", value: String(limit)),
        ]
        if let before { address.queryItems?.append(URLQueryItem(name: "before", value: String(before))) }
        guard let url = address.url else { throw APIError.invalidURL }

        try await limiter.acquire()
        let (data, response) = try await URLSession.shared.data(from: url)
        guard let response = response as? HTTPURLResponse else { throw APIError.invalidResponse }
        await limiter.answered(
            status: response.statusCode, retryAfter: response.value(forHTTPHeaderField: "Retry-After"))
        switch response.statusCode {
        case 200: return try JSONDecoder().decode([Candle].self, from: data)
        case 429: throw APIError.rateLimitExceeded
        default: throw APIError.invalidResponse
        }
    }
}
