import Foundation
import HTTPTransport
import MarketServices
import Synchronization

/// A server's REST interface: the client of MarketServices, and the last answer as it came.
struct ServerConnection: Sendable {
    let address: ServerAddress
    /// For services of the same server.
    let settings: LiveServiceSettings
    private let rest: RESTClient
    private let last = Last()

    /// - Parameters:
    ///   - token: sent with each request; nil: none.
    ///   - timeout: seconds for an answer.
    init(_ address: ServerAddress, token: String?, timeout: Double) {
        self.address = address
        var settings = LiveServiceSettings(url: address.base)
        settings.requestTimeout = timeout
        settings.retry.retriesUnreachable = false
        if let token { settings.authorization = { token } }
        settings.onAnswer = { [last] answer in last.value.withLock { $0.add(answer) } }
        self.settings = settings
        rest = RESTClient(settings)
    }

    private final class Last: Sendable {
        struct Answers {
            var newest: ServerAnswer?
            var refusal: ServerAnswer?

            mutating func add(_ answer: ServerAnswer) {
                newest = answer
                if !answer.isSuccess {
                    refusal = answer
                } else if refusal?.correlationID == answer.correlationID {
                    refusal = nil
                }
            }
        }

        let value = Mutex(Answers())
    }

    /// The newest answer of the server, errors included.
    var lastAnswer: ServerAnswer? { last.value.withLock { $0.newest } }

    var accounts: LiveAccountService { LiveAccountService(rest: rest) }

    func get(_ path: [String], _ query: [(String, String?)] = []) async throws -> ServerAnswer {
        try await send("GET", path, query)
    }

    /// Sends a request, again where the answer got lost or the server is busy. So a second one must do nothing more: it
    /// reads, it sets, or it carries an id by which the server knows it.
    /// - Throws: `CommandFailure`, also for an answer that is not a success.
    func send(
        _ method: String, _ path: [String], _ query: [(String, String?)] = [], body: [String: String]? = nil
    ) async throws -> ServerAnswer {
        do throws(ServiceError) {
            return try await rest.send(method, path, query: query, body: body)
        } catch {
            throw failure(error)
        }
    }

    /// A service's error as a sentence and an exit code.
    /// - Parameter unknown: a sentence for a request that was sent and got no answer.
    func failure(_ error: ServiceError, unknown: String? = nil) -> CommandFailure {
        switch error.kind {
        case .network where error.code == ServiceError.unreachable:
            return CommandFailure(69, "There is no candlewire server at \(address.base); --url names one.")
        case .network, .timedOut:
            let problem =
                error.kind == .timedOut ? "did not answer in time" : "closed the connection before it had answered"
            let outcome = error.mayHaveHappened ? unknown.map { " " + $0 } ?? "" : ""
            return CommandFailure(75, "The server at \(address.base) \(problem).\(outcome)")
        default: break
        }
        let refusal = last.value.withLock { $0.refusal }
        guard let answer = refusal, answer.correlationID == error.correlationID else {
            return error.kind == .badAnswer
                ? CommandFailure(76, "\(error.message) --json shows it.")
                : CommandFailure(64, error.message)
        }
        guard !error.code.isEmpty else {
            return CommandFailure(
                76,
                "\(address.base) answered with status \(answer.status) and without a reason; is it a candlewire "
                    + "server?")
        }
        return CommandFailure(
            CommandFailure.code(status: answer.status), error.message, field: error.field, document: answer.text)
    }
}

extension ServerAnswer {
    /// The document as it came, with one line end.
    var text: String {
        let text = String(decoding: body, as: UTF8.self)
        return text.hasSuffix("\n") ? text : text + "\n"
    }

    /// - Parameter names: how the document's names become those of the type.
    func decoded<Document: Decodable>(
        _ type: Document.Type, names: JSONDecoder.KeyDecodingStrategy = .convertFromSnakeCase
    ) throws -> Document {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = names
        do {
            return try decoder.decode(type, from: Data(body))
        } catch {
            throw CommandFailure(
                76, "The server's answer cannot be understood: \(Self.place(of: error)). --json shows it.")
        }
    }
}

/// A server as `--url` names it.
struct ServerAddress: Equatable, Sendable {
    /// `http://host:port`, without a slash at its end.
    let base: String

    /// - Parameter text: `http://host[:port]`, `https://...`, or the address of its stream (`ws://host/v1/stream`).
    init(_ text: String) throws {
        guard var components = URLComponents(string: text), let host = components.host, !host.isEmpty,
            let scheme = components.scheme?.lowercased(),
            let http = ["http": "http", "https": "https", "ws": "http", "wss": "https"][scheme]
        else { throw Self.refused(text) }
        if scheme.hasPrefix("ws") { components.path = "" }
        components.scheme = http
        components.query = nil
        components.fragment = nil
        while components.path.hasSuffix("/") { components.path.removeLast() }
        guard let base = components.string else { throw Self.refused(text) }
        self.base = base
    }

    private static func refused(_ text: String) -> CommandFailure {
        .usage("--url must be http://HOST[:PORT] or https://HOST[:PORT]; it is \"\(text)\".")
    }
}
