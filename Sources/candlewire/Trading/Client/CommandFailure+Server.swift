/// A server's refusal, as the user of a command understands it.
extension CommandFailure {
    /// Whether it may be gone in a while.
    var isPassing: Bool { code == 69 || code == 75 }

    /// Wrong usage, not there, not possible in this state, try later, or a fault of the server.
    static func code(status: Int) -> Int32 {
        switch status {
        case 400: 64
        case 401, 403: 77
        case 404: 66
        case 409, 422: 65
        case 429, 503: 75
        default: 69
        }
    }

    /// The description, with the field's name on the command line.
    /// - Parameter flags: fields that the command calls by other names than `candlewire order` does.
    func sentence(flags: [String: String] = [:]) -> String {
        let text = description.hasSuffix(".") ? description : description + "."
        guard let field, !field.isEmpty else { return text }
        return "\(flags[field] ?? Self.flags[field] ?? field): \(text)"
    }

    private static let flags = [
        "quantity": "QUANTITY", "symbol": "SYMBOL", "side": "SIDE", "limit_price": "--limit", "stop_price": "--stop",
        "trail": "--trail", "time_in_force": "--tif", "post_only": "--post-only", "reduce_only": "--reduce-only",
        "leverage": "--leverage", "take_profit": "--take-profit", "stop_loss": "--stop-loss", "account": "--account",
        "client_order_id": "--client-order-id", "oco_group": "--oco-group", "capital": "--capital",
        "currency": "--currency", "name": "NAME", "status": "--status", "limit": "--limit", "type": "--type",
        "version": "--if-version", "order": "--order", "before": "--before",
    ]
}
