internal import Foundation
internal import WebSocketTransport

extension ServiceError {
    /// Seconds that a server wants to be left alone where it does not say how many.
    static let defaultRetryAfter = 60.0

    /// What an answer says that is not a success.
    init(_ answer: HTTPTransportAnswer, id: String, wallClock: Double) {
        let document = try? JSONDecoder().decode(ErrorDocument.self, from: Data(answer.body))
        let said = document?.error
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
            kind, code: said?.code ?? "", message: said?.message ?? "The server answered with status \(answer.status).",
            field: said?.field, correlationID: id)
    }

    /// Why there was no answer.
    init(_ error: HTTPTransportError, method: String, id: String) {
        let isChange = method != "GET"
        switch error {
        case .notConnected(let reason): self.init(.network, message: reason, correlationID: id)
        case .lost(let reason):
            self.init(.network, message: reason, mayHaveHappened: isChange, correlationID: id)
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

extension RetryPolicy.Failure {
    /// nil: trying again would not help.
    init?(_ error: HTTPTransportError) {
        switch error {
        case .notConnected: self = .notConnected
        case .lost: self = .lost
        case .timedOut: self = .timedOut
        case .tooLarge, .cancelled: return nil
        }
    }
}

extension HTTPTransportAnswer {
    /// Seconds of the header `Retry-After`.
    func retryAfter(_ wallClock: Double) -> Double? {
        headers["retry-after"].flatMap { RetryAfter.seconds($0, date: headers["date"], wallClock: wallClock) }
    }
}
