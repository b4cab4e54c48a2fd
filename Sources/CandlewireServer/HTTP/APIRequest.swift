import Foundation
import HTTPTypes
import Hummingbird
import MarketModel
import NIOCore
import TradingCore

/// A request with what handlers read from it: parameters, path and body.
struct APIRequest {
    let request: Request
    let parameters: Parameters

    /// The account that is meant: `account` in the query or in the body, `paper-main` where there is none.
    func account(_ body: RequestFields? = nil) throws(APIError) -> AccountID<Paper> {
        let named = query("account")
        let text = try body?.text("account") ?? named ?? TradingDesk.defaultAccount
        if let named, named != text {
            throw .invalid("account", "Parameter \"account\" and the body's \"account\" are not the same.")
        }
        return try APIError.id(text, "account")
    }

    /// The account or the order in the path.
    func pathID<ID: TradingIdentifier>(_ field: String) throws(APIError) -> ID {
        try APIError.id(path("id"), field, status: .notFound)
    }

    func pathSymbol(_ registry: MarketRegistry) throws(APIError) -> String {
        registry.markets[try registry.market(path("symbol"))].symbol
    }

    func querySymbol(_ registry: MarketRegistry) throws(APIError) -> String? {
        guard let text = query("symbol") else { return nil }
        return registry.markets[try registry.market(text)].symbol
    }

    func header(_ name: String) -> String? { HTTPField.Name(name).flatMap { request.headers[$0] } }

    func path(_ name: String) -> String { parameters.get(name)?.removingPercentEncoding ?? "" }

    /// A parameter of the query. An empty one is a value, and mostly an error: `DELETE /v1/orders?symbol=` must not cancel
    /// the orders of all markets.
    func query(_ name: String) -> String? { request.uri.queryParameters[name[...]].map(String.init) }

    func limit(_ standard: Int, max maximum: Int) throws(APIError) -> Int {
        guard let text = query("limit") else { return standard }
        return try APIError.wholeNumber("limit", text, max: maximum)
    }

    func body(allowed: [String]) async throws -> RequestFields {
        let buffer = try await bytes(atMost: RequestFields.maximumBytes, "body_too_large", "The body must have")
        return try RequestFields(String(buffer: buffer), allowed: allowed)
    }

    /// The bytes of the body.
    /// - Throws: 413 with this code and, before the bound, these words.
    func bytes(atMost limit: Int, _ code: String, _ words: String, field: String? = nil) async throws -> ByteBuffer {
        var request = request
        do {
            return try await request.collectBody(upTo: limit)
        } catch is NIOTooManyBytesError {
            throw APIError(.contentTooLarge, code, "\(words) at most \(limit) bytes.", field: field)
        }
    }
}
