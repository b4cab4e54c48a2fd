import HTTPTypes
import TradingCore

extension APIError {
    /// The ledger cannot be written, so nothing can be promised.
    static let ledgerUnavailable = APIError(
        status: .serviceUnavailable, code: "ledger_unavailable",
        message:
            "The ledger cannot be written, so orders are not accepted. Try again later, with the same client_order_id: it "
            + "is executed at most once.")

    /// What the exchange refuses.
    init(_ rejection: TradingRejection) {
        switch rejection.code {
        case .unknownOrder, .unknownPosition: self.init(rejection, .notFound)
        case .versionConflict, .orderDone: self.init(rejection, .conflict)
        default: self.init(rejection, .unprocessableContent)
        }
    }

    private init(_ rejection: TradingRejection, _ status: HTTPResponse.Status) {
        self.init(
            status: status, code: rejection.code == .invalid ? "invalid_field" : rejection.code.rawValue,
            message: Self.sentence(rejection), field: rejection.field)
    }

    /// The exchange's messages continue a field's name: "must be above 0".
    private static func sentence(_ rejection: TradingRejection) -> String {
        var text = rejection.message
        if let field = rejection.field, ["must ", "is ", "needs ", "makes "].contains(where: text.hasPrefix) {
            text = "Field \"\(field)\" \(text)"
        } else {
            text = text.prefix(1).uppercased() + text.dropFirst()
        }
        return text.hasSuffix(".") ? text : text + "."
    }

    /// An id that is not of this server's accounts.
    /// - Parameter status: 404 where the id is a part of the path.
    init(_ error: IdentifierError, _ field: String, status: HTTPResponse.Status = .unprocessableContent) {
        switch error {
        case .otherMode(_, let text):
            self.init(
                status: status, code: "paper_only",
                message:
                    "\"\(text.prefix(80))\" is not an id of paper trading. This server's accounts are paper only; their "
                    + "ids begin with \"\(Paper.name)-\", and requests for other kinds of accounts are refused.",
                field: field)
        case .badAccountName, .malformed:
            self.init(status: status, code: "invalid_id", message: "\(error).", field: field)
        }
    }

    /// Reads an id.
    static func id<ID: TradingIdentifier>(
        _ text: String, _ field: String, status: HTTPResponse.Status = .unprocessableContent
    ) throws(APIError) -> ID {
        do throws(IdentifierError) {
            return try ID(text)
        } catch {
            throw APIError(error, field, status: status)
        }
    }

    static func unknownAccount(_ id: String) -> APIError {
        APIError(
            status: .notFound, code: "unknown_account",
            message: "There is no account \"\(id.prefix(80))\"; see /v1/accounts.", field: "account")
    }

    static func unknownOrder(_ id: OrderID<Paper>) -> APIError {
        APIError(
            status: .notFound, code: "unknown_order", message: "There is no order \"\(id.description.prefix(80))\".",
            field: "id")
    }
}
