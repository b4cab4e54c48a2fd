import HTTPTypes
import MarketModel
import StreamCore
import TradingCore

/// The members of a request's JSON body, read one by one; an error has the field's name.
struct RequestFields {
    /// Bytes a body may have.
    static let maximumBytes = 64 << 10

    private struct Value {
        var kind: JSONScanner.Kind
        var raw: String
    }

    private var values: [String: Value] = [:]

    /// - Parameters:
    ///   - body: an object; an empty body is an empty object.
    ///   - allowed: the fields there are. Others are refused: a misspelt `stop_loss` must not be left out in silence.
    init(_ body: String, allowed: [String], inside parent: String? = nil) throws(APIError) {
        guard !body.isEmpty else { return }
        do throws(JSONError) {
            values = try Self.read(body)
        } catch {
            throw APIError(
                status: .badRequest, code: "invalid_json",
                message: "The body is not a JSON object: \(error.problem.sentence) at byte \(error.offset).",
                field: parent)
        }
        for name in values.keys.sorted() where !allowed.contains(name) {
            throw .invalid(
                parent.map { "\($0).\(name)" } ?? name,
                "There is no field \"\(name.prefix(40))\" here; allowed are \(allowed.joined(separator: ", ")).")
        }
    }

    private static func read(_ body: String) throws(JSONError) -> [String: Value] {
        var values: [String: Value] = [:]
        var failure: JSONError?
        Array(body.utf8).withUnsafeBytes { bytes in
            do throws(JSONError) {
                var scanner = JSONScanner(bytes)
                try scanner.beginObject()
                while let key = try scanner.nextKey() {
                    let name = key.string
                    let kind = try scanner.kind()
                    let raw = try scanner.rawValue()
                    values[name] = Value(kind: kind, raw: String(decoding: raw, as: UTF8.self))
                }
                try scanner.end()
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return values
    }

    /// Whether the field is there, `null` included.
    func has(_ name: String) -> Bool { values[name] != nil }

    private func value(_ name: String) -> Value? {
        guard let value = values[name], value.kind != .null else { return nil }
        return value
    }

    func text(_ name: String) throws(APIError) -> String? {
        guard let value = value(name) else { return nil }
        guard value.kind == .string, let text = Self.unescaped(value.raw) else {
            throw .invalid(name, "Field \"\(name)\" must be a string.")
        }
        return text
    }

    private static func unescaped(_ raw: String) -> String? {
        Array(raw.utf8).withUnsafeBytes { bytes in
            var scanner = JSONScanner(bytes)
            return try? scanner.string().string
        }
    }

    /// A decimal, as a string or a number, read digit by digit.
    func decimal(_ name: String) throws(APIError) -> ExactDecimal? {
        guard let value = value(name) else { return nil }
        let text: String? =
            switch value.kind {
            case .string: Self.unescaped(value.raw)
            case .number: value.raw
            default: nil
            }
        guard let text, let decimal = ExactDecimal(text) else {
            throw .invalid(
                name,
                "Field \"\(name)\" must be a decimal as a string (\"0.25\"), with at most \(ExactDecimal.decimals) decimals "
                    + "and between -10^22 and 10^22.")
        }
        return decimal
    }

    func integer(_ name: String) throws(APIError) -> Int? {
        guard let value = value(name) else { return nil }
        guard value.kind == .number, let number = Int(value.raw) else {
            throw .invalid(name, "Field \"\(name)\" must be a whole number.")
        }
        return number
    }

    func flag(_ name: String) throws(APIError) -> Bool? {
        guard let value = value(name) else { return nil }
        guard value.kind == .bool else { throw .invalid(name, "Field \"\(name)\" must be true or false.") }
        return value.raw == "true"
    }

    func object(_ name: String, allowed: [String]) throws(APIError) -> RequestFields? {
        guard let value = value(name) else { return nil }
        guard value.kind == .object else { throw .invalid(name, "Field \"\(name)\" must be an object.") }
        return try RequestFields(value.raw, allowed: allowed, inside: name)
    }
}

extension OrderRequest {
    static let fields = [
        "client_order_id", "symbol", "side", "type", "time_in_force", "quantity", "limit_price", "stop_price", "trail",
        "post_only", "reduce_only", "leverage", "take_profit", "stop_loss", "oco_group",
    ]

    /// Reads a request; whether it makes sense is the exchange's business.
    init(_ fields: RequestFields, _ registry: MarketRegistry) throws(APIError) {
        guard let symbol = try fields.text("symbol") else { throw .missing("symbol", registry.allowedNames) }
        let market = try registry.market(symbol, status: .unprocessableContent)
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
            side: side, type: type, timeInForce: time, quantity: quantity,
            limitPrice: try fields.decimal("limit_price"),
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
