import StreamCore

/// Reads the few messages that are about requests; data does not come this way.
enum FeedAnswerReader {
    /// `nil` where the message is not JSON.
    static func read(_ message: Bytes) -> JSONValue? { try? JSONValue(parsing: message) }

    /// What a venue says against a request: all that it says, or that it gave no reason; an empty text is none.
    static func reason(_ texts: [String?], code: Int? = nil) -> String {
        let words = texts.compactMap { $0 }.filter { $0.contains { !$0.isWhitespace } }.joined(separator: ": ")
        return (words.isEmpty ? "the venue gave no reason" : words) + (code.map { " (code \($0))" } ?? "")
    }

    /// A text as a JSON string with its quotes.
    static func quoted(_ text: String) -> String { JSONValue.string(text).json }

    /// Texts as the inside of a JSON array.
    static func list(_ texts: [String]) -> String { texts.map(quoted).joined(separator: ",") }
}

extension String {
    /// Whether a symbol may be written so, of these characters.
    func isSymbol(_ allows: (Character) -> Bool) -> Bool { !isEmpty && count <= 40 && allSatisfy(allows) }

    /// The same of capitals, digits and `others`.
    /// - Parameter separator: must be there, between the currencies.
    func isUpperSymbol(with others: String = "", separator: Character? = nil) -> Bool {
        isSymbol { $0.isUpperSymbol || others.contains($0) } && separator.map(contains) ?? true
    }
}

extension JSONValue {
    /// An array's texts; `nil` where one is something else.
    var texts: [String]? {
        guard let elements else { return nil }
        let texts = elements.compactMap(\.text)
        return texts.count == elements.count ? texts : nil
    }
}

extension Character {
    var isUpperSymbol: Bool { isASCII && (isUppercase || isNumber) }
    var isLowerSymbol: Bool { isASCII && (isLowercase || isNumber) }
}

/// What a venue's reason for a refusal says of the next attempt.
enum RefusalReason {
    /// Whether it is temporary and not about what was requested: another request in a while may help. Kraken writes
    /// `EService:Busy`, `EGeneral:Too many requests` and `Exceeded msg rate`; others say the same in words.
    static func isPassing(_ reason: String) -> Bool {
        let reason = reason.lowercased()
        return words.contains { reason.contains($0) }
    }

    private static let words = [
        "eservice:", "msg rate", "rate limit", "too many requests", "too many messages", "try again", "temporarily",
        "service unavailable", "timed out", "internal error", "internal server error", "system busy",
    ]
}
