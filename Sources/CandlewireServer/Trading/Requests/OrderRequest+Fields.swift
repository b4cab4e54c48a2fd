import HTTPTypes
import MarketModel
import TradingCore

extension OrderRequest {
    static let fields = [
        "client_order_id", "symbol", "side", "type", "time_in_force", "quantity", "limit_price", "stop_price", "trail",
        "post_only", "reduce_only", "leverage", "take_profit", "stop_loss", "oco_group",
    ]

    /// Reads a request; whether it makes sense is the exchange's business.
    init(_ fields: RequestFields, _ registry: MarketRegistry) throws(APIError) {
        guard let symbol = try fields.text("symbol") else { throw .missing("symbol", registry.allowedNames) }
        guard let market = registry.find(symbol) else {
            var error = APIError.unknownSymbol(symbol, registry)
            error.status = .unprocessableContent
            throw error
        }
        guard let quantity = try fields.decimal("quantity") else { throw .missing("quantity", "a decimal above 0") }
        guard let side = try fields.text("side").map(Side.init(rawValue:)) else { throw .missing("side", "buy, sell") }
        if case .unknown(let word) = side { throw .unknownWord("side", word, "buy, sell") }
        let types = "market, limit, stop, stop_limit, trailing_stop"
        guard let type = try fields.text("type").map(OrderType.init(rawValue:)) else { throw .missing("type", types) }
        if case .unknown(let word) = type { throw .unknownWord("type", word, types) }
        let time = try fields.text("time_in_force").map(TimeInForce.init(rawValue:)) ?? .gtc
        if case .unknown(let word) = time { throw .unknownWord("time_in_force", word, "gtc, ioc, fok, day") }
        self.init(
            clientOrderID: try fields.text("client_order_id") ?? "", symbol: registry.markets[market].symbol,
            side: side,
            type: type, timeInForce: time, quantity: quantity, limitPrice: try fields.decimal("limit_price"),
            stopPrice: try fields.decimal("stop_price"), trail: try Self.trail(fields),
            postOnly: try fields.flag("post_only") ?? false, reduceOnly: try fields.flag("reduce_only") ?? false,
            leverage: try fields.integer("leverage") ?? 1, takeProfit: try fields.decimal("take_profit"),
            stopLoss: try fields.decimal("stop_loss"), ocoGroup: try fields.text("oco_group"))
    }

    private static func trail(_ fields: RequestFields) throws(APIError) -> Trail? {
        guard let trail = try fields.object("trail", allowed: ["amount", "percent"]) else { return nil }
        switch (try trail.decimal("amount"), try trail.decimal("percent")) {
        case (let amount?, nil): return .amount(amount)
        case (nil, let percent?): return .percent(percent)
        default:
            throw .invalid("trail", "Field \"trail\" must be {\"amount\": \"250\"} or {\"percent\": \"1.5\"}.")
        }
    }
}

extension APIError {
    static func missing(_ field: String, _ allowed: String) -> APIError {
        APIError(
            status: .unprocessableContent, code: "missing_field",
            message: "Field \"\(field)\" is missing; it must be: \(allowed).", field: field)
    }

    static func unknownWord(_ field: String, _ word: String, _ allowed: String) -> APIError {
        APIError(
            status: .unprocessableContent, code: "invalid_field",
            message: "Field \"\(field)\" cannot be \"\(word.prefix(40))\"; allowed are \(allowed).", field: field)
    }
}
