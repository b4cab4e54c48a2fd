import HTTPTypes
import TradingCore

extension APIError {
    /// The ledger cannot be written, so nothing can be promised.
    static let ledgerUnavailable = APIError(
        .serviceUnavailable, "ledger_unavailable",
        "The ledger cannot be written, so orders are not accepted. Try again later, with the same client_order_id: it "
            + "is executed at most once.")

    /// What the exchange refuses.
    init(_ rejection: TradingRejection) {
        let status: HTTPResponse.Status =
            switch rejection.code {
            case .unknownOrder, .unknownPosition: .notFound
            case .versionConflict, .orderDone: .conflict
            default: .unprocessableContent
            }
        self.init(
            status, rejection.code == .invalid ? "invalid_field" : rejection.code.rawValue, Self.sentence(rejection),
            field: rejection.field)
    }

    /// The exchange's messages continue a field's name, here in words: "Take profit must be above 0."
    private static func sentence(_ rejection: TradingRejection) -> String {
        var text = rejection.message
        if let field = rejection.field, ["must ", "is ", "needs ", "makes "].contains(where: text.hasPrefix) {
            text = "\(field.split(separator: "_").joined(separator: " ")) \(text)"
        }
        // An id keeps its letters.
        let isID = text.prefix { $0 != " " }.contains(where: \.isNumber)
        if !isID { text = text.prefix(1).uppercased() + text.dropFirst() }
        return text.hasSuffix(".") ? text : text + "."
    }

    /// An id that is not of this server's accounts.
    /// - Parameter status: 404 where the id is a part of the path.
    init(_ error: IdentifierError, _ field: String, status: HTTPResponse.Status = .unprocessableContent) {
        switch error {
        case .otherMode(_, let text):
            self.init(
                status, "paper_only",
                "\"\(text.prefix(80))\" is not an id of paper trading. This server's accounts are paper only; their "
                    + "ids begin with \"\(Paper.name)-\", and requests for other kinds of accounts are refused.",
                field: field)
        case .badAccountName, .malformed:
            self.init(status, "invalid_id", "\(error).", field: field)
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
            .notFound, "unknown_account",
            "There is no account \"\(id.prefix(80))\"; see /v1/accounts.", field: "account")
    }

    static func unknownOrder(_ id: OrderID<Paper>) -> APIError {
        APIError(.notFound, "unknown_order", "There is no order \"\(id.description.prefix(80))\".", field: "id")
    }
}
