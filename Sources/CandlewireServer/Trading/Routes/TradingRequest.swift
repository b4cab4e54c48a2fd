import Foundation
import HTTPTypes
import Hummingbird
import MarketModel
import NIOCore
import TradingCore

/// What the trading routes read from a request: parameters, path and body.
struct TradingRequest {
    let request: Request
    let parameters: Parameters

    /// The account that is meant: `account` in the query or in the body, `paper-main` where there is none.
    func account(_ body: RequestFields? = nil) throws -> AccountID<Paper> {
        let named = query("account")
        let text = try body?.text("account") ?? named ?? TradingDesk.defaultAccount
        if let named, named != text {
            throw APIError.invalid("account", "Parameter \"account\" and the body's \"account\" are not the same.")
        }
        return try Self.account(text, status: .unprocessableContent)
    }

    /// The account in the path.
    func pathAccount() throws -> AccountID<Paper> { try Self.account(path("id"), status: .notFound) }

    private static func account(_ text: String, status: HTTPResponse.Status) throws(APIError) -> AccountID<Paper> {
        do throws(IdentifierError) {
            return try AccountID<Paper>(text)
        } catch {
            throw APIError(error, "account", status: status)
        }
    }

    /// The order in the path.
    func pathOrder() throws -> OrderID<Paper> {
        do throws(IdentifierError) {
            return try OrderID<Paper>(path("id"))
        } catch {
            throw APIError(error, "id", status: .notFound)
        }
    }

    /// The market in the path or the query.
    func symbol(_ text: String, _ registry: MarketRegistry) throws -> String {
        guard let market = registry.find(text) else { throw APIError.unknownSymbol(text, registry) }
        return registry.markets[market].symbol
    }

    func pathSymbol(_ registry: MarketRegistry) throws -> String { try symbol(path("symbol"), registry) }

    func querySymbol(_ registry: MarketRegistry) throws -> String? {
        try query("symbol").map { try symbol($0, registry) }
    }

    func path(_ name: String) -> String {
        parameters.get(name).flatMap { $0.removingPercentEncoding } ?? ""
    }

    func query(_ name: String) -> String? {
        request.uri.queryParameters[name[...]].map(String.init).flatMap { $0.isEmpty ? nil : $0 }
    }

    func limit(_ standard: Int, most: Int) throws -> Int {
        guard let text = query("limit") else { return standard }
        guard let limit = Int(text), (1...most).contains(limit) else {
            throw APIError.invalid("limit", "Parameter \"limit\" must be a whole number from 1 to \(most).")
        }
        return limit
    }

    func body(allowed: [String]) async throws -> RequestFields {
        var request = request
        do {
            let buffer = try await request.collectBody(upTo: RequestFields.maximumBytes)
            return try RequestFields(String(buffer: buffer), allowed: allowed + ["account"])
        } catch is NIOTooManyBytesError {
            throw APIError(
                status: .contentTooLarge, code: "body_too_large",
                message: "The body must have at most \(RequestFields.maximumBytes) bytes.")
        }
    }
}

/// Who may see and change accounts: everyone, or those with a token where the stream requires one.
struct TradingAccess: Sendable {
    let tokens: StreamTokens?

    func check(_ request: Request) throws(APIError) {
        guard let tokens else { return }
        let parts = (request.headers[.authorization] ?? "").split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer", tokens.contains(String(parts[1])) else {
            throw APIError(
                status: .unauthorized, code: "unauthorized",
                message: "This server requires a token: send the header Authorization: Bearer TOKEN.")
        }
    }
}
