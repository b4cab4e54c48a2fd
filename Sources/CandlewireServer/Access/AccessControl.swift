import HTTPTypes
import Logging
import Synchronization

/// Who clients are and what they may do: for requests, streams and consultations alike.
///
/// With stream tokens, clients that send one. Without, all clients except those with a login of the assistant. A JSON Web
/// Token opens what its scopes name; one without scopes gives no right to anything but its own conversations.
final class AccessControl: Sendable {
    let tokens: StreamTokens?
    let requiresLoginToRead: Bool
    private let webTokens: WebTokens?
    private let keys: APIKeys?
    /// Whether consultations have logins that distinguish users.
    private let hasLogins: Bool
    private let isLoopback: Bool
    private let logger: Logger?
    private let attempts = Mutex(LoginAttempts())

    init(_ configuration: ServerConfiguration, logger: Logger? = nil) {
        tokens = configuration.streamTokens
        requiresLoginToRead = configuration.requiredLogin == .all && tokens != nil
        webTokens = configuration.consultation.webTokens
        keys = configuration.consultation.apiKeys
        hasLogins = configuration.consultation.distinguishesUsers
        isLoopback = configuration.isLoopback
        self.logger = logger
    }

    static let tokenMissing =
        "Trading needs a stream token beside the logins of the assistant, and this server was started without any: "
        + "give it --stream-token-file."

    /// Clients without a credential. `nil`: they must send one.
    var withoutLogin: Principal? {
        guard tokens == nil else { return nil }
        return hasLogins && !isLoopback ? .visitor : .everyone
    }

    // MARK: Requests

    /// - Parameter header: the value of a header, by its name in lower case.
    /// - Throws: 401 without a token where there are some; 403 for a client with a login alone; 429 after too many wrong ones.
    func principal(
        _ header: (String) -> String?, from address: ClientAddress
    ) throws(APIError) -> Principal {
        let sent = header("x-stream-token") ?? StreamTokens.bearer(header("authorization") ?? "")
        if let sent, let principal = try principal(ofToken: sent, key: header("x-api-key"), from: address) {
            return principal
        }
        if tokens != nil {
            if sent != nil { throw wrongToken(from: address) }
            throw .unauthenticated(
                "This server requires a token: send Authorization: Bearer TOKEN or X-Stream-Token: TOKEN.")
        }
        let hasCredential = header("x-api-key") != nil || header("authorization") != nil
        guard hasLogins, !isLoopback || hasCredential else { return .everyone }
        throw APIError(.forbidden, "trading_forbidden", Self.tokenMissing)
    }

    /// Whose stream token or JSON Web Token with scopes it is; `nil` where it is neither.
    /// - Parameter key: an app's key, which JSON Web Tokens need beside them where there are keys.
    private func principal(
        ofToken token: String, key: String?, from address: ClientAddress
    ) throws(APIError) -> Principal? {
        guard tokens != nil || webTokens != nil else { return nil }
        try checkAttempts(address)
        if let principal = streamPrincipal(token) { return principal }
        guard let principal = webPrincipal(token, address) else { return nil }
        guard keys == nil || key.flatMap({ keys?.user(of: $0) }) != nil else { throw .appKeyRequired }
        return principal
    }

    /// Whose stream token it is.
    func streamPrincipal(_ token: String) -> Principal? {
        refresh()
        return tokens?.principal(of: token, now: WallClock.now())
    }

    private func webPrincipal(_ token: String, _ address: ClientAddress) -> Principal? {
        guard let webTokens else { return nil }
        do throws(WebTokenRefusal) {
            return try webTokens.claims(of: token, now: WallClock.now()).principal
        } catch {
            // With stream tokens the caller counts what is neither.
            if tokens == nil, error.isGuess { failed(address) }
            return nil
        }
    }

    // MARK: Streams

