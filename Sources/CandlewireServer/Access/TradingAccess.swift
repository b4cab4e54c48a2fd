import HTTPTypes

/// Who may see and change the accounts.
///
/// With stream tokens, clients that send one. Without, all clients except those with a login of the assistant: these logins
/// give no right to trade.
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

    /// Whether no client has access: the server is bound to other than the loopback, has logins, which give no right to trade,
    /// and no stream tokens.
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
