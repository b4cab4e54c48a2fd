import Foundation

/// Refuses configurations with secrets in them: files are passed on, and what they say is printed.
///
/// Secrets are known by the names of what holds them, a header, a field of a query or of a request: its value must have the
/// place `{token}`. It is looked at before anything else, so that no other sentence repeats one.
struct ProviderSecrets {
    let file: ConfigurationText

    /// - Throws: where a secret stands, or what reads as one; its value is not in the sentence.
    func check(_ root: ConfigurationNode) throws(FeedError) {
        for (key, offset, node) in members(root) {
            switch key {
            case "token":
                throw file.error(
                    offset,
                    "a token must not stand in the file; \"token_env\" names the variable of the environment that holds it"
                )
            case "url", "rest": try address(key, node)
            case "headers":
                for (name, offset, value) in members(node) where Self.isSecret(name) {
                    let text = if case .string(let text) = value.value { text } else { value.json }
                    guard !Self.isFilled(text) else { continue }
                    throw secret("headers.\(Self.shown(name))", offset)
                }
            case "login", "subscribe", "unsubscribe": try request(key, node, isLogin: key == "login")
            case "heartbeat":
                for (name, _, node) in members(node) where name == "send" { try request("heartbeat.send", node) }
            case "history":
                for (name, _, node) in members(node) where name == "path" { try query("history.path", node) }
            default: break
            }
        }
    }

    private func members(_ node: ConfigurationNode) -> [(key: String, offset: Int, node: ConfigurationNode)] {
        if case .object(let members) = node.value { members } else { [] }
    }

    private static let remedy =
        "write {token} in its place, and name with \"token_env\" the variable of the environment that holds it"

    private func secret(_ place: String, _ offset: Int) -> FeedError {
        file.error(offset, "\"\(place)\" holds a secret, or what reads as one; \(Self.remedy)")
    }

    // MARK: Addresses

    private func address(_ key: String, _ node: ConfigurationNode) throws(FeedError) {
        guard case .string(let text) = node.value else { return }
        guard !text.contains("@") else {
            throw file.error(
                node.offset,
                "\"\(key)\" has a user name or a password before its host, or an @ that reads so; send them as the header "
                    + "\"Authorization\": \"Basic {token}\", with \"token_env\" for the variable of the environment that "
                    + "holds both in base64; in a path an @ is written %40")
        }
        try query(key, node)
    }

    private func query(_ key: String, _ node: ConfigurationNode) throws(FeedError) {
        guard case .string(let text) = node.value, let mark = text.firstIndex(where: { $0 == "?" || $0 == "#" }) else {
            return
        }
        for field in text[mark...].split(whereSeparator: { "?#&;".contains($0) }) {
            guard let equals = field.firstIndex(of: "=") else { continue }
            let name = String(field[..<equals])
            guard Self.isSecret(name.removingPercentEncoding ?? name),
                !Self.isFilled(String(field[field.index(after: equals)...]))
            else { continue }
            throw file.error(
                node.offset,
                "\"\(key)\" holds a secret in the field \"\(Self.shown(name))\" of its query, or what reads as one; "
                    + Self.remedy)
        }
    }

    // MARK: Requests

    private func request(_ key: String, _ node: ConfigurationNode, isLogin: Bool = false) throws(FeedError) {
        guard case .string(let text) = node.value else {
            return try value(node, key, isLogin: isLogin, isSecret: false)
        }
        // JSON may be written as a text, too.
        if let tree = Self.tree(text) {
            try value(tree, key, isLogin: isLogin, isSecret: false, within: node.offset)
        } else if isLogin, !Self.isPlain(Self.withoutPlaces(text)) {
            throw secret(key, node.offset)
        }
    }

    private static func tree(_ text: String) -> ConfigurationNode? {
        guard let node = ConfigurationNode.read(Array(text.utf8)) else { return nil }
        switch node.value {
        case .object, .array: return node
        case .string, .number, .bool, .null: return nil
        }
    }

    /// What a request does, which is no secret wherever it stands.
    private static let kinds: Set<String> = ["op", "action", "event", "method", "type", "command", "channel"]

    private func value(
        _ node: ConfigurationNode, _ path: String, isLogin: Bool, isSecret: Bool, within text: Int? = nil
    ) throws(FeedError) {
        let offset = text ?? node.offset
        switch node.value {
        case .object(let members):
            for (key, _, member) in members where !Self.kinds.contains(key.lowercased()) {
                let isNamed = Self.isSecret(key)
                // Of a subscription, a key may be that of a channel.
                if isNamed, !isLogin, key.lowercased() == "key", case .string(let name) = member.value,
                    Self.isPlain(Self.withoutPlaces(name))
                {
                    continue
                }
                try value(
                    member, "\(path).\(Self.shown(key))", isLogin: isLogin, isSecret: isSecret || isNamed, within: text)
            }
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                // Arguments of a login have no names: what is no word may be a key.
                if isLogin, case .string(let word) = element.value, !Self.isPlain(Self.withoutPlaces(word)) {
                    throw secret("\(path).\(index)", text ?? element.offset)
                }
                try value(element, "\(path).\(index)", isLogin: isLogin, isSecret: isSecret, within: text)
            }
        case .string(let words):
            guard isSecret, !Self.isFilled(words), !Self.tellsWhat(words) else { return }
            throw secret(path, offset)
        case .number: if isSecret { throw secret(path, offset) }
        case .bool, .null: break
        }
    }

    // MARK: What reads as a secret

    private static let parts = [
        "token", "secret", "passw", "passphrase", "apikey", "authorization", "cookie", "credential", "signature",
        "bearer",
    ]
    private static let names: Set<String> = ["auth", "pass", "pwd", "sig", "sign", "jwt", "sid", "sessionid"]

    /// Whether what has this name is a secret: `X-API-Key`, `access_token`. Who somebody is (`key-id`), is none.
    static func isSecret(_ name: String) -> Bool {
        let plain = name.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        if names.contains(plain) { return true }
        guard !plain.hasSuffix("id") else { return false }
        return plain.hasSuffix("key") || parts.contains { plain.contains($0) }
    }

    /// Whether nothing but the place of the token and what goes with it stands there: `Bearer {token}`.
    private static func isFilled(_ value: String) -> Bool {
        value.isEmpty || value.contains("{token}") && isPlain(withoutPlaces(value))
    }

    /// Whether it names a market or a channel, and not somebody's token.
    private static func tellsWhat(_ value: String) -> Bool {
        ["{symbol}", "{symbols}", "{timeframe}", "{id}"].contains { value.contains($0) } && !value.contains("{token}")
    }

    private static func withoutPlaces(_ value: String) -> String {
        ProviderTemplate.Place.allCases.reduce(value.removingPercentEncoding ?? value) {
            $0.replacingOccurrences(of: "{\($1.rawValue)}", with: " ")
        }
    }

    /// Words of people: of letters, or so short that no secret is.
    private static func isPlain(_ text: String) -> Bool {
        text.split { !$0.isLetter && !$0.isNumber }.allSatisfy { word in
            word.count <= 4 || word.count <= 16 && word.allSatisfy { $0.isASCII && $0.isLetter }
        }
    }

    /// A name for a sentence.
    private static func shown(_ name: String) -> String { String(name.prefix { $0 != ":" && $0 != " " }.prefix(40)) }
}
