import Foundation
import StreamCore

/// Refuses configurations with secrets in them: files are passed on, and what they say is printed. Secrets are known by
/// the names of what holds them, a header, a field of a query or of a request: its value must have the place `{token}`.
/// It is looked at before anything else, so that no other sentence repeats one.
struct ProviderSecrets {
    let file: ConfigurationText

    /// - Throws: where a secret stands, or what reads as one; its value is not in the sentence.
    func check(_ root: JSONNode) throws(FeedError) {
        for (key, offset, node) in root.members ?? [] {
            switch key {
            case "token":
                throw file.error(
                    offset,
                    "a token must not stand in the file; \"token_env\" names the variable of the environment that holds it"
                )
            case "url", "rest": try address(key, node)
            case "headers":
                for (name, offset, value) in node.members ?? [] {
                    let text = value.text ?? value.json
                    guard Self.isHeaderOfSecret(name, text), !SecretWords.isFilled(text) else { continue }
                    throw secret("headers.\(Self.shown(name))", offset, Self.remedy)
                }
            case "login", "subscribe", "unsubscribe": try request(key, node, Self.remedy, isLogin: key == "login")
            case "heartbeat":
                for (name, _, node) in node.members ?? [] where name == "send" {
                    try request(
                        "heartbeat.send", node,
                        "no secret can stand there, for {id} is its only place; headers and \"login\" may have {token}")
                }
            case "history":
                for (name, _, node) in node.members ?? [] where name == "path" {
                    try query("history.path", node, Self.remedy)
                }
            default: break
            }
        }
    }

    private static let remedy =
        "write {token} in its place, and name with \"token_env\" the variable of the environment that holds it"

    private func secret(_ place: String, _ offset: Int, _ remedy: String) -> FeedError {
        file.error(offset, "\"\(place)\" holds a secret, or what reads as one; \(remedy)")
    }

    private static func isHeaderOfSecret(_ name: String, _ value: String) -> Bool {
        switch SecretWords.naming(name) {
        case .secret, .key, .someKey: true
        case .none, .who: SecretWords.isCredential(value)
        }
    }

    private func address(_ key: String, _ node: JSONNode) throws(FeedError) {
        guard case .string(let text) = node.value else { return }
        guard !text.contains("@") else {
            throw file.error(
                node.offset,
                "\"\(key)\" has a user name or a password before its host, or an @ that reads so; send them as the header "
                    + "\"Authorization\": \"Basic {token}\", with \"token_env\" for the variable of the environment that "
                    + "holds both in base64; in a path or a query an @ is written %40")
        }
        try query(
            key, node,
            key == "rest"
                ? "\"rest\" has no query; \"history.path\" may have one with {token}, and \"token_env\" names the variable "
                    + "of the environment that holds it"
                : Self.remedy)
    }

    private func query(_ key: String, _ node: JSONNode, _ remedy: String) throws(FeedError) {
        guard case .string(let text) = node.value, let mark = text.firstIndex(where: { $0 == "?" || $0 == "#" }) else {
            return
        }
        for field in text[mark...].split(whereSeparator: { "?#&;".contains($0) }) {
            let name = field.prefix { $0 != "=" }
            let value = field[name.endIndex...]
            guard Self.isSecret(String(name), value.isEmpty ? nil : String(value.dropFirst())) else { continue }
            let place = value.isEmpty ? "its query" : "the field \"\(Self.shown(String(name)))\" of its query"
            throw file.error(node.offset, "\"\(key)\" holds a secret in \(place), or what reads as one; \(remedy)")
        }
    }

    private static func isSecret(_ name: String, _ value: String?) -> Bool {
        guard let value else { return !SecretWords.isPlain(name) }
        guard !SecretWords.isFilled(value), !SecretWords.isTopicTemplate(value) else { return false }
        return switch SecretWords.naming(name.removingPercentEncoding ?? name) {
        case .none, .who: false
        case .someKey: !SecretWords.isPlain(value)
        case .key, .secret: true
        }
    }

    private func request(
        _ key: String, _ node: JSONNode, _ remedy: String, isLogin: Bool = false
    ) throws(FeedError) {
        guard let found = RequestSecrets(isLogin: isLogin).find(in: node, at: key) else { return }
        throw secret(found.path, found.offset, remedy)
    }

    /// A name for a sentence.
    static func shown(_ name: String) -> String { String(name.prefix { $0 != ":" && $0 != " " }.prefix(40)) }
}

