import StreamCore

/// Why a message could not be read. It is lost with all that was in it, and counted.
public enum VenueFlaw: Int, Sendable, CaseIterable {
    case notJSON
    /// A value of another type, or a number that is none.
    case badValue
    case missingField
    /// Of a channel that was never announced, so that nobody knows which market it is about.
    case unknownChannel
    /// A length in a binary message that does not come out even with the others.
    case badLength

    /// Its name in documents and listings.
    public var name: String {
        switch self {
        case .notJSON: "not_json"
        case .badValue: "bad_value"
        case .missingField: "missing_field"
        case .unknownChannel: "unknown_channel"
        case .badLength: "bad_length"
        }
    }
}

/// A message that claims to be of use, but is not.
enum VenueParseError: Error, Equatable {
    case json(JSONError)
    case missingField(StaticString)
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

    static func == (a: VenueParseError, b: VenueParseError) -> Bool {
        switch (a, b) {
        case (.json(let a), .json(let b)): a == b
        case (.missingField(let a), .missingField(let b)): a.description == b.description
        case (.unknownChannel, .unknownChannel), (.badLength, .badLength), (.badValue, .badValue): true
        default: false
        }
    }
}
