import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The symbols of a candlewire server.
enum MarketNames {
    /// Where a stream's server lists its markets: `ws://host/v1/stream` has them at `http://host/v1/markets`.
    static func address(ofStream url: String) -> URL? {
        guard var components = URLComponents(string: url), let host = components.host, !host.isEmpty else { return nil }
        switch components.scheme?.lowercased() {
        case "ws": components.scheme = "http"
        case "wss": components.scheme = "https"
        default: return nil
        }
        components.path = "/v1/markets"
        components.query = nil
        components.fragment = nil
        return components.url
    }

    /// - Returns: none where the server has no such list or cannot be reached within 5 s: the stream decides then.
    static func fetch(ofStream url: String) async -> [String] {
        struct Document: Decodable {
            struct Market: Decodable { var symbol: String }
            var markets: [Market]
        }
        guard let address = address(ofStream: url) else { return [] }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 5
        let session = URLSession(configuration: configuration)
        defer { session.finishTasksAndInvalidate() }
        guard let (body, response) = try? await session.data(from: address),
            (response as? HTTPURLResponse)?.statusCode == 200,
            let document = try? JSONDecoder().decode(Document.self, from: body)
        else { return [] }
        return document.markets.map(\.symbol)
    }
}
