import Foundation
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
        /// Of a string what it says, of others the JSON as it stands.
        var text: String
    }

    private var values: [String: Value] = [:]

    /// - Parameters:
    ///   - body: an object whose fields have different names; an empty body is an empty object.
    ///   - allowed: the fields there are. Others are refused: a misspelt `stop_loss` must not be left out in silence.
    init(_ body: String, allowed: [String], inside parent: String? = nil) throws(APIError) {
        guard !body.isEmpty else { return }
        let duplicate: String?
        do throws(JSONError) {
            (values, duplicate) = try Self.read(body)
        } catch {
            throw APIError(
                .badRequest, "invalid_json",
                "The body is not a JSON object: \(error.problem.sentence) at byte \(error.offset).", field: parent)
        }
        // Readers differ in which of the two counts (RFC 8259 section 4): a check before this one may have seen the other.
        if let duplicate {
            throw .invalid(
                parent.map { "\($0).\(duplicate)" } ?? duplicate,
                "Field \"\(duplicate.prefix(40))\" is there more than once; send it once.")
        }
        for name in values.keys.filter({ !allowed.contains($0) }).sorted() {
            throw .invalid(
                parent.map { "\($0).\(name)" } ?? name,
                "There is no field \"\(name.prefix(40))\" here; "
                    + (allowed.isEmpty ? "none is allowed." : "allowed are \(allowed.joined(separator: ", "))."))
        }
    }

    private static func read(_ body: String) throws(JSONError) -> ([String: Value], duplicate: String?) {
        var result = Result<([String: Value], duplicate: String?), JSONError>.success(([:], nil))
        Array(body.utf8).withUnsafeBytes { bytes in
            result = Result { () throws(JSONError) in
                var values: [String: Value] = [:]
                var duplicate: String?
                var scanner = JSONScanner(bytes)
                try scanner.beginObject()
                while let key = try scanner.nextKey() {
                    let name = key.string
                    let kind = try scanner.kind()
                    let text = try kind == .string ? scanner.string().string : String(utf8: scanner.rawValue())
                    let value = Value(kind: kind, text: text)
                    if values.updateValue(value, forKey: name) != nil { duplicate = duplicate ?? name }
                }
                try scanner.end()
                return (values, duplicate)
            }
        }
        return try result.get()
    }

    /// Whether the field is there, `null` included.
    func has(_ name: String) -> Bool { values[name] != nil }

    private func value(_ name: String) -> Value? {
        guard let value = values[name], value.kind != .null else { return nil }
        return value
    }

    func text(_ name: String) throws(APIError) -> String? {
        guard let value = value(name) else { return nil }
        guard value.kind == .string else { throw .invalid(name, "Field \"\(name)\" must be a string.") }
        return value.text
    }

    /// A decimal, as a string or a number, read digit by digit.
    func decimal(_ name: String) throws(APIError) -> ExactDecimal? {
        guard let value = value(name) else { return nil }
        guard value.kind == .string || value.kind == .number, let decimal = ExactDecimal(value.text) else {
            throw .invalid(
                name,
                "Field \"\(name)\" must be a decimal as a string (\"0.25\"), with at most \(ExactDecimal.decimals) decimals "
                    + "and between -10^22 and 10^22.")
        }
        return decimal
    }

    /// `nil` where the field is not there; none in it where it is `null`.
    func change(_ name: String) throws(APIError) -> ExactDecimal?? { has(name) ? .some(try decimal(name)) : nil }

    func integer(_ name: String) throws(APIError) -> Int? {
        guard let value = value(name) else { return nil }
        guard value.kind == .number, let number = Int(value.text) else {
            throw .invalid(name, "Field \"\(name)\" must be a whole number.")
        }
        return number
    }

    func flag(_ name: String) throws(APIError) -> Bool? {
        guard let value = value(name) else { return nil }
        guard value.kind == .bool else { throw .invalid(name, "Field \"\(name)\" must be true or false.") }
        return value.text == "true"
    }

    /// A word that this version knows, in letters of either case.
    /// - Parameter standard: where the field is not there; `nil`: it has to be.
    func word<Word: OpenEnum>(_ name: String, _ standard: Word?) throws(APIError) -> Word {
        var allowed: String { Word.known.map(\.rawValue).joined(separator: ", ") }
        guard let text = try text(name) else {
            guard let standard else { throw .missing(name, allowed) }
            return standard
        }
        let word = Word(rawValue: text.lowercased())
        guard Word.known.contains(word) else { throw .unknownWord(name, text, allowed) }
        return word
    }

    func object(_ name: String, allowed: [String]) throws(APIError) -> RequestFields? {
        guard let value = value(name) else { return nil }
        guard value.kind == .object else { throw .invalid(name, "Field \"\(name)\" must be an object.") }
        return try RequestFields(value.text, allowed: allowed, inside: name)
    }
}

extension OrderRequest {
    static let fields = [
        "client_order_id", "symbol", "side", "type", "time_in_force", "quantity", "limit_price", "stop_price", "trail",
        "post_only", "reduce_only", "leverage", "take_profit", "stop_loss", "oco_group",
    ]

    /// Reads a request; whether it makes sense is the exchange's business. One without a client order id gets a new one, so that
    /// sending it again makes another order.
    init(_ fields: RequestFields, _ registry: MarketRegistry) throws(APIError) {
        guard let symbol = try fields.text("symbol") else { throw .missing("symbol", registry.allowedNames) }
        let market = try registry.market(symbol, status: .unprocessableContent)
        guard let quantity = try fields.decimal("quantity") else { throw .missing("quantity", "a decimal above 0") }
        let (side, type) = (try fields.word("side", nil as Side?), try fields.word("type", nil as OrderType?))
        let time = try fields.word("time_in_force", TimeInForce.gtc)
        self.init(
            clientOrderID: try fields.text("client_order_id") ?? "server-\(UUID().uuidString.lowercased())",
            symbol: registry.markets[market].symbol,
            side: side, type: type, timeInForce: time, quantity: quantity,
            limitPrice: try fields.decimal("limit_price"), stopPrice: try fields.decimal("stop_price"),
            trail: try Self.trail(fields), postOnly: try fields.flag("post_only") ?? false,
            reduceOnly: try fields.flag("reduce_only") ?? false,
            leverage: try fields.integer("leverage"), takeProfit: try fields.decimal("take_profit"),
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
            .unprocessableContent, "missing_field",
            "Field \"\(field)\" is missing; it must be: \(allowed).", field: field)
    }

    static func unknownWord(_ field: String, _ word: String, _ allowed: String) -> APIError {
        APIError(
            .unprocessableContent, "invalid_field",
            "Field \"\(field)\" cannot be \"\(word.prefix(40))\"; allowed are \(allowed).", field: field)
    }
}
