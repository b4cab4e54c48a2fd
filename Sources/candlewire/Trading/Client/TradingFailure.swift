/// Why a trading command failed: a sentence with what, where and what is allowed.
struct TradingFailure: Error {
    let description: String
    /// Of sysexits.h.
    let exitCode: Int32
    /// The field of the request that the server refused, as on the wire.
    var field: String?
    /// The server's document, where the server refused.
    var document: String?

    /// Whether it may be gone in a while.
    var isPassing: Bool { exitCode == 69 || exitCode == 75 }

    static func usage(_ sentence: String) -> TradingFailure { TradingFailure(description: sentence, exitCode: 64) }

    /// Wrong usage, not there, not possible in this state, try later, or a fault of the server.
    static func exitCode(status: Int) -> Int32 {
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
