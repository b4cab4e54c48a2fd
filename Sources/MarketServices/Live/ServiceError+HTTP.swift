internal import Foundation
internal import HTTPTransport
internal import WebSocketTransport

extension ServiceError {
    /// The code of an error where no connection was made.
    package static let unreachable = "unreachable"
    /// The pause after a 429 without `Retry-After`, in seconds.
    static let defaultRetryAfter = 60.0

    /// Of an answer that is not a success.
    init(_ answer: HTTPTransportAnswer, id: String, wallClock: Double) {
        let document = try? JSONDecoder().decode(ErrorDocument.self, from: Data(answer.body))
        let refusal = document?.error
        let kind: Kind =
            switch answer.status {
            case 401: .unauthorized
            case 403: .forbidden
            case 404: .notFound
            case 409: .conflict
            case 429: .rateLimited(retryAfter: answer.retryAfter(wallClock) ?? Self.defaultRetryAfter)
            case 400, 413, 422: .rejected
            case 503: .unavailable
            case 500...: .serverFailure
            default: .badAnswer
            }
        self.init(
            kind, code: refusal?.code ?? "",
            message: refusal?.message ?? "The server answered with status \(answer.status).",
            field: refusal?.field, correlationID: id)
    }

    /// Of a request without an answer.
    init(_ error: HTTPTransportError, method: String, id: String) {
        let isChange = method != "GET"
        switch error {
        case .badURL: self.init(.rejected, message: "The server's address is not a URL.", field: "url")
        case .notConnected(let reason):
            self.init(
                .network, code: Self.unreachable, message: "The server cannot be reached: \(reason).", correlationID: id
            )
        case .lost:
            self.init(
                .network, message: "The connection to the server broke before it had answered.",
                mayHaveHappened: isChange, correlationID: id)
        case .timedOut:
            self.init(
                .timedOut, message: "The server did not answer in time.", mayHaveHappened: isChange, correlationID: id)
        case .tooLarge:
            self.init(
                .badAnswer, message: "The server's answer was too large.", mayHaveHappened: isChange, correlationID: id)
        case .cancelled:
            self.init(.closed, message: "The task was cancelled.", mayHaveHappened: isChange, correlationID: id)
        }
    }

    /// `{"error":{"code","message","field"?}}`
    private struct ErrorDocument: Decodable {
        struct Content: Decodable {
            var code: String?
            var message: String?
            var field: String?
        }

        var error: Content
    }
}

extension HTTPTransportAnswer {
    /// Seconds of the header `Retry-After`.
    func retryAfter(_ wallClock: Double) -> Double? {
        headers["retry-after"].flatMap { RetryAfter.seconds($0, date: headers["date"], wallClock: wallClock) }
    }
}
