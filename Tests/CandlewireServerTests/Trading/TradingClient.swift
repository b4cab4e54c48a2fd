import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// REST requests about trading, with JSON as dictionaries: the tests read what is on the wire.
struct TradingClient {
    let server: RunningServer

    struct Answer {
        var status: Int
        var json: [String: Any]
        /// The header.
        var retryAfter: String?

        subscript(name: String) -> Any? { json[name] }
        func text(_ name: String) -> String? { json[name] as? String }
        func list(_ name: String) -> [[String: Any]] { json[name] as? [[String: Any]] ?? [] }
        var errorCode: String? { (json["error"] as? [String: Any])?["code"] as? String }
        var errorField: String? { (json["error"] as? [String: Any])?["field"] as? String }
        var errorRetryAfter: Double? { (json["error"] as? [String: Any])?["retry_after"] as? Double }
        var errorMessage: String { (json["error"] as? [String: Any])?["message"] as? String ?? "" }
    }

    func send(_ method: String, _ path: String, _ body: [String: Any]? = nil, headers: [String: String] = [:])
        async throws -> Answer
    {
        var request = URLRequest(url: URL(string: "http://127.0.0.1:\(server.port)\(path)")!)
        request.httpMethod = method
        request.timeoutInterval = 60
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        if let body {
            request.httpBody = try JSONSerialization.data(withJSONObject: body)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        let (data, response) = try await URLSession.shared.data(for: request)
        let json = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        let http = response as? HTTPURLResponse
        return Answer(
            status: http?.statusCode ?? 0, json: json ?? [:],
            retryAfter: http?.value(forHTTPHeaderField: "Retry-After"))
    }

    func get(_ path: String) async throws -> Answer { try await send("GET", path) }

    /// Waits until the market has a price.
    func waitForTrade(_ symbol: String) async throws -> Double {
        for _ in 0..<1200 {
            if let price = try await get("/v1/markets/\(symbol)")["price"] as? Double,
                let health = try await get("/health")["ticks"] as? [String: Any], health["accepted"] as? Int ?? 0 > 50
            {
                return price
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw RunningServer.NeverStarted()
    }

    func place(_ id: String, _ more: [String: Any]) async throws -> Answer {
        let basis: [String: Any] = [
            "client_order_id": id, "symbol": "BTC-USD", "side": "buy", "type": "market", "quantity": "0.01",
        ]
        return try await send("POST", "/v1/orders", basis.merging(more) { $1 })
    }

    /// Requests an order until it is in one of these states.
    func wait(for order: String, _ states: Set<String>) async throws -> Answer {
        for _ in 0..<1200 {
            let answer = try await get("/v1/orders/\(order)")
            if states.contains(answer.text("status") ?? "") { return answer }
            try await Task.sleep(for: .milliseconds(50))
        }
        Issue.record("\(order) does not become one of \(states)")
        throw RunningServer.NeverStarted()
    }
}
