import ArgumentParser

/// A decimal number on the command line. It stays the text that was typed: no binary number ever stands for it.
struct DecimalArgument: ExpressibleByArgument, Equatable {
    let text: String

    init?(argument: String) {
        guard Self.isDecimal(argument) else { return nil }
        text = argument
    }

    /// Digits, with perhaps a point between; above 0.
    static func isDecimal(_ text: some StringProtocol) -> Bool {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let areDigits = parts.allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
        }
        return areDigits && text.utf8.contains { $0 >= 0x31 && $0 <= 0x39 }
    }

    static func parse(_ text: String) throws -> DecimalArgument {
        guard let decimal = DecimalArgument(argument: text) else {
            throw ValidationError("“\(text)” is no decimal number above 0, such as 0.05 or 67234.5.")
        }
        return decimal
    }
}

/// A price that can also be taken away.
enum PriceChange: Equatable {
    case none
    case price(DecimalArgument)

    static func parse(_ text: String) throws -> PriceChange {
        text == "none" ? .none : .price(try DecimalArgument.parse(text))
    }

    var value: RequestBody.Value {
        switch self {
        case .none: .null
        case .price(let price): .text(price.text)
        }
    }
}

/// How far a trailing stop follows: an amount of the quote currency, or a percentage of the price.
enum TrailArgument: Equatable {
    case amount(String)
    case percent(String)

    static func parse(_ text: String) throws -> TrailArgument {
        let number = text.hasSuffix("%") ? text.dropLast() : text[...]
        guard DecimalArgument.isDecimal(number) else {
            throw ValidationError("“\(text)” is no distance: a number above 0, or one with %, such as 250 or 1%.")
        }
        return text.hasSuffix("%") ? .percent(String(number)) : .amount(text)
    }

    var value: RequestBody.Value {
        var body = RequestBody()
        switch self {
        case .amount(let amount): body.set("amount", text: amount)
        case .percent(let percent): body.set("percent", text: percent)
        }
        return .object(body)
    }
}
