/// How Intrinio is asked, by its two interfaces.
///
/// Sources: the realtime SDKs' readmes (`/auth`), docs.intrinio.com "Authentication" (REST, version 2). A key goes into
/// the address only where no header is documented for it.
enum IntrinioAccess {
    /// Names the program; the current protocol wants it.
    static let client = FeedHeader("Client-Information", "candlewire")
    /// A token is good for a week; it is replaced an hour before.
    static let tokenLifetime = 7 * 86_400.0 - 3600

    static func tokenRequest(_ credentials: FeedCredentials) -> FeedTokenRequest {
        switch credentials {
        case .apiKey(let key): FeedTokenRequest(target: "/auth?api_key=\(percentEncoded(key))", headers: [client])
        case .publicKey(let key):
            FeedTokenRequest(target: "/auth", headers: [client, FeedHeader("Authorization", "Public \(key)")])
        case .password:
            FeedTokenRequest(target: "/auth", headers: [client, FeedHeader("Authorization", credentials.basic ?? "")])
        }
    }

    static func restHeaders(_ credentials: FeedCredentials) -> [FeedHeader] {
        switch credentials {
        case .apiKey(let key): [FeedHeader("Authorization", "Bearer \(key)")]
        case .publicKey(let key): [FeedHeader("X-Authorization-Public-Key", key)]
        case .password: [FeedHeader("Authorization", credentials.basic ?? "")]
        }
    }
}
