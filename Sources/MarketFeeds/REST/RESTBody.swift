import MarketModel
import StreamCore

enum RESTBody {
    /// Reads a whole answer; whatever is wrong with it becomes one sentence.
    static func read<Value>(
        _ body: [UInt8], of name: String, as what: String, _ read: (inout JSONScanner) throws -> Value
    ) throws(HistoryError) -> Value {
        do {
            return try body.withUnsafeBytes { bytes in
                var scanner = JSONScanner(bytes)
                let value = try read(&scanner)
                try scanner.end()
                return value
            }
        } catch let error as HistoryError {
            throw error
        } catch let error as JSONError {
            throw HistoryError(
                .invalidResponse,
                "The answer of \(name) is not a valid \(what): at byte \(error.offset), \(error.problem.sentence).")
        } catch { throw HistoryError(.invalidResponse, "The answer of \(name) is not a valid \(what).") }
    }

    /// Reads the rows of an answer, but for those of which `row` makes nothing.
    /// - Throws: `HistoryError` of kind `refused` where the answer says that it is a refusal.
    static func rows<Row>(
        _ rows: HistoryLayout.Rows, _ refusal: HistoryLayout.Refusal? = nil, in body: [UInt8], of name: String,
        _ row: (inout JSONScanner) throws -> Row?
    ) throws(HistoryError) -> [Row] {
        try read(body, of: name, as: rows.name) { scanner in
            var found: [Row]?
            var code = refusal?.success ?? ""
            var message = ""
            func read(_ scanner: inout JSONScanner, at path: ArraySlice<StaticString>) throws {
                guard let step = path.first else {
                    var list: [Row] = []
                    try scanner.eachElement { scanner in if let one = try row(&scanner) { list.append(one) } }
                    found = list
                    return
                }
                try scanner.eachField { key, scanner in
                    if key.equals(step) {
                        try read(&scanner, at: path.dropFirst())
                    } else if let refusal, key.equals(refusal.code) {
                        code = try scanner.anyText()
                    } else if let refusal, key.equals(refusal.message) {
                        message = try scanner.anyText()
                    } else {
                        try scanner.skipValue()
                    }
                }
            }
            try read(&scanner, at: rows.path[...])
            if let refusal, code != refusal.success, !code.isEmpty {
                throw HistoryError(.refused, "\(name) says “\(quoted(message))” (\(quoted(code))).")
            }
            guard let found else { throw ParseError.missingField("\(rows.path.last ?? "")") }
            return found
        }
    }

    /// The first of these fields that an object has as text, not longer than a sentence.
    static func text(of names: [StaticString], in body: [UInt8]) -> String? {
        body.withUnsafeBytes { bytes -> String? in
            var scanner = JSONScanner(bytes)
            var text = ""
            var isFound = false
            try? scanner.eachField { key, scanner in
                guard !isFound, names.contains(where: { key.equals($0) }), try scanner.kind() == .string else {
                    return try scanner.skipValue()
                }
                text = quoted(try scanner.string().string)
                isFound = true
            }
            return text.isEmpty ? nil : text
        }
    }

    /// A venue's own words for a sentence of ours: without what could do things to a terminal, and not endless.
    static func quoted(_ text: String) -> String {
        String(text.unicodeScalars.filter { $0.properties.generalCategory != .control }.prefix(200).map(Character.init))
    }

    /// Digits after the point of an increment: `0.0100` has two.
    static func decimals(_ increment: String) -> Int? {
        var increment = increment
        return increment.withUTF8 { text in
            let raw = UnsafeRawBufferPointer(text)
            guard DecimalParser.parseWhole(raw) != nil else { return nil }
            return VenueDecimal.decimals(of: raw)
        }
    }
}

extension JSONScanner {
    mutating func eachElement(_ body: (inout JSONScanner) throws -> Void) throws {
        try beginArray()
        while try nextElement() { try body(&self) }
    }

    /// Walks over an object; a field that `body` does not read must be skipped by it.
    mutating func eachField(_ body: (JSONText, inout JSONScanner) throws -> Void) throws {
        try beginObject()
        while let key = try nextKey() { try body(key, &self) }
    }

    /// A row of at least `count` numbers, with or without quotes; what follows them is skipped.
    mutating func numbers(_ count: Int) throws -> [Double] {
        var numbers: [Double] = []
        numbers.reserveCapacity(count)
        try beginArray()
        while try nextElement() {
            if numbers.count < count { numbers.append(try decimalString()) } else { try skipValue() }
        }
        guard numbers.count == count else { throw JSONError(.wrongType, at: offset) }
        return numbers
    }

    /// A text, or what stands there instead, as text.
    mutating func anyText() throws -> String {
        if try kind() == .string { return try string().string }
        return String(decoding: try rawValue(), as: UTF8.self)
    }
}
