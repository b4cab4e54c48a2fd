import Foundation

/// Reads the few messages that are about requests; data does not come this way.
enum FeedAnswerReader {
    /// `nil` where the message is something else.
    static func read<Answer: Decodable>(_ type: Answer.Type, _ message: UnsafeRawBufferPointer) -> Answer? {
        try? JSONDecoder().decode(type, from: Data(message))
    }

    /// A text as a JSON string with its quotes.
    static func quoted(_ text: String) -> String {
        var out = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out + "\""
    }

    /// Texts as the inside of a JSON array.
    static func list(_ texts: [String]) -> String { texts.map(quoted).joined(separator: ",") }

    /// What is wrong with a symbol made of other characters than these.
    static func flaw(of symbol: String, _ title: String, example: String, allows: (Character) -> Bool) -> String? {
        guard !symbol.isEmpty, symbol.count <= 40, symbol.allSatisfy(allows) else {
            return "\(title) has no symbol \"\(symbol)\"; its symbols look like \(example)."
        }
        return nil
    }
}

extension Character {
    var isUpperSymbol: Bool { isASCII && (isUppercase || isNumber) }
    var isLowerSymbol: Bool { isASCII && (isLowercase || isNumber) }
}
