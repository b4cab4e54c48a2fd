import Foundation
import StreamCore

/// Looks for secrets in what is sent: a tree, or a text; JSON may be written as a text, too, at any depth.
struct RequestSecrets {
    struct Found {
        /// From the file's key to the value's.
        var path: String
        var offset: Int
    }

    /// What holds a value lets stand there.
    private enum Holder: Int {
        case anything
        /// What no secret is.
        case plain
        /// The place of the token, or the names of markets.
        case secret
    }

    private struct Place {
        var path: String
        var holder = Holder.anything
        var isWho = false
        var isBesideToken = false
        /// A value in an object or an array: one word is a topic there, as `auth:lobby`.
        var isMember = false
        /// Where the text stands, for a value within one.
        var text: Int?
    }

    let isLogin: Bool

    /// Where a secret stands, or what reads as one.
    func find(in node: JSONNode, at key: String) -> Found? { find(in: node, Place(path: key)) }

    private func find(in node: JSONNode, _ place: Place) -> Found? {
        let here = Found(path: place.path, offset: place.text ?? node.offset)
        switch node.value {
        case .object(let members):
            let inside = inherited(place, members.map(\.node))
            for (key, _, member) in members {
                if let found = find(in: member, self.place(key, member, inside)) { return found }
            }
            return nil
        case .array(let elements):
            var inside = inherited(place, elements)
            inside.isBesideToken = elements.contains(where: Self.hasToken)
            for (index, element) in elements.enumerated() {
                inside.path = "\(place.path).\(index)"
                if let found = find(in: element, inside) { return found }
            }
            return nil
        case .string(let words):
            guard let tree = Self.tree(words) else { return isRefused(words, place) ? here : nil }
            var inside = place
            inside.text = here.offset
            return find(in: tree, inside)
        case .number(_, let digits): return isRefused(digits, by: place.holder) ? here : nil
        case .bool, .null: return nil
        }
    }

    /// Where the place of the token is, what goes with it need only be plain: a host, a time to live.
    private func inherited(_ place: Place, _ nodes: [JSONNode]) -> Place {
        var inside = place
        inside.isMember = true
        if place.holder == .secret, nodes.contains(where: Self.hasToken) { inside.holder = .plain }
        return inside
    }

    private static func hasToken(_ node: JSONNode) -> Bool { SecretWords.hasToken(node.json) }

    /// What a request does, which is not a secret wherever it stands.
    private static let kinds: Set<String> = ["op", "action", "event", "method", "type", "command", "channel"]

    private func place(_ key: String, _ node: JSONNode, _ inside: Place) -> Place {
        var place = inside
        place.path = "\(inside.path).\(ProviderSecrets.shown(key))"
        place.isWho = false
        place.isBesideToken = false
        switch SecretWords.naming(key) {
        case .secret: place.holder = .secret
        case .who:
            place.holder = .anything
            place.isWho = true
        case .key, .someKey:
            // Of a subscription, a key may be that of a channel.
            if isLogin { place.holder = .secret } else if inside.holder == .anything { place.holder = .plain }
        case .none: if case .string = node.value, Self.kinds.contains(key.lowercased()) { place.holder = .anything }
        }
        return place
    }

    private func isRefused(_ words: String, by holder: Holder) -> Bool {
        switch holder {
        case .anything: false
        case .plain: !SecretWords.isPlain(words)
        case .secret: !SecretWords.isFilled(words) && !SecretWords.isTopicTemplate(words)
        }
    }

    private func isRefused(_ words: String, _ place: Place) -> Bool {
        // What is no word in a login may be a secret under any name, and without one.
        isRefused(words, by: place.holder)
            || namesSecret(words, isTopic: place.isMember && !words.contains(where: \.isWhitespace))
            || isLogin && !place.isWho && !SecretWords.isPlain(words, isBesideToken: place.isBesideToken)
    }

    /// Whether a secret has its name before it: `?token=…`, `Authorization: Bearer …`.
    private func namesSecret(_ text: String, isTopic: Bool) -> Bool {
        let words = text.removingPercentEncoding ?? text
        return words.indices.contains { index in
            guard words[index] == "=" || words[index] == ":" else { return false }
            let before = words[..<index].suffix(Self.maxNameLength).reversed().drop { Self.quotes.contains($0) }
            let name = before.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }.reversed()
            let value = words[words.index(after: index)...].prefix(Self.maxValueLength)
            let isJoined = isTopic && words[index] == ":" && words[..<index].last.map(Self.quotes.contains) == false
            return switch SecretWords.naming(String(name)) {
            case .none, .who: false
            case .secret: isRefused(Self.value(value), by: isJoined ? .plain : .secret)
            case .key, .someKey: isRefused(Self.value(value), by: isLogin && !isJoined ? .secret : .plain)
            }
        }
    }

    /// So that long texts are read through once.
    private static let maxNameLength = 100
    private static let maxValueLength = 4096
    private static let quotes: Set<Character> = ["\"", "'", "\\", " ", "\t"]
    private static let ends = quotes.union(["\r", "\n", "\r\n", "&", ";", ",", "?", "#"])

    private static func value(_ text: Substring) -> String {
        let value = text.drop { quotes.contains($0) }.prefix { !ends.contains($0) }
        guard SecretWords.isCredential("\(value) ") else { return String(value) }
        return String(text[value.endIndex...].drop { quotes.contains($0) }.prefix { !ends.contains($0) })
    }

    private static func tree(_ text: String) -> JSONNode? {
        guard let first = text.first(where: { !$0.isWhitespace }), first == "{" || first == "[" else { return nil }
        let node =
            (try? JSONNode(parsing: Array(text.utf8))) ?? (try? JSONNode(parsing: Array(withPlacesQuoted(text).utf8)))
        // A place by itself became a text.
        return node?.text == nil ? node : nil
    }

    /// With the places that stand for numbers as texts: `{"id":{id}}` is not JSON before it is filled.
    private static func withPlacesQuoted(_ text: String) -> String {
        var quoted = ""
        var isInside = false
        var isEscaped = false
        var rest = text[...]
        while let character = rest.first {
            if character == "{", !isInside,
                let place = ProviderTemplate.Place.allCases.first(where: { rest.hasPrefix("{\($0.rawValue)}") })
            {
                quoted += "\"{\(place.rawValue)}\""
                rest = rest.dropFirst(place.rawValue.count + 2)
                continue
            }
            if character == "\"", !isEscaped { isInside.toggle() }
            isEscaped = character == "\\" && !isEscaped
            quoted.append(character)
            rest = rest.dropFirst()
        }
        return quoted
    }
}
