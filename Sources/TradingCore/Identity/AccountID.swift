/// An account: `paper-main` in text, `main` being its name.
public struct AccountID<Mode: TradingMode>: Hashable, Sendable, CustomStringConvertible {
    /// 1 to 32 ASCII letters, digits and underscores: never a hyphen, which ends it in the ids of orders and positions.
    public let name: String

    public init(name: String) throws(IdentifierError) {
        guard (1...32).contains(name.utf8.count), name.utf8.allSatisfy(Self.isAllowed) else {
            throw .badAccountName(name)
        }
        self.name = name
    }

    /// Throws where the text begins with another mode's name.
    public init(_ text: String) throws(IdentifierError) {
        let (account, rest) = try Self.split(text)
        guard rest == nil else { throw .malformed(text) }
        self = account
    }

    public var description: String { "\(Mode.name)-\(name)" }

    /// Splits `paper-main-o17` into the account and `o17`.
    static func split(_ text: String) throws(IdentifierError) -> (AccountID, rest: Substring?) {
        let prefix = Mode.name + "-"
        guard text.hasPrefix(prefix) else { throw .otherMode(expected: Mode.name, text: text) }
        let tail = text.dropFirst(prefix.count)
        guard let hyphen = tail.firstIndex(of: "-") else { return (try AccountID(name: String(tail)), nil) }
        return (try AccountID(name: String(tail[..<hyphen])), tail[tail.index(after: hyphen)...])
    }

    /// Reads `paper-main-o17` where `kind` is "o": the account and 17. Of each number there is one way to write it.
    static func numbered(_ text: String, kind: Character) throws(IdentifierError) -> (AccountID, number: Int) {
        let (account, rest) = try split(text)
        guard let rest, rest.first == kind, let number = Int(rest.dropFirst()), number > 0,
            rest.dropFirst() == String(number)
        else { throw .malformed(text) }
        return (account, number)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

extension AccountID: Codable {
    public init(from decoder: any Decoder) throws {
        self = try decodeIdentifier(from: decoder) { text throws(IdentifierError) in try AccountID(text) }
    }

    public func encode(to encoder: any Encoder) throws { try encodeIdentifier(self, to: encoder) }
}

/// Decoding errors that say what is wrong with the id.
func decodeIdentifier<ID>(
    from decoder: any Decoder, _ parse: (String) throws(IdentifierError) -> ID
) throws -> ID {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    do throws(IdentifierError) {
        return try parse(text)
    } catch {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
    }
}

func encodeIdentifier(_ id: some CustomStringConvertible, to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(id.description)
}
