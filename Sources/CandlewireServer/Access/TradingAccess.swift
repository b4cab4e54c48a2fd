import HTTPTypes

/// Who may see and change the accounts.
///
/// With stream tokens whoever has one. Without, everyone whom nothing marks as a user with fewer rights: the logins of
/// consultations give none here.
struct TradingAccess: Sendable {
    let tokens: StreamTokens?
    /// Whether consultations have logins that distinguish users.
    let hasLogins: Bool
    let isLoopback: Bool

    init(_ configuration: ServerConfiguration) {
        tokens = configuration.streamTokens
        hasLogins = configuration.consultation.distinguishesUsers
        isLoopback = configuration.isLoopback
    }

    /// Whether no client may: others reach the server, its logins give no such right, and it has no token that does.
    var isClosed: Bool { tokens == nil && hasLogins && !isLoopback }

    static let tokenMissing =
        "Trading needs a stream token beside the logins of the assistant, and this server was started without any: "
        + "give it --stream-token-file."

    /// - Parameter header: the value of a header, by its name in lower case.
    /// - Throws: 401 without a token where there are some; 403 for a client with a login alone.
    func check(_ header: (String) -> String?) throws(APIError) {
        if let tokens { return try tokens.check(header) }
        let hasCredential = header("x-api-key") != nil || header("authorization") != nil
        guard hasLogins, isClosed || hasCredential else { return }
        throw APIError(.forbidden, "trading_forbidden", Self.tokenMissing)
    }
}
