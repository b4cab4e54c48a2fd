import StreamCore

/// What a venue's message is about.
public enum VenueMessageKind: Int, Sendable, CaseIterable {
    case trades
    /// The venue's own candles.
    case candles
    /// Best prices, or a day's figures.
    case quotes
    /// An order book or changes of it.
    case book
    /// Nothing happened, but the connection lives.
    case heartbeat
    /// A request was granted.
    case acknowledgement
    /// The venue did not do what it was requested.
    case refusal
    /// How the venue itself is.
    case status
    /// Well-formed and none of ours.
    case other
    /// It cannot be read; `VenueSession.Counts.flaws` says why.
    case malformed

    /// Its name in documents and listings.
    public var name: String { "\(self)" }
}

/// Why a message could not be read. It is lost with all that was in it, and counted.
public enum VenueFlaw: Int, Sendable, CaseIterable {
    case notJSON
    /// A value of another type, or a number that is none.
    case badValue
    case missingField
    /// Of a channel that was never announced, so that its market is unknown.
    case unknownChannel
    /// A length in a binary message that does not come out even with the others.
    case badLength

    /// Its name in documents and listings.
    public var name: String { snakeCase("\(self)") }
}

/// A message that claims to be of use, but is not.
enum ParseError: Error, Equatable {
    case json(JSONError)
    case missingField(String)
    case unknownChannel
    case badLength
    case badValue

    var flaw: VenueFlaw {
        switch self {
        case .json(let error):
            switch error.problem {
            case .wrongType, .invalidNumber: .badValue
            case .endOfInput, .unexpectedByte, .invalidEscape, .controlCharacter, .tooDeep, .trailingBytes: .notJSON
            }
        case .missingField: .missingField
        case .unknownChannel: .unknownChannel
        case .badLength: .badLength
        case .badValue: .badValue
        }
    }
}

/// How often each case of an enumeration came.
public struct Tally<Case: CaseIterable & RawRepresentable<Int> & Sendable>: Sendable, Equatable {
    private var counts = Array(repeating: 0, count: Case.allCases.count)

    public init() {}
    public subscript(_ element: Case) -> Int { counts[element.rawValue] }
    mutating func add(_ element: Case) { counts[element.rawValue] += 1 }
}

/// `notAPrice` as `not_a_price`, `notJSON` as `not_json`.
func snakeCase(_ name: String) -> String {
    let letters = Array(name)
    return letters.indices.reduce(into: "") { text, at in
        let isAfterWord = at > 0 && letters[at - 1].isLowercase
        let beginsWord = letters.dropFirst(at + 1).first?.isLowercase == true
        if letters[at].isUppercase, isAfterWord || beginsWord { text += "_" }
        text += letters[at].lowercased()
    }
}
