import Foundation
import HTTPTypes
import Hummingbird
import Logging

/// Names each request in its answer and in its log lines: by the `X-Correlation-ID` that it came with, or by a new one.
struct CorrelationMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: ClientContext, next: (Request, ClientContext) async throws -> Response
    ) async throws -> Response {
        let sent = request.headers[.correlationID] ?? ""
        // It goes into the log: nothing that looks like another line, and no more than a name.
        let isName = (1...128).contains(sent.utf8.count) && sent.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        let id = isName ? sent : context.id
        var context = context
        context.logger[metadataKey: RequestScope.key] = "\(id)"
        context.correlationID = id
        let named = context
        var response = try await RequestScope.$correlationID.withValue(id) { try await next(request, named) }
        response.headers[.correlationID] = id
        // Without the query, which may have a ticket.
        context.logger.debug(
            "a request was answered",
            metadata: [
                "method": "\(request.method)", "path": "\(request.uri.path)", "status": "\(response.status.code)",
                "client": "\(request.clientAddress ?? "unknown")",
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
        let slash = UInt8(ascii: "/")
        let hasEmptyPart = zip(path.utf8, path.utf8.dropFirst()).contains { $0 == slash && $1 == slash }
        // Most have nothing to decode.
        let isEncoded = path.utf8.contains(UInt8(ascii: "%"))
        guard !hasEmptyPart, let decoded = isEncoded ? path.removingPercentEncoding : path else { return false }
        return decoded.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }
    }
}

/// Headers of every answer that depend on the file; those against foreign pages are the connection's, see `RequestGuard`.
struct FileHeadersMiddleware<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        if response.headers[.cacheControl] == nil {
            // Else always revalidated, so that a new build is seen at once.
            let isKept = Self.namesContent(request.uri.path)
            response.headers[.cacheControl] = isKept ? "max-age=31536000, immutable" : "no-cache"
        }
        if request.uri.path.hasSuffix(".wasm") { response.headers[.contentType] = "application/wasm" }
        return response
    }

    /// Whether a file's name ends in the hash of its content, as packages name the page's files: its content never changes.
    private static func namesContent(_ path: String) -> Bool {
        let name = path.utf8
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), let hyphen = name.lastIndex(of: UInt8(ascii: "-")),
            hyphen < dot
        else { return false }
        let hash = name[hyphen..<dot].dropFirst()
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let letters = UInt8(ascii: "a")...UInt8(ascii: "f")
        return hash.count == 16 && hash.allSatisfy { digits.contains($0) || letters.contains($0) }
    }
}
