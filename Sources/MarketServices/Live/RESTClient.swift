internal import Foundation
internal import MarketModel
internal import Synchronization

/// Requests to one server, tried again where that is safe, and their errors in the services' words.
///
/// Every call is a request of its own: nothing is shared between two that look alike.
final class RESTClient: Sendable {
    private let base: String
    private let settings: LiveServiceSettings
    private let clock: ServiceClock
    private let random: Mutex<SeededGenerator>
    private let isClosed = Mutex(false)

    init(_ settings: LiveServiceSettings, clock: ServiceClock) {
        base = String(settings.url.reversed().drop { $0 == "/" }.reversed())
        self.settings = settings
        self.clock = clock
        random = Mutex(SeededGenerator(seed: settings.seed ?? UInt64.random(in: .min ... .max)))
    }

    /// A text that was never used.
    func newID() -> String { settings.correlationID() }

    /// From now on nothing is sent any more.
    func close() {
        isClosed.withLock { $0 = true }
    }

    /// - Parameters:
    ///   - query: values that are nil are left out.
    ///   - isIdempotent: whether the server may carry it out twice.
    func call<Answer: Decodable>(
        _ method: String = "GET", _ path: [String], query: [(String, String?)] = [],
        body: (any Encodable & Sendable)? = nil, isIdempotent: Bool = true, as type: Answer.Type = Answer.self
    ) async throws(ServiceError) -> Answer {
        let id = settings.correlationID()
        var request = HTTPTransportRequest(method: method, url: url(path, query), timeout: settings.requestTimeout)
        request.headers["accept"] = "application/json"
        request.headers["x-correlation-id"] = id
        if let body {
            request.headers["content-type"] = "application/json"
            request.body = try Self.encode(body)
        }
        let answer = try await send(request, id: id, isIdempotent: isIdempotent)
        do {
            return try JSONDecoder().decode(Answer.self, from: Data(answer.body))
        } catch {
            // The error's own words may hold the answer's content; where it went wrong is enough.
            throw ServiceError(
                .badAnswer,
                message: "The server's answer to \(method) /\(path.joined(separator: "/")) was not understood.",
                mayHaveHappened: method != "GET", correlationID: id)
        }
    }

    private func send(
        _ request: HTTPTransportRequest, id: String, isIdempotent: Bool
    ) async throws(ServiceError) -> HTTPTransportAnswer {
        var attempt = 0
        while true {
            attempt += 1
            guard !isClosed.withLock({ $0 }) else {
                throw ServiceError(.closed, message: "The services are shut down.")
            }
            var request = request
            if let token = try await token() { request.headers["authorization"] = "Bearer \(token)" }
            let error: ServiceError
            let failure: RetryPolicy.Failure?
            do throws(HTTPTransportError) {
                let answer = try await settings.transport.send(request)
                if (200..<300).contains(answer.status) { return answer }
                error = ServiceError(answer, id: id, wallClock: clock.now())
                failure = answer.status == 503 ? .unavailable(retryAfter: answer.retryAfter(clock.now())) : nil
            } catch let transportError {
                error = ServiceError(transportError, method: request.method, id: id)
                failure = RetryPolicy.Failure(transportError)
            }
            let pause = failure.flatMap { failure in
                random.withLock {
                    settings.retry.pause(after: failure, attempt: attempt, isIdempotent: isIdempotent, random: &$0)
                }
            }
            guard let pause else { throw error }
            try await wait(pause)
        }
    }

    private func wait(_ seconds: Double) async throws(ServiceError) {
        do {
            try await clock.sleep(clock.now() + seconds)
        } catch {
            throw ServiceError(.closed, message: "The task was cancelled.")
        }
    }

    private func token() async throws(ServiceError) -> String? {
        guard let authorization = settings.authorization else { return nil }
        do {
            return try await authorization()
        } catch {
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
