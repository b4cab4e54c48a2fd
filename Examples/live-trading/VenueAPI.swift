import Foundation
import HTTPTransport
import MarketServices

/// Why a request to the venue has no result.
struct VenueFailure: Error {
    /// The error in the services' words.
    var error: ServiceError
    /// The venue's number for it; 0: it gave none.
    var code = 0

    var isUnknownOrder: Bool { code == -2013 }
    var isClockSkew: Bool { code == -1021 }
}

/// Requests to the venue, their signatures and their errors.
actor VenueAPI {
    private let base: String
    private let transport: HTTPTransport
    /// Milliseconds since 1970 by this machine's clock.
    private let clock: @Sendable () -> Int64
    private var signer: VenueSigner
    /// How often the venue's clock was read.
    private(set) var synchronizations = 0

    init(
        _ base: String, key: VenueKey, window: Int = 5000, transport: HTTPTransport,
        clock: @escaping @Sendable () -> Int64
    ) {
        self.base = base
        self.transport = transport
        self.clock = clock
        signer = VenueSigner(key: key, window: window)
    }

    var now: Int64 { clock() }
    var window: Int64 { Int64(signer.window) }

    /// Reads the venue's clock, and compares it with the middle between the request and the answer.
    func synchronize() async throws(VenueFailure) {
        struct Time: Decodable { var serverTime: Int64 }
        let before = clock()
        let answer = try await send("GET", "/api/v3/time", query: "")
        let after = clock()
        let time: Time = try Self.decode(answer)
        signer.offset = time.serverTime - (before + after) / 2
        synchronizations += 1
    }

    /// Sends a signed request and decodes its answer. A venue that finds our timestamp wrong has done nothing: its clock is
    /// read, and the request is sent once more.
    func call<Answer: Decodable & Sendable>(
        _ method: String, _ path: String, _ parameters: [(String, String)], as type: Answer.Type = Answer.self
    ) async throws(VenueFailure) -> Answer {
        do {
            return try Self.decode(try await send(method, path, query: signer.query(parameters, now: clock())))
        } catch  where error.isClockSkew {
            try await synchronize()
            return try Self.decode(try await send(method, path, query: signer.query(parameters, now: clock())))
        }
    }

    private func send(_ method: String, _ path: String, query: String) async throws(VenueFailure) -> [UInt8] {
        let url = "\(base)\(path)\(query.isEmpty ? "" : "?\(query)")"
        let request = HTTPTransportRequest(
            method: method, url: url, headers: ["x-mbx-apikey": signer.key.name], timeout: 10, maximumBody: 1 << 20)
        let answer: HTTPTransportAnswer
        do throws(HTTPTransportError) { answer = try await transport.send(request) } catch {
            throw Self.failure(error, isChange: method != "GET")
        }
        guard (200..<300).contains(answer.status) else { throw Self.failure(answer, isChange: method != "GET") }
        return answer.body
    }

    private static func decode<Answer: Decodable>(_ body: [UInt8]) throws(VenueFailure) -> Answer {
        do { return try JSONDecoder().decode(Answer.self, from: Data(body)) } catch {
            throw VenueFailure(
                error: ServiceError(
                    .badAnswer, message: "The venue's answer cannot be understood.", mayHaveHappened: true))
        }
    }

    // MARK: Errors

    /// No answer. Once a connection was there, the request may have been carried out.
    private static func failure(_ error: HTTPTransportError, isChange: Bool) -> VenueFailure {
        switch error {
        case .notConnected(let reason):
            VenueFailure(error: ServiceError(.network, message: "The venue cannot be reached: \(reason)."))
        case .timedOut:
            VenueFailure(
                error: ServiceError(.timedOut, message: "The venue did not answer in time.", mayHaveHappened: isChange))
        case .lost:
            VenueFailure(
                error: ServiceError(
                    .network, message: "The connection broke before the venue answered.", mayHaveHappened: isChange))
        case .tooLarge:
            VenueFailure(
                error: ServiceError(.badAnswer, message: "The venue's answer is too large.", mayHaveHappened: isChange))
        case .badURL: VenueFailure(error: ServiceError(.rejected, message: "The venue's address is no URL."))
        case .cancelled:
            VenueFailure(
                error: ServiceError(.closed, message: "The task was cancelled.", mayHaveHappened: isChange))
        }
    }

    /// The venue's numbers: https://developers.binance.com/docs/binance-spot-api-docs/errors
    private static func failure(_ answer: HTTPTransportAnswer, isChange: Bool) -> VenueFailure {
        struct Refusal: Decodable {
            var code: Int
            var msg: String
        }
        let refusal = try? JSONDecoder().decode(Refusal.self, from: Data(answer.body))
        let code = refusal?.code ?? 0
        let (kind, field): (ServiceError.Kind, String?) =
            switch (answer.status, code) {
            case (429, _), (418, _):
                (.rateLimited(retryAfter: answer.headers["retry-after"].flatMap(Double.init) ?? 60), nil)
            case (403, _): (.forbidden, nil)
            case (_, -2014), (_, -2015), (_, -1022), (401, _): (.unauthorized, nil)
            case (_, -2013): (.notFound, nil)
            case (_, -2011): (.conflict, nil)
            case (_, -1121): (.rejected, "symbol")
            case (_, -1013): (.rejected, refusal?.msg.hasSuffix("LOT_SIZE") == true ? "quantity" : "limit_price")
            case (503, _): (.unavailable, nil)
            case (500..., _): (.serverFailure, nil)
            default: (.rejected, nil)
            }
        return VenueFailure(
            error: ServiceError(
                kind, code: code == 0 ? "" : "\(code)", message: refusal?.msg ?? "The venue answered \(answer.status).",
                field: field, mayHaveHappened: isChange && answer.status >= 500),
            code: code)
    }
}
