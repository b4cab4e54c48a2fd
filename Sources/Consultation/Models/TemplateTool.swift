package import StreamCore
internal import TradingCore

/// A tool that a model may call to make a template, one for each kind.
package struct TemplateTool: Sendable, Hashable {
    package var kind: TemplateKind
    /// Said to the model.
    package var purpose: String
    /// The fields beside `name` and `description`.
    package var fields: [TemplateField]

    /// As a model calls it: `create_meal`.
    package var name: String { "create_\(kind.name)" }

    /// Every kind that this product opens.
    package static let all: [TemplateTool] = [
        TemplateTool(
            kind: .meal, purpose: "Creates a meal plan that the user can open.",
            fields: [.init("meals", .objects, "name, items and calories of each meal")]),
        TemplateTool(
            kind: .workout, purpose: "Creates a workout that the user can open.",
            fields: [.init("exercises", .objects, "name, sets and reps, or minutes, of each exercise")]),
        TemplateTool(
            kind: .wellness, purpose: "Creates a wellness routine that the user can open.",
            fields: [.init("practices", .texts, "what to do, in order")]),
        TemplateTool(
            kind: .chartLayout, purpose: "Creates a chart layout that the user can apply to the chart.",
            fields: [
                .init("symbol", .text, "a market as the server names it"),
                .init("timeframe", .text, "1s 5s 15s 1m 3m 5m 15m 30m 1h 2h 4h 6h 12h 1d 1w 1M"),
                .init("indicators", .texts, "for example sma20, ema50, rsi14, macd", isRequired: false),
            ]),
        TemplateTool(
            kind: .alert, purpose: "Creates a price alert that the user can switch on.",
            fields: [
                .init("symbol", .text, "a market as the server names it"),
                .init("condition", .word(["above", "below"]), "when it goes off"),
                .init("price", .decimal, "a decimal as text"),
            ]),
        TemplateTool(
            kind: .watchlist, purpose: "Creates a list of markets that the user can open.",
            fields: [.init("symbols", .texts, "markets as the server names them")]),
        TemplateTool(
            kind: .orderProposal,
            purpose: "Proposes a paper order. Nothing is traded unless the user approves the proposal.",
            fields: [
                .init("symbol", .text, "a market as the server names it"),
                .init("side", .word(["buy", "sell"]), "which way"),
                .init("order_type", .word(["market", "limit", "stop"]), "how"),
                .init("quantity", .decimal, "in the base currency, a decimal as text"),
                .init("limit_price", .decimal, "of limit orders, a decimal as text", isRequired: false),
                .init(
                    "stop_price", .decimal, "of stop orders: where the order becomes a market order", isRequired: false),
                .init("stop_loss", .decimal, "the price at which what was bought or sold is closed", isRequired: false),
                .init("take_profit", .decimal, "the price at which its profit is taken", isRequired: false),
            ]),
    ]

    /// What a call makes.
    /// - Throws: `EnvelopeError` where the tool is not known, the call is not readable, or a field is missing or not what it must be. Arguments come
    ///   from a model: nothing in them is trusted.
    package static func template(_ call: ToolCall, id: String) throws(EnvelopeError) -> Template {
        guard let tool = all.first(where: { $0.name == call.name }) else {
            throw EnvelopeError("There is no tool \"\(ChatCompletionStream.word(call.name))\".", field: "name")
        }
        guard call.isReadable else {
            throw EnvelopeError("The arguments of \(call.name) are not a JSON object.", field: "arguments")
        }
        guard let name = call.arguments["name"]?.text, 1...200 ~= name.utf8.count else {
            throw EnvelopeError("The field name is missing, empty or longer than 200 bytes.", field: "name")
        }
        let description = call.arguments["description"]?.text ?? ""
        guard description.utf8.count <= 2_000 else {
            throw EnvelopeError("The field description is longer than 2000 bytes.", field: "description")
        }
        var fields: [String: JSONValue] = [:]
        for field in tool.fields {
            guard let value = call.arguments[field.name], value != .null else {
                if field.isRequired { throw EnvelopeError("The field \(field.name) is missing.", field: field.name) }
                continue
            }
            fields[field.name] = try field.checked(value)
        }
        if tool.kind == .orderProposal {
            guard (fields["order_type"] == "limit") == (fields["limit_price"] != nil) else {
                throw EnvelopeError("A limit order has a limit_price, and a market order none.", field: "limit_price")
            }
            guard (fields["order_type"] == "stop") == (fields["stop_price"] != nil) else {
                throw EnvelopeError("A stop order has a stop_price, and other orders none.", field: "stop_price")
            }
            // Said on the card as well: there is no other kind.
            fields["mode"] = "paper"
        }
        return Template(id: id, kind: tool.kind, name: name, description: description, fields: fields)
    }

    /// The tool's arguments as JSON Schema, for models that accept tools.
    package var schema: JSONValue {
        var properties: [String: JSONValue] = [
            "name": ["type": "string", "description": "a short title"],
            "description": ["type": "string", "description": "one or two sentences"],
        ]
        for field in fields { properties[field.name] = field.schema }
        let required = ["name"] + fields.filter(\.isRequired).map(\.name)
        return ["type": "object", "properties": .object(properties), "required": .array(required.map { .string($0) })]
    }
}

/// One field of a template, and what may stand in it.
package struct TemplateField: Sendable, Hashable {
    package enum Shape: Sendable, Hashable {
        case text
        case word([String])
        /// Above 0, as text, so that no digit is lost. A number is accepted too.
        case decimal
        case texts
        case objects
    }

    package var name: String
    package var shape: Shape
    /// Said to the model.
    package var purpose: String
    package var isRequired: Bool

    package init(_ name: String, _ shape: Shape, _ purpose: String, isRequired: Bool = true) {
        self.name = name
        self.shape = shape
        self.purpose = purpose
        self.isRequired = isRequired
    }

    /// Elements of a list.
    static let maxElements = 100

    func checked(_ value: JSONValue) throws(EnvelopeError) -> JSONValue {
        switch shape {
        case .text: guard 1...200 ~= (value.text ?? "").utf8.count else { throw wrong("a text of 1 to 200 bytes") }
        case .word(let words):
            guard words.contains(value.text ?? "") else { throw wrong("one of \(words.joined(separator: ", "))") }
        case .decimal:
            guard let decimal = (value.text ?? value.number.map { "\($0)" }).flatMap({ ExactDecimal($0) }),
                decimal.isPositive
            else { throw wrong("a decimal above 0") }
            return .string(decimal.description)
        case .texts, .objects:
            let wantsText = shape == .texts
            guard let elements = value.elements, 1...Self.maxElements ~= elements.count,
                elements.allSatisfy({ wantsText ? 1...200 ~= ($0.text ?? "").utf8.count : $0.members != nil })
            else { throw wrong("a list of 1 to \(Self.maxElements) \(wantsText ? "texts" : "objects")") }
        }
        return value
    }

    private func wrong(_ allowed: String) -> EnvelopeError {
        EnvelopeError("The field \(name) must be \(allowed).", field: name)
    }

    var schema: JSONValue {
        switch shape {
        case .text, .decimal: ["type": "string", "description": .string(purpose)]
        case .word(let words):
            ["type": "string", "enum": .array(words.map { .string($0) }), "description": .string(purpose)]
        case .texts: ["type": "array", "items": ["type": "string"], "description": .string(purpose)]
        case .objects: ["type": "array", "items": ["type": "object"], "description": .string(purpose)]
        }
    }
}
