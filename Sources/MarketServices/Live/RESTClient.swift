internal import Foundation
internal import HTTPTransport
internal import MarketModel
internal import Synchronization
internal import WebSocketTransport

/// Requests to one server, sent again where that is safe, and their errors in the services' words.
///
/// Every call is a request of its own: nothing is shared between two that look alike.
package final class RESTClient: Sendable {
    private let base: String
    private let settings: LiveServiceSettings
    private let clock: ServiceClock
    private let random: Mutex<SeededGenerator>
    private let isClosed = Mutex(false)

    package init(_ settings: LiveServiceSettings, clock: ServiceClock = .system) {
        base = String(settings.url.reversed().drop { $0 == "/" }.reversed())
        self.settings = settings
        self.clock = clock
        random = Mutex(SeededGenerator(seed: settings.seed ?? UInt64.random(in: .min ... .max)))
    }

    /// A text that was never used.
    func newID() -> String { settings.correlationID() }

    /// From now on nothing is sent any more.
    func close() { isClosed.withLock { $0 = true } }

    /// Sends a request and decodes its answer. See ``send(_:_:query:body:isIdempotent:)``.
    package func call<Answer: Decodable>(
        _ method: String = "GET", _ path: [String], query: [(String, String?)] = [],
        body: (any Encodable & Sendable)? = nil, isIdempotent: Bool = true, as type: Answer.Type = Answer.self
    ) async throws(ServiceError) -> Answer {
        let answer = try await send(method, path, query: query, body: body, isIdempotent: isIdempotent)
        do { return try JSONDecoder().decode(Answer.self, from: Data(answer.body)) } catch {
            throw ServiceError(
                .badAnswer,
                message: "The server's answer to \(method) /\(path.joined(separator: "/")) cannot be understood: "
                    + "\(ServerAnswer.place(of: error)).",
                mayHaveHappened: method != "GET", correlationID: answer.correlationID)
        }
    }

    /// Sends a request, again where `LiveServiceSettings.retry` allows, with the same `X-Correlation-ID` each time.
    /// - Parameters:
    ///   - query: values that are nil are left out.
    ///   - isIdempotent: whether the server may carry it out twice.
    /// - Returns: an answer whose status is a success.
    package func send(
        _ method: String, _ path: [String], query: [(String, String?)] = [], body: (any Encodable & Sendable)? = nil,
        isIdempotent: Bool = true
    ) async throws(ServiceError) -> ServerAnswer {
        let id = settings.correlationID()
        var request = HTTPTransportRequest(method: method, url: url(path, query), timeout: settings.requestTimeout)
        for (name, value) in settings.headers { request.headers[name.lowercased()] = value }
        request.headers["accept"] = "application/json"
        request.headers["x-correlation-id"] = id
        if let body {
            request.headers["content-type"] = "application/json"
            request.body = try Self.encode(body)
        }
        var mayHaveArrived = false
        return try await HTTPTransport.retrying { seconds throws(ServiceError) in
            do { try await clock.sleep(clock.now() + seconds) } catch { throw ServiceError.cancelled }
        } _: { attempt throws(ServiceError) in
            guard !isClosed.withLock({ $0 }) else { throw ServiceError.shutDown }
            if let token = try await token() { request.headers["authorization"] = "Bearer \(token)" }
            var error: ServiceError
            let failure: RetryPolicy.Failure?
            do throws(HTTPTransportError) {
                let answer = try await settings.transport.send(request)
                let document = ServerAnswer(
                    status: answer.status, body: answer.body, wasRepeated: mayHaveArrived, correlationID: id)
                settings.onAnswer?(document)
                if document.isSuccess { return .done(document) }
                error = ServiceError(answer, id: id, wallClock: clock.now())
                failure = answer.status == 503 ? .unavailable(retryAfter: answer.retryAfter(clock.now())) : nil
            } catch let transportError {
                error = ServiceError(transportError, method: method, id: id)
                failure = RetryPolicy.Failure(transportError)
            }
            // An attempt that was lost may have been carried out, whatever became of the later ones.
            if mayHaveArrived {
                error.mayHaveHappened = method != "GET"
                if error.code == ServiceError.unreachable { error.code = "" }
            }
            if failure == .lost || failure == .timedOut { mayHaveArrived = true }
            let pause = failure.flatMap { failure in
                random.withLock {
                    settings.retry.pause(after: failure, attempt: attempt, isIdempotent: isIdempotent, random: &$0)
                }
            }
            guard let pause else { throw error }
            return .again(after: pause)
        }
    }

    private func token() async throws(ServiceError) -> String? {
        guard let authorization = settings.authorization else { return nil }
        do { return try await authorization() } catch {
            throw ServiceError(.unauthorized, message: "There is no token for the server.")
        }
    }

    private func url(_ path: [String], _ query: [(String, String?)]) -> String {
        var url = base
        for part in path { url += "/" + Self.escape(part) }
        let parameters = query.compactMap { name, value in value.map { "\(name)=\(Self.escape($0))" } }
        return parameters.isEmpty ? url : url + "?" + parameters.joined(separator: "&")
    }

    /// Percent-encodes everything but the unreserved characters (RFC 3986, section 2.3): symbols have slashes.
    private static func escape(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? text
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    private static func encode(_ body: any Encodable) throws(ServiceError) -> [UInt8] {
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            return Array(try encoder.encode(body))
        } catch {
            throw ServiceError(.rejected, message: "The request holds a value that JSON cannot write.")
        }
    }
}

/// A server's answer as it came.
package struct ServerAnswer: Sendable, Hashable {
    package var status: Int
    package var body: [UInt8]
    /// Whether an earlier attempt of the same request may have arrived, too.
    package var wasRepeated: Bool
    package var correlationID: String

    package var isSuccess: Bool { (200..<300).contains(status) }

    /// Where decoding failed, for a sentence. The error's own words may quote the document.
    package static func place(of error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, _): return "it has no \"\(key.stringValue)\""
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context):
            let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
            if !path.isEmpty { return "\"\(path)\" is not as expected" }
            if case DecodingError.dataCorrupted = error { return "it is not JSON" }
            return "it is not the expected document"
        default: return "it is not JSON"
        }
    }
}

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
