import Foundation
import WebSocketTransport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A candlewire server's REST interface for trading.
struct TradingServer {
    struct Answer {
        var status: Int
        var body: Data
        /// Whether an earlier try may have reached the server, too.
        var wasRepeated: Bool

        /// The document as it came, with one line end.
        var text: String {
            let text = String(decoding: body, as: UTF8.self)
            return text.hasSuffix("\n") ? text : text + "\n"
        }

        func decoded<Document: Decodable>(_ type: Document.Type) throws -> Document {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            do {
                return try decoder.decode(type, from: body)
            } catch {
                let field =
                    switch error {
                    case DecodingError.keyNotFound(let key, _): "it has no \(key.stringValue)"
                    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
                        "\(context.codingPath.map(\.stringValue).joined(separator: ".")) is of another kind"
                    default: "it is no JSON"
                    }
                throw TradingFailure(
                    description: "The server's answer cannot be understood: \(field). --json shows it.", exitCode: 76)
            }
        }
    }

    /// How often a request is sent, and the seconds between: the first pause, twice that, up to the longest.
    private static let attempts = 3
    private static let firstPause = 1.0
    private static let longestPause = 10.0

    let address: ServerAddress
    private let token: String?
    private let session: URLSession

    /// - Parameters:
    ///   - token: what the server asks for, where it does.
    ///   - timeout: seconds for an answer.
    init(_ address: ServerAddress, token: String?, timeout: Double) {
        self.address = address
        self.token = token
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = timeout
        session = URLSession(configuration: configuration)
    }

    func get(_ path: [String], _ query: [(name: String, value: String)] = []) async throws -> Answer {
        try await send("GET", path, query)
    }

    /// Sends a request, again where the answer got lost or the server says that it cannot right now. So a request must do
    /// nothing more when it comes a second time: it reads, it sets, or it carries an id by which the server knows it.
    /// - Throws: `TradingFailure`, also for an answer that is no success.
    func send(
        _ method: String, _ path: [String], _ query: [(name: String, value: String)] = [], body: RequestBody? = nil
    ) async throws -> Answer {
        guard let url = address.url(path, query) else {
            throw TradingFailure.usage("\(address.base) and \(path.joined(separator: "/")) make no address.")
        }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.setValue(UUID().uuidString, forHTTPHeaderField: "X-Correlation-ID")
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        if let body {
            request.httpBody = try body.data()
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        var pause = Self.firstPause
        var wasLost = false
        for attempt in 1... {
            let isLast = attempt == Self.attempts
            do {
                let (data, response) = try await session.data(for: request)
                guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
                guard response.statusCode == 503, !isLast else {
                    return try accept(Answer(status: response.statusCode, body: data, wasRepeated: wasLost))
                }
                let wish = response.value(forHTTPHeaderField: "Retry-After").flatMap {
                    RetryAfter.seconds($0, wallClock: Date().timeIntervalSince1970)
                }
                pause = min(max(pause, wish ?? 0), Self.longestPause)
            } catch let error as URLError {
                if !wasLost, Self.wasNeverSent(error) { throw unreachable() }
                wasLost = true
                if isLast { throw lost(error) }
            }
            try await Task.sleep(for: .seconds(pause))
            pause = min(pause * 2, Self.longestPause)
        }
        throw unreachable()
    }

    private func accept(_ answer: Answer) throws -> Answer {
        guard !(200..<300).contains(answer.status) else { return answer }
        struct Document: Decodable {
            struct Content: Decodable {
                var code: String
                var message: String
                var field: String?
            }
            var error: Content
        }
        guard let error = try? JSONDecoder().decode(Document.self, from: answer.body).error else {
            throw TradingFailure(
                description: "\(address.base) answered \(answer.status) without saying why; is it a candlewire server?",
                exitCode: 76)
        }
        let refusal = ServerRefusal(
            status: answer.status, code: error.code, message: error.message, field: error.field, document: answer.text)
        throw TradingFailure(
            description: refusal.sentence(), exitCode: refusal.exitCode, refusal: refusal,
            wasRepeated: answer.wasRepeated)
    }

    /// Whether the server cannot have seen the request.
    private static func wasNeverSent(_ error: URLError) -> Bool {
        switch error.code {
        case .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .secureConnectionFailed,
            .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateHasUnknownRoot,
            .serverCertificateNotYetValid, .unsupportedURL, .badURL:
            true
        default: false
        }
    }

    private func unreachable() -> TradingFailure {
        TradingFailure(description: "There is no candlewire server at \(address.base); --url names one.", exitCode: 69)
    }

    private func lost(_ error: URLError) -> TradingFailure {
        let what = error.code == .timedOut ? "did not answer in time" : "was lost before it had answered"
        return TradingFailure(description: "The server at \(address.base) \(what).", exitCode: 75)
    }
}
