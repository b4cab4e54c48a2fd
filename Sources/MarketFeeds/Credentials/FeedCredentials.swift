import Foundation

/// How somebody proves to a venue who they are. Its descriptions name the kind and never the secret.
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
}
