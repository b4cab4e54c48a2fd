extension VenueJSON {
    /// The value at the end of a path.
    subscript(path: [String]) -> VenueJSON? {
        var value = self
        for step in path {
            let next = if case .array = value { Int(step).flatMap { value[$0] } } else { value[step] }
            guard let next else { return nil }
            value = next
        }
        return value
    }

    /// With a value at the end of a path, and what is needed on the way: objects, or arrays where a step is a number.
    func placing(_ value: VenueJSON, at path: some Collection<String>) -> VenueJSON {
        guard let step = path.first else { return value }
        if let index = Int(step) {
            var elements = array ?? []
            while elements.count <= index { elements.append(.null) }
            elements[index] = elements[index].placing(value, at: path.dropFirst())
            return .array(elements)
        }
        var members: [(key: String, value: VenueJSON)] = []
        if case .object(let known) = self { members = known }
        if let index = members.firstIndex(where: { $0.key == step }) {
            members[index].value = members[index].value.placing(value, at: path.dropFirst())
        } else {
            members.append((step, VenueJSON.null.placing(value, at: path.dropFirst())))
        }
        return .object(members)
    }

    /// What stands in the places of a template, by their names; `nil` where this is not the template filled.
    func places(of template: VenueJSON) -> [String: [String]]? {
        switch template {
        case .object(let members):
            guard case .object(let own) = self, own.count == members.count else { return nil }
            var found: [String: [String]] = [:]
            for (key, value) in members {
                guard let more = self[key]?.places(of: value) else { return nil }
                found.merge(more) { $0 + $1 }
            }
            return found
        case .array(let elements):
            guard let own = array, own.count == elements.count else { return nil }
            var found: [String: [String]] = [:]
            for (value, part) in zip(own, elements) {
                guard let more = value.places(of: part) else { return nil }
                found.merge(more) { $0 + $1 }
            }
            return found
        case .string("{symbols}"): return strings.map { ["symbols": $0] }
        case .string("{id}"): return digits.map { ["id": [$0]] }
        case .string(let text): return string?.places(of: text)
        case .number, .bool, .null: return self == template ? [:] : nil
        }
    }
}

extension String {
    /// What stands in the places of a template: `trade.{symbol}` of `trade.BTC-USD`.
    func places(of template: String) -> [String: [String]]? {
        guard let open = template.firstIndex(of: "{"), let close = template[open...].firstIndex(of: "}") else {
            return self == template ? [:] : nil
        }
        let before = template[..<open]
        let after = String(template[template.index(after: close)...])
        let name = String(template[template.index(after: open)..<close])
        guard hasPrefix(before) else { return nil }
        let rest = dropFirst(before.count)
        if after.isEmpty { return [name: [String(rest)]] }
        // Up to the first place at which what follows fits.
        var end = rest.startIndex
        while true {
            if var more = String(rest[end...]).places(of: after) {
                more[name, default: []].insert(String(rest[..<end]), at: 0)
                return more
            }
            guard end < rest.endIndex else { return nil }
            end = rest.index(after: end)
        }
    }
}
