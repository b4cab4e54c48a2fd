import MarketModel

/// Reads and builds a simulated provider's messages by their shape.
struct ProviderMessages {
    let provider: SimulatedProvider

    /// A sort's rows in a message, with the message around them.
    struct Row {
        var sort: SimulatedProvider.Sort
        var message: VenueJSON
        var row: VenueJSON

        func value(_ field: String) -> VenueJSON? {
            guard let field = sort.fields[field] else { return nil }
            return (field.isFromMessage ? message : row)[field.path]
        }
    }

    /// The rows of what was sent at once.
    func rows(_ json: VenueJSON, _ sorts: [SimulatedProvider.Sort?]) -> [Row] {
        let isOne = provider.type?.first.flatMap { Int($0) } != nil
        var messages = [json]
        if !isOne, let list = json.array { messages = list }
        var rows: [Row] = []
        for message in messages {
            for sort in sorts.compactMap({ $0 }) where isOf(sort, message) {
                let found = sort.rows.map { message[$0] } ?? message
                let list = sort.rows == nil ? nil : found?.array.flatMap { $0.first.map(Self.isRow) ?? true ? $0 : nil }
                rows += (list ?? found.map { [$0] } ?? []).map { Row(sort: sort, message: message, row: $0) }
                break
            }
        }
        return rows
    }

    private static func isRow(_ json: VenueJSON) -> Bool {
        switch json {
        case .object, .array: true
        case .string, .number, .bool, .null: false
        }
    }

    private func isOf(_ sort: SimulatedProvider.Sort, _ message: VenueJSON) -> Bool {
        guard let type = provider.type else {
            return (sort.rows ?? sort.fields["price"]?.path ?? sort.fields["close"]?.path).map { message[$0] != nil }
                ?? false
        }
        guard let value = message[type] else { return false }
        return sort.types.contains(value.string ?? value.text)
    }

    /// Nanoseconds since 1970.
    static func time(_ json: VenueJSON?, _ unit: String) -> Int64? {
        guard let text = json?.digits, text.utf8.count < 40 else { return nil }
        var found: Int64?
        if unit == "iso8601" {
            TimeTokens.forEach(in: Array("\"\(text)\"".utf8)) { found = $0.nanoseconds }
            return found
        }
        guard let value = Double(text), value > 0, value < 4e18 else { return nil }
        let perSecond = Self.perSecond(unit)
        if let whole = Int64(text) { return perSecond > 0 ? whole.multipliedOrNil(1_000_000_000 / perSecond) : nil }
        let seconds = value / Double(perSecond)
        return seconds < 9e9 ? Int64((seconds * 1e6).rounded()) * 1000 : nil
    }

    private static func perSecond(_ unit: String) -> Int64 {
        ["ms": 1000, "us": 1_000_000, "ns": 1_000_000_000][unit] ?? 1
    }

    static func written(_ nanoseconds: Int64, _ unit: String) -> VenueJSON {
        if unit == "iso8601" { return .string(RFC3339.text(nanoseconds: nanoseconds, fractionDigits: 3)) }
        let perUnit = 1_000_000_000 / perSecond(unit)
        let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: perUnit)
        guard rest > 0, unit == "s" else { return .number("\(whole)") }
        // Seconds with milliseconds: 1732130000.5
        let digits = "\(1000 + rest / 1_000_000)".dropFirst()
        return .number("\(whole).\(digits)")
    }

    /// A message of a sort with one row each.
    func message(_ sort: SimulatedProvider.Sort, _ rows: [[String: VenueJSON]]) -> String {
        var message = VenueJSON.object([])
        if provider.type?.first.flatMap({ Int($0) }) != nil { message = .array([]) }
        if let type = provider.type, let name = sort.types.first { message = message.placing(.string(name), at: type) }
        var built: [VenueJSON] = []
        for values in rows {
            var row = sort.rows == nil ? message : VenueJSON.null
            for (name, field) in sort.fields.sorted(by: { $0.key < $1.key }) {
                guard let value = values[name] else { continue }
                if field.isFromMessage, sort.rows != nil {
                    message = message.placing(value, at: field.path)
                } else {
                    row = row.placing(value, at: field.path)
                }
            }
            built.append(row)
        }
        guard let path = sort.rows else { return (built.first ?? message).text }
        return message.placing(.array(built), at: path).text
    }
}

extension Int64 {
    fileprivate func multipliedOrNil(_ factor: Int64) -> Int64? {
        let (product, isTooLarge) = multipliedReportingOverflow(by: factor)
        return isTooLarge ? nil : product
    }
}
