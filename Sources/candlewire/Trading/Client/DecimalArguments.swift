import ArgumentParser
import MarketServices
import TradingCore

/// Exact decimals on the command line: no binary number ever stands for them.
extension ExactDecimal {
    /// Digits, with perhaps a point between.
    static func argument(_ text: String) throws -> ExactDecimal {
        guard let value = ExactDecimal(text) else {
            throw ValidationError("“\(text)” is not a decimal number of at most \(decimals) decimals.")
        }
        return value
    }

    /// The same, above 0 and in plain notation.
    static func positiveArgument(_ text: String) throws -> ExactDecimal {
        guard isPlain(text) else {
            throw ValidationError("“\(text)” is not a decimal number above 0, such as 0.05 or 67234.5.")
        }
        return try argument(text)
    }

    fileprivate static func isPlain(_ text: some StringProtocol) -> Bool {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let areDigits = parts.allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
        }
        return areDigits && text.utf8.contains { $0 >= 0x31 && $0 <= 0x39 }
    }
}

extension BracketPrice {
    /// A price, or `none`, which removes the order.
    static func argument(_ text: String) throws -> BracketPrice {
        text == "none" ? .none : .price(try ExactDecimal.positiveArgument(text))
    }
}

extension Trail {
    /// The distance of a trailing stop: an amount of the quote currency, or a percentage of the price.
    static func argument(_ text: String) throws -> Trail {
        let number = text.hasSuffix("%") ? text.dropLast() : text[...]
        guard ExactDecimal.isPlain(number), let distance = ExactDecimal(number) else {
            throw ValidationError("“\(text)” is not a distance: a number above 0, or one with %, such as 250 or 1%.")
        }
        return text.hasSuffix("%") ? .percent(distance) : .amount(distance)
    }
}