    /// Who sends a token over a stream. Servers without tokens accept any, so that one client fits both.
    /// - Throws: 401; 429 after too many wrong ones.
    /// - Parameter key: an app's key that came with the handshake.
    func principal(
        ofStreamToken token: String, key: String?, from address: ClientAddress
    ) throws(APIError) -> Principal {
        if let principal = try principal(ofToken: token, key: key, from: address) { return principal }
        if let withoutLogin { return withoutLogin }
        throw wrongToken(from: address)
    }

    /// Whether what opened a connection is still valid: not expired, and not revoked.
    func stillOpens(_ principal: Principal) -> Bool {
        let now = WallClock.now()
        if let expiry = principal.expiresAt, now >= expiry { return false }
        guard principal.isStreamToken, let tokens else { return true }
        refresh()
        return tokens.stillOpens(principal, now: now)
    }

    private func refresh() {
        switch tokens?.refresh(now: WallClock.steady()) {
        case .read(let count):
            logger?.notice("the tokens were read again", metadata: ["tokens": "\(count)"])
        case .failed(let why):
            logger?.error(
                "the tokens cannot be read again and stay as they were", metadata: ["error": "\(why)"])
        case nil: break
        }
    }

    // MARK: Wrong credentials

    /// - Throws: 429 where wrong tokens or keys came from this address more often than people mistype them.
    func checkAttempts(_ address: ClientAddress) throws(APIError) {
        let wait = attempts.withLock { $0.wait(address, now: WallClock.steady()) }
        guard let wait else { return }
        throw APIError(
            .tooManyRequests, "too_many_wrong_tokens",
            "Too many wrong tokens came from your address; wait \(max(1, Int(wait.rounded(.up)))) s.", retryAfter: wait)
    }

    /// Counts a token that opens nothing.
    /// - Returns: the answer, which does not say which of the three it is: that would help whoever guesses tokens.
    func wrongToken(from address: ClientAddress) -> APIError {
        failed(address)
        return .unauthenticated("The token is wrong, expired or revoked.")
    }

    /// A wrong token or key came from this address. Nothing of it is logged: it may be a right one with a typo.
    func failed(_ address: ClientAddress) {
        let unlogged = attempts.withLock { $0.fail(address, now: WallClock.steady()) }
        guard let unlogged else { return }
        logger?.notice(
            "a wrong token or key", metadata: ["address": "\(address)", "not_logged_before": "\(unlogged)"])
    }

    /// Wrong tokens and keys, and requests that were refused after too many of them.
    var failures: (wrong: Int, refused: Int) { attempts.withLock { ($0.wrong, $0.refused) } }
}

/// Wrong tokens and keys by address. A value; time comes from outside.
///
/// Each address may be wrong twenty times at once, then once a second; until then it is not listened to at all, so that no
/// answer shows whether a guess was right. Others are not affected.
struct LoginAttempts: Sendable {
    static let rate = BucketTable<ClientAddress>.Rate(perSecond: 1, burst: 20)
    private static let logRate = BucketTable<Bool>.Rate(perSecond: 1, burst: 20)

    private var buckets = BucketTable<ClientAddress>(capacity: 4096)
    private var log = BucketTable<Bool>(capacity: 4)
    private var unlogged = 0
    private(set) var wrong = 0
    private(set) var refused = 0

    /// Seconds until the address is listened to; `nil`: now.
    mutating func wait(_ address: ClientAddress, now: Double) -> Double? {
        let wait = buckets.wait(for: 1, of: address, Self.rate, now: now)
        if wait != nil { refused += 1 }
        return wait
    }

    /// - Returns: how many were not logged since the last one that was; `nil`: this one is not to be logged either.
    mutating func fail(_ address: ClientAddress, now: Double) -> Int? {
        wrong += 1
        _ = buckets.spend(1, of: address, Self.rate, now: now)
        guard log.spend(1, of: true, Self.logRate, now: now).wait == nil else {
            unlogged += 1
            return nil
        }
        defer { unlogged = 0 }
        return unlogged
    }
}
