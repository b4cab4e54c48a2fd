import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1

/// Answers errors that no handler has described with the same document as all others.
struct ErrorMiddleware<Context: RequestContext>: RouterMiddleware {
    let routes: RouteTable

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as any HTTPResponseError where error.status == .notFound {
            return notFound(request)
        } catch let error as any HTTPResponseError {
            return APIError(error.status, "http_\(error.status.code)", error.status.reasonPhrase).response
        } catch  where Self.isOfClient(error) {
            context.logger.debug("a request ended early", metadata: ["path": "\(request.uri.path)"])
            return APIError(.badRequest, "incomplete_request", "The request ended before it was complete.").response
        } catch {
            // The details go to the log and not to the client.
            context.logger.error("a request failed", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            return APIError(.internalServerError, "internal", "The server could not answer this request.").response
        }
    }

    /// Whether a request ended because its client or the connection did: nobody reads the answer.
    private static func isOfClient(_ error: any Error) -> Bool {
        switch error {
        case is RequestEnded, is HTTPParserError, is ChannelError, is CancellationError: true
        case let error as IOError: [ECONNRESET, EPIPE, ETIMEDOUT].contains(error.errnoCode)
        default: false
        }
    }

    /// No route fits: because of the path, or, where there is such a path, the method or a missing upgrade.
    private func notFound(_ request: Request) -> Response {
        let path = request.uri.path
        let isStream = path != StreamUpgrade.rawPath && StreamUpgrade.paths.contains(path)
        if isStream, request.method == .get {
            var response = APIError(
                .upgradeRequired, "upgrade_required",
                "\(path) is a WebSocket endpoint; it needs an Upgrade request."
            ).response
            response.headers[.upgrade] = "websocket"
            return response
        }
        let methods = isStream ? ["GET", "HEAD"] : routes.methods(at: path)
        if !methods.isEmpty, !methods.contains(request.method.rawValue) {
            let allowed = methods.joined(separator: ", ")
            var response = APIError(
                .methodNotAllowed, "method_not_allowed",
                "\(request.method.rawValue) is not allowed at \(path); allowed: \(allowed)."
            ).response
            response.headers[.allow] = allowed
            return response
        }
        return APIError(
            .notFound, "not_found",
            "There is nothing at \(path); see /v1/markets, /v1/listings, /v1/feeds, /v1/candles, /v1/chart.png, "
                + "/v1/accounts, /v1/orders, /v1/positions, /v1/portfolio, /v1/fills, /v1/events, /v1/stream, "
                + "/consultations, /consultation-types, /api, /health, /livez, /readyz, /metrics."
        ).response
    }
}
