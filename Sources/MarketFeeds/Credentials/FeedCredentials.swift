import Foundation

/// How an account proves to a venue who it is. Its descriptions name the kind and never the secret.
public enum FeedCredentials: Sendable, Equatable {
    case apiKey(String)
    /// A key that may be seen, of those venues that have such: valid for some origins only.
    case publicKey(String)
    case password(user: String, password: String)

    /// The value of an `Authorization` header for HTTP Basic (RFC 7617); `nil` where there is no password.
    var basic: String? {
        guard case .password(let user, let password) = self else { return nil }
        return "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
    }
}

extension FeedCredentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String {
        switch self {
        case .apiKey: "an API key"
        case .publicKey: "a public key"
        case .password: "a user name and a password"
        }
    }

    public var debugDescription: String { description }
    /// Without children: `dump` shows what `description` does.
    public var customMirror: Mirror { Mirror(self, children: []) }

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
        let data: Data
        do throws(PrivateFile.Refusal) {
            data = try PrivateFile.contents(path)
        } catch {
            throw FeedError(.input, "The credentials file \(path) \(error.words)")
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

/// A field of an HTTP head.
public struct FeedHeader: Sendable, Equatable {
    public var name: String
    public var value: String

    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// The request for a token.
public struct FeedTokenRequest: Sendable, Equatable {
    /// Path and query.
    public var target: String
    public var headers: [FeedHeader]
}

/// Why there is no token: one sentence without a secret.
package struct FeedTokenError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The credentials themselves are not accepted: trying again soon does not help.
    package let isRefusal: Bool
    package let description: String

    package init(isRefusal: Bool, _ description: String) {
        self.isRefusal = isRefusal
        self.description = description
    }
}
