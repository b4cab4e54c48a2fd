internal import StreamCore
internal import TradingCore

/// One field of a template, and what may stand in it.
public struct TemplateField: Sendable, Hashable {
    public enum Shape: Sendable, Hashable {
        case text
        case word([String])
        /// Above 0, as text, so that no digit is lost. A number is accepted too.
        case decimal
        case texts
        case objects
    }

    public var name: String
    public var shape: Shape
    /// Said to the model.
    public var purpose: String
    public var isRequired: Bool

    public init(_ name: String, _ shape: Shape, _ purpose: String, isRequired: Bool = true) {
        self.name = name
        self.shape = shape
        self.purpose = purpose
        self.isRequired = isRequired
    }

    /// Elements of a list.
    static let mostElements = 100

    func checked(_ value: JSONValue) throws(EnvelopeError) -> JSONValue {
        switch shape {
        case .text:
            guard let text = value.text, 1...200 ~= text.utf8.count else { throw wrong("a text of 1 to 200 bytes") }
            return value
        case .word(let words):
            guard let text = value.text, words.contains(text) else {
                throw wrong("one of \(words.joined(separator: ", "))")
            }
            return value
        case .decimal:
            guard let decimal = (value.text ?? value.number.map { "\($0)" }).flatMap({ ExactDecimal($0) }),
                decimal.isPositive
            else { throw wrong("a decimal above 0") }
            return .string(decimal.description)
        case .texts:
            guard let elements = value.elements, 1...Self.mostElements ~= elements.count,
                elements.allSatisfy({ 1...200 ~= ($0.text ?? "").utf8.count })
            else { throw wrong("a list of 1 to \(Self.mostElements) texts") }
            return value
        case .objects:
            guard let elements = value.elements, 1...Self.mostElements ~= elements.count,
                elements.allSatisfy({ $0.members != nil })
            else { throw wrong("a list of 1 to \(Self.mostElements) objects") }
            return value
        }
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
