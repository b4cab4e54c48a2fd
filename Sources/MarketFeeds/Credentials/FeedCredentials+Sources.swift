import Foundation

extension FeedCredentials {
    /// The credentials in the environment: `NAME_API_KEY`, or `NAME_USER` and `NAME_PASSWORD`.
    /// - Parameter name: `FeedAdapter.credentialsName`.
    /// - Returns: `nil` where neither is set, or the password is missing.
    public static func environment(_ variables: [String: String], name: String) -> FeedCredentials? {
        let prefix = name.uppercased()
        func value(_ suffix: String) -> String? { variables[prefix + suffix].flatMap { $0.isEmpty ? nil : $0 } }
        if let key = value("_API_KEY") { return .apiKey(key) }
        guard let user = value("_USER"), let password = value("_PASSWORD") else { return nil }
        return .password(user: user, password: password)
    }

    /// The credentials of a file, by name: `{"intrinio":{"api_key":"..."}}`, `{"user":"...","password":"..."}` or
    /// `{"public_key":"..."}` in it.
    /// - Throws: `FeedError` where the file cannot be read or is not so, and where others than its owner may read it.
    public static func file(_ path: String) throws(FeedError) -> [String: FeedCredentials] {
        // Secrets are often mounted as links, and a link is open to everybody whatever it leads to.
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let attributes = try? FileManager.default.attributesOfItem(atPath: target)
        guard let mode = (attributes?[.posixPermissions] as? NSNumber)?.intValue,
            let data = FileManager.default.contents(atPath: target)
        else { throw FeedError(.input, "The credentials file \(path) cannot be read.") }
        guard mode & 0o077 == 0 else {
            throw FeedError(.input, "The credentials file \(path) is open to others: make it yours alone (chmod 600).")
        }
        guard let entries = try? JSONDecoder().decode([String: Entry].self, from: data) else {
            throw FeedError(.input, "The credentials file \(path) is not as it must be: \(example).")
        }
        var found: [String: FeedCredentials] = [:]
        for (name, entry) in entries {
            guard let credentials = entry.credentials else {
                throw FeedError(
                    .input, "The credentials file \(path) says nothing of use about \"\(name)\"; allowed is \(example)."
                )
            }
            found[name] = credentials
        }
        return found
    }

    private static let example =
        #"{"VENUE":{"api_key":"..."}}, or "user" and "password", or "public_key", as texts that are not empty"#

    private struct Entry: Decodable {
        var api_key: String?
        var public_key: String?
        var user: String?
        var password: String?

        var credentials: FeedCredentials? {
            if let api_key, !api_key.isEmpty { return .apiKey(api_key) }
            if let public_key, !public_key.isEmpty { return .publicKey(public_key) }
            guard let user, let password, !user.isEmpty, !password.isEmpty else { return nil }
            return .password(user: user, password: password)
        }
    }
}
