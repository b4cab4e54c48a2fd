import Foundation

/// What a request says: a JSON object whose decimals are text, so that they stay as they were typed.
struct RequestBody: Encodable {
    enum Value: Encodable {
        case text(String)
        case number(Int)
        case flag(Bool)
        case object(RequestBody)
        /// Removes what was there.
        case null

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .text(let text): try container.encode(text)
            case .number(let number): try container.encode(number)
            case .flag(let flag): try container.encode(flag)
            case .object(let object): try container.encode(object)
            case .null: try container.encodeNil()
            }
        }
    }

    private(set) var fields: [String: Value] = [:]

    /// Sets a field; does nothing for `nil`.
    mutating func set(_ name: String, _ value: Value?) {
        if let value { fields[name] = value }
    }

    mutating func set(_ name: String, text: String?) { set(name, text.map(Value.text)) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(fields)
    }

    func data() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }
}
