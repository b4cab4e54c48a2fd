import Foundation
import HTTPTypes
import Hummingbird
import Logging

/// Names each request in its answer and in its log lines: by the `X-Correlation-ID` that it came with, or by a new one.
struct CorrelationMiddleware<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let sent = request.headers[.correlationID] ?? ""
        // It goes into the log: nothing that looks like another line, and no more than a name.
        let isName = (1...128).contains(sent.utf8.count) && sent.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        let id = isName ? sent : context.id
        var context = context
        context.logger[metadataKey: "correlation_id"] = "\(id)"
        var response = try await next(request, context)
        response.headers[.correlationID] = id
        // Without the query, which may have a ticket.
        context.logger.debug(
            "a request was answered",
            metadata: [
                "method": "\(request.method)", "path": "\(request.uri.path)", "status": "\(response.status.code)",
            ])
        return response
    }
}

extension HTTPField.Name {
    static let correlationID = Self("X-Correlation-ID")!
}

/// Refuses requests before anything looks for a route or a file.
struct GateMiddleware<Context: RequestContext>: RouterMiddleware {
    let origins: OriginPolicy

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        if let refusal = refusal(of: request) { return refusal.response }
        return try await next(request, context)
    }

    private func refusal(of request: Request) -> APIError? {
        guard Self.isUsual(request.uri.path) else {
            return APIError(.badRequest, "invalid_path", "The path has characters it must not have.")
        }
        let host = request.head.authority
        // Under a foreign name only a page of elsewhere can have reached this server.
        guard origins.answers(toHost: host) else {
            return APIError(.misdirectedRequest, "unknown_host", OriginPolicy.hostRefusal)
        }
        // A browser lets any page send a request that changes something to a server of the visitor's own machine, and only
        // keeps the answer from it.
        let isReading = [.get, .head, .options].contains(request.method)
        guard isReading || origins.allows(origin: request.headers[.origin], host: host) else {
            return APIError(
                .forbidden, "origin_not_allowed",
                "Pages of this origin may not change anything here; --allow-origin names those that may.")
        }
        return nil
    }

    /// Whether a file or a route can have this path: not with control characters, backslashes and empty parts.
    private static func isUsual(_ path: String) -> Bool {
        guard let decoded = path.removingPercentEncoding, !path.contains("//") else { return false }
        return decoded.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }
    }
}

/// Requires a token for everything under `/v1` but the stream, which has it in its first message.
struct LoginMiddleware<Context: RequestContext>: RouterMiddleware {
    let tokens: StreamTokens

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        // As the router reads it: with and without a slash at the end, and percent-encoded.
        let path = request.uri.path.removingPercentEncoding ?? request.uri.path
        guard path == "/v1" || path.hasPrefix("/v1/"), !StreamUpgrade.paths.contains(path) else {
            return try await next(request, context)
        }
        do {
            try tokens.check { request.headers[HTTPField.Name($0)!] }
        } catch {
            return error.response
        }
        return try await next(request, context)
    }
}

/// Headers of every answer, errors too, that keep browsers from what this server does not mean: to guess types, to frame the
/// page elsewhere, to name its addresses to others, or to load its answers into foreign pages.
struct SecurityHeadersMiddleware<Context: RequestContext>: RouterMiddleware {
    /// Whether requests come by HTTPS.
    let isSecure: Bool

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        // Always revalidated, so that a new build is seen at once.
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-cache" }
        if request.uri.path.hasSuffix(".wasm") { response.headers[.contentType] = "application/wasm" }
        response.headers[.contentSecurityPolicy] = policy(host: request.head.authority)
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[Self.referrerPolicy] = "no-referrer"
        response.headers[Self.resourcePolicy] = "same-origin"
        // A year (RFC 6797).
        if isSecure { response.headers[.strictTransportSecurity] = "max-age=31536000" }
        return response
    }

    private func policy(host: String?) -> String {
        // Older browsers do not count a page's own WebSockets to its origin.
        let socket = host.flatMap { Self.isAuthority($0) ? " \(isSecure ? "wss" : "ws")://\($0)" : nil } ?? ""
        return "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
            + "img-src 'self' data: blob:; connect-src 'self'\(socket); form-action 'self'; frame-ancestors 'self'; "
            + "base-uri 'none'; object-src 'none'"
    }

    /// Whether nothing but a name or address and a port is in it, so that it cannot add to the policy.
    private static func isAuthority(_ host: String) -> Bool {
        host.utf8.count <= 255
            && host.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: ":"),
                    UInt8(ascii: "["), UInt8(ascii: "]"):
                    true
                default: false
                }
            }
    }

    private static var referrerPolicy: HTTPField.Name { HTTPField.Name("Referrer-Policy")! }
    private static var resourcePolicy: HTTPField.Name { HTTPField.Name("Cross-Origin-Resource-Policy")! }
}
