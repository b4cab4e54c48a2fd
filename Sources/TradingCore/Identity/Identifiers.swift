/// An account: `paper-main` in text, `main` being its name.
public struct AccountID<Mode: TradingMode>: TradingIdentifier {
    /// Kept, since it is written far more often than the name.
    public let description: String

    /// 1 to 32 ASCII letters, digits and underscores: never a hyphen, which ends it in the ids of orders and positions.
    public var name: String { String(Substring(description.utf8.dropFirst(Mode.name.utf8.count + 1))) }

    public init(name: String) throws(IdentifierError) {
        guard (1...32).contains(name.utf8.count), name.utf8.allSatisfy(Self.isAllowed) else {
            throw .badAccountName(name)
        }
        description = Mode.name + "-" + name
    }

    /// Throws where the text begins with another mode's name.
    public init(_ text: String) throws(IdentifierError) {
        let (account, rest) = try Self.split(text)
        guard rest == nil else { throw .malformed(text) }
        self = account
    }

    /// Splits `paper-main-o17` into the account and `o17`.
    static func split(_ text: String) throws(IdentifierError) -> (AccountID, rest: Substring?) {
        let prefix = Mode.name + "-"
        guard text.hasPrefix(prefix) else { throw .otherMode(expected: Mode.name, text: text) }
        let tail = text.dropFirst(prefix.count)
        guard let hyphen = tail.firstIndex(of: "-") else { return (try AccountID(name: String(tail)), nil) }
        return (try AccountID(name: String(tail[..<hyphen])), tail[tail.index(after: hyphen)...])
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

/// An id as text, also in JSON: reading one of another mode or kind throws and names it.
public protocol TradingIdentifier: Hashable, Codable, Sendable, CustomStringConvertible {
    init(_ text: String) throws(IdentifierError)
}

extension TradingIdentifier {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        do throws(IdentifierError) {
            try self.init(text)
        } catch {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// What an account numbers: its orders and its fills.
public protocol NumberedKind: Sendable {
    /// What stands before the number in an id.
    static var letter: Character { get }
}

public enum OrderKind: NumberedKind { public static var letter: Character { "o" } }
public enum FillKind: NumberedKind { public static var letter: Character { "f" } }

/// An order: `paper-main-o17`, the seventeenth of its account.
public typealias OrderID<Mode: TradingMode> = NumberedID<Mode, OrderKind>
/// A fill: `paper-main-f9`, the ninth of its account.
public typealias FillID<Mode: TradingMode> = NumberedID<Mode, FillKind>

/// The id of something that an account numbers. Numbers are never used twice.
public struct NumberedID<Mode: TradingMode, Kind: NumberedKind>: TradingIdentifier {
    public let account: AccountID<Mode>
    /// 1, 2, 3… within the account.
    public let number: Int

    public init(account: AccountID<Mode>, number: Int) {
        self.account = account
        self.number = number
    }

    /// Throws where the text begins with another mode's name or is not this kind of id.
    public init(_ text: String) throws(IdentifierError) {
        let (account, rest) = try AccountID<Mode>.split(text)
        // Of each number there is one way to write it.
        guard let rest, rest.first == Kind.letter, let number = Int(rest.dropFirst()), number > 0,
            rest.dropFirst() == String(number)
        else { throw .malformed(text) }
        self.init(account: account, number: number)
    }

    public var description: String {
        var text = account.description + "-"
        text.append(Kind.letter)
        return text + String(number)
    }
}

/// An account's position in a market: `paper-main-BTC-USD`. There is one at a time.
public struct PositionID<Mode: TradingMode>: TradingIdentifier {
    public let account: AccountID<Mode>
    public let symbol: String

    public init(account: AccountID<Mode>, symbol: String) {
        self.account = account
        self.symbol = symbol
    }

    /// Throws where the text begins with another mode's name or names no market.
    public init(_ text: String) throws(IdentifierError) {
        let (account, rest) = try AccountID<Mode>.split(text)
        guard let rest, !rest.isEmpty else { throw .malformed(text) }
        self.init(account: account, symbol: String(rest))
    }

    public var description: String { "\(account)-\(symbol)" }
}

/// Why a text is not an id of the expected kind.
public enum IdentifierError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The id begins with another mode's name, or none.
    case otherMode(expected: String, text: String)
    /// An account's name is 1 to 32 ASCII letters, digits and underscores.
    case badAccountName(String)
    /// The part after the account is not what the id's kind has there.
    case malformed(String)

    public var description: String {
        switch self {
        case .otherMode(let expected, let text): "\(text) is not an id of \(expected) trading"
        case .badAccountName(let name): "\(name) is not an account's name: 1 to 32 letters, digits and underscores"
        case .malformed(let text): "\(text) is not an id"
        }
    }
}
