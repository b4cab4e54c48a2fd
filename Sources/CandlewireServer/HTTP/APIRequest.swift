import Foundation
import HTTPTypes
import Hummingbird
import MarketModel
import NIOCore
import TradingCore

/// A request with what handlers read from it: who sends it, parameters, path and body.
struct APIRequest {
    let request: Request
    let parameters: Parameters
    let address: ClientAddress
    let limiter: ClientLimiter
    /// What the audit log has of it; `nil` where it changes nothing.
    let notes: AuditNotes?
    /// Who sends it, as far as its route needs that.
    var principal = Principal.visitor

    init(
        request: Request, parameters: Parameters, address: ClientAddress, limiter: ClientLimiter, notes: AuditNotes?
    ) {
        self.request = request
        self.parameters = parameters
        self.address = address
        self.limiter = limiter
        self.notes = notes
    }

    /// Whose limits count.
    var client: ClientLimits.Client { ClientLimits.Client(principal, address) }

    /// - Throws: 429.
    func spend(_ name: ClientLimits.Name, _ cost: Double = 1) throws(APIError) {
        try limiter.spend(name, cost, of: client)
    }

    /// The account that is meant: `account` in the query or in the body, `paper-main` where there is none.
    /// - Throws: 404 where the client may not see it, as where there is none.
    func account(_ body: RequestFields? = nil) throws(APIError) -> AccountID<Paper> {
        try visible(try namedAccount(body))
    }

    /// The same whether or not the client may see it.
    func namedAccount(_ body: RequestFields?) throws(APIError) -> AccountID<Paper> {
        let named = query("account")
        let text = try body?.text("account") ?? named ?? TradingDesk.defaultAccount
        if let named, named != text {
            throw .invalid("account", "Parameter \"account\" and the body's \"account\" are not the same.")
        }
        return try APIError.id(text, "account")
    }

    private func visible(_ account: AccountID<Paper>) throws(APIError) -> AccountID<Paper> {
        notes?.note(account: account.description)
        guard principal.accounts.contains(account) else { throw .unknownAccount(account.description) }
        return account
    }

    /// The account in the path.
    func pathAccount() throws(APIError) -> AccountID<Paper> {
        try visible(try APIError.id(path("id"), "account", status: .notFound))
    }

    /// The order in the path.
    func pathOrder() throws(APIError) -> OrderID<Paper> {
        let id: OrderID<Paper> = try APIError.id(path("id"), "id", status: .notFound)
        notes?.note(account: id.account.description)
        notes?.note(order: id.description)
        guard principal.accounts.contains(id.account) else { throw .unknownAccount(id.account.description) }
        return id
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

    /// `true` or `false` in the query; false where there is none.
    func flag(_ name: String) throws(APIError) -> Bool {
        switch query(name) {
        case nil, "false": return false
        case "true": return true
        default: throw .invalid(name, "Parameter \"\(name)\" must be true or false.")
        }
    }

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
