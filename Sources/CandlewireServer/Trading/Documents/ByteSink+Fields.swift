import StreamCore
import TradingCore

/// Members of JSON objects, each behind a comma.
extension ByteSink {
    mutating func name(_ name: StaticString) {
        json(",\"")
        json(name)
        json("\":")
    }

    mutating func field(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        self.name(name)
        string(text)
    }

    /// Decimals are strings: a reader that reads numbers as doubles would lose digits.
    mutating func field(_ name: StaticString, _ value: ExactDecimal?) {
        guard let value else { return }
        self.name(name)
        decimal(value)
    }

    mutating func field(_ name: StaticString, _ value: Double) {
        self.name(name)
        number(value)
    }

    mutating func field(_ name: StaticString, _ value: Int) {
        self.name(name)
        integer(value)
    }

    mutating func field(_ name: StaticString, _ value: Bool) {
        self.name(name)
        bool(value)
    }

    mutating func decimal(_ value: ExactDecimal) {
        json("\"")
        for byte in value.description.utf8 { append(byte) }
        json("\"")
    }

    mutating func list<Element>(
        _ name: StaticString, _ elements: some Sequence<Element>, _ write: (Element, inout Self) -> Void
    ) {
        self.name(name)
        json("[")
        var isFirst = true
        for element in elements {
            if !isFirst { json(",") }
            isFirst = false
            write(element, &self)
        }
        json("]")
    }
}
