import FinanceChartsKit
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

enum APIError: LocalizedError {
    case invalidURL
    case rateLimitExceeded
    case invalidResponse

    var errorDescription: String? {
        switch self {
        case .invalidURL: "the address of the API is none"
        case .rateLimitExceeded: "too many requests"
        case .invalidResponse: "the answer of the API has no candles"
        }
    }
}

@MainActor
final class HistoryLoader {
    private let base: String
    private let limiter: RateLimiter

    /// - Parameter base: `https://host`
    init(base: String, limiter: RateLimiter) {
        self.base = base
        self.limiter = limiter
    }

    func candles(symbol: String, timeframe: Timeframe, limit: Int = 1000) async throws -> [Candle] {
        guard var address = URLComponents(string: base + "/v1/candles"), address.host != nil else {
            throw APIError.invalidURL
        }
        address.queryItems = [
            URLQueryItem(name: "symbol", value: symbol),
            URLQueryItem(name: "timeframe", value: timeframe.rawValue),
            URLQueryItem(name: "limit", value: String(limit)),
        ]
        guard let url = address.url else { throw APIError.invalidURL }
        let (data, status) = try await limiter.run {
            let (data, response) = try await URLSession.shared.data(from: url)
            return (data, (response as? HTTPURLResponse)?.statusCode)
        }
        if status == 429 { throw APIError.rateLimitExceeded }
        guard status == 200, let candles = try? JSONDecoder().decode([Candle].self, from: data) else {
            throw APIError.invalidResponse
        }
        return candles
    }
}

extension WebSocketProvider {
    /// Bars that a snapshot brought are newer than the answer, so that history only adds older ones to them.
    func loadHistory() async {
        guard let history else { return }
        let key = builderKey
        do {
            let candles = try await history.candles(
                symbol: chartController.symbol, timeframe: chartController.timeframe)
            guard key == builderKey else { return }
            if chartController.totalCandleCount == 0 {
                chartController.setData(candles)
                seedBuilder()
            } else {
                chartController.prepend(candles)
            }
        } catch {
            log("no history: \(error.localizedDescription)")
        }
    }
}
