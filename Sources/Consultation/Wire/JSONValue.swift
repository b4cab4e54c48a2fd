/// Any JSON value, typed: what a template's further fields and a tool's arguments are.
///
/// Numbers are doubles; money travels as strings, as everywhere in this product.
public enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// A member of an object; `nil` where there is none, or where this is no object.
    public subscript(key: String) -> JSONValue? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    public var text: String? { if case .string(let text) = self { text } else { nil } }
    public var number: Double? { if case .number(let number) = self { number } else { nil } }
    public var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
    public var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
    public var members: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }

    /// A whole number within ±2^53.
    public var integer: Int? {
        guard let number, number.magnitude <= 9_007_199_254_740_992 else { return nil }
        return Int(exactly: number)
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int) { self = .number(Double(value)) }
    public init(floatLiteral value: Double) { self = .number(value) }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
}