/// What reads as a secret: by the name of what holds it, and by its letters and digits.
enum SecretWords {
    enum Naming {
        case none
        /// A user's identity, or a place: `key-id`, `user`, `host`.
        case who
        /// Perhaps a channel's, or what a list is sorted by: `sort_key`.
        case someKey
        case key
        case secret
    }

    private static let parts = [
        "token", "secret", "passw", "passphrase", "passcode", "apikey", "accesskey", "privatekey", "authorization",
        "cookie",
        "credential", "signature", "bearer",
    ]
    private static let names: Set<String> = ["sid", "sessionid"]
    /// Of `CB-ACCESS-SIGN`, `user_pwd` and `apiPass`; but `X-Auth-Type` is none.
    private static let lastWords: Set<String> = ["auth", "pass", "pwd", "sig", "sign", "jwt"]
    private static let people: Set<String> = ["account", "email", "login", "host", "hostname"]

    /// What a header or a field is called.
    static func naming(_ name: String) -> Naming {
        let plain = name.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        if names.contains(plain) { return .secret }
        if plain.hasSuffix("id") { return .who }
        if parts.contains(where: { plain.contains($0) }) || plain.hasSuffix("pwd") || lastWords.contains(lastWord(name))
        {
            return .secret
        }
        if plain.hasSuffix("key") { return plain == "key" ? .key : .someKey }
        return people.contains(plain) || plain.hasSuffix("user") || plain.hasSuffix("username") ? .who : .none
    }

    private static func lastWord(_ name: String) -> String {
        let tail = name.split { !$0.isLetter && !$0.isNumber }.last ?? ""
        let hump = tail.indices.dropFirst().last { tail[$0].isUppercase && tail[tail.index(before: $0)].isLowercase }
        return tail[(hump ?? tail.startIndex)...].lowercased()
    }

    /// Whether nothing but the place of the token and what goes with it stands there: `Bearer {token}`.
    static func isFilled(_ value: String) -> Bool { value.isEmpty || hasToken(value) && isPlain(value) }
    static func hasToken(_ value: String) -> Bool { value.contains("{token}") }

    /// Whether it names a market or a channel, and not a token: one word, for that is what topics are.
    static func isTopicTemplate(_ value: String) -> Bool {
        ["{symbol}", "{symbols}", "{timeframe}", "{id}"].contains { value.contains($0) } && !hasToken(value)
            && isPlain(value) && !(value.removingPercentEncoding ?? value).contains(where: \.isWhitespace)
    }

    /// Whether the value begins like an authentication header.
    static func isCredential(_ value: String) -> Bool {
        ["bearer ", "basic "].contains { value.lowercased().hasPrefix($0) }
    }

    /// Words of people, numbers, and what is so short that no secret is, or is joined of such: `room:lobby12345`.
    ///
    /// - Parameter isBesideToken: the place of the token is near: a name with a number is a user's then.
    static func isPlain(_ value: String, isBesideToken: Bool = false) -> Bool {
        let isBeside = isBesideToken || hasToken(value)
        return withoutPlaces(value).split { !$0.isLetter && !$0.isNumber && !joiners.contains($0) }.allSatisfy { word in
            let parts = word.split { joiners.contains($0) }
            return parts.reduce(0) { $0 + $1.count } < 8
                || parts.allSatisfy { isPlainPart($0, mayBeNumbered: isBeside || parts.count > 1) }
        }
    }

    private static let joiners: Set<Character> = [":", ".", "-", "_"]

    private static func isPlainPart(_ part: Substring, mayBeNumbered: Bool) -> Bool {
        if part.count <= 4 || part.allSatisfy(\.isNumber) { return true }
        if part.allSatisfy(\.isLetter) { return part.count <= 24 }
        // A name and its number.
        let number = part.drop(while: \.isLetter)
        let name = part[..<number.startIndex]
        return mayBeNumbered && number.count <= 6 && number.allSatisfy(\.isNumber) && !name.isEmpty && name.count <= 24
            && name.dropFirst().allSatisfy(\.isLowercase)
    }

    private static func withoutPlaces(_ value: String) -> String {
        ProviderTemplate.Place.allCases.reduce(value.removingPercentEncoding ?? value) {
            $0.replacingOccurrences(of: "{\($1.rawValue)}", with: " ")
        }
    }
}
