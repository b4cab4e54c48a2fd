import Foundation

/// What reads as a secret: by the name of what holds it, and by its letters and digits.
enum SecretWords {
    enum Naming {
        case none
        /// Who somebody is, or where: `key-id`, `user`, `host`.
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

    // MARK: Values

    /// Whether nothing but the place of the token and what goes with it stands there: `Bearer {token}`.
    static func isFilled(_ value: String) -> Bool {
        value.isEmpty || hasToken(value) && isPlain(value)
    }

    static func hasToken(_ value: String) -> Bool { value.contains("{token}") }

    /// Whether it names a market or a channel, and not somebody's token: one word, for that is what topics are.
    static func tellsWhat(_ value: String) -> Bool {
        ["{symbol}", "{symbols}", "{timeframe}", "{id}"].contains { value.contains($0) } && !hasToken(value)
            && isPlain(value) && !(value.removingPercentEncoding ?? value).contains(where: \.isWhitespace)
    }

    /// Whether the value begins as a header that lets somebody in.
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
