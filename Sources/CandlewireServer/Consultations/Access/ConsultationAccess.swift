import Consultation
import HTTPTypes
import NIOHTTP1

/// Who may consult, and as whom.
///
/// On a server that only its own machine reaches and that has no login, every user is `local`. Elsewhere a user must be
/// authenticated: by a JSON Web Token, an API key, or one of the stream's tokens, which all stand for one user. Without any
/// of them a server that other machines reach refuses every user.
///
/// Accounts are separate: only the stream's tokens open them where other machines reach the server.
struct ConsultationAccess: Sendable {
    private let tokens: StreamTokens?
    private let options: ConsultationOptions
    private let isLoopback: Bool
    private let clock: @Sendable () -> Double
    let tickets = TicketOffice()

    init(_ configuration: ServerConfiguration, clock: @escaping @Sendable () -> Double = { WallClock.now() }) {
        tokens = configuration.streamTokens
        options = configuration.consultation
        isLoopback = configuration.isLoopback
        self.clock = clock
    }

    private var keys: APIKeys? { options.apiKeys }
    private var hasLogin: Bool { tokens != nil || namesUsers }
    /// Whether a login distinguishes users.
    private var namesUsers: Bool { keys != nil || options.webTokens != nil }
    /// Whether every client may trade.
    private var isTradingOpen: Bool { tokens == nil && isLoopback }

    /// Whether a client may use any name, and a new one each time.
    var acceptsAnyName: Bool { hasLogin ? !namesUsers : isLoopback }

    /// The user of a request, by its headers.
    /// - Parameter header: the value of a header, by its name in lower case.
    /// - Returns: `nil` where they name no user and the server requires one.
    /// - Throws: where they name one that is not known.
    func user(_ header: (String) -> String?) throws(APIError) -> ConsultationUser? {
        guard hasLogin || !isLoopback else { return .local }
        var user: ConsultationUser?
        var mayTrade = isTradingOpen
        if let key = header("x-api-key") {
            if let tokens, tokens.contains(key) {
                mayTrade = true
            } else if let keys {
                guard let name = keys.user(of: key) else { throw .unauthenticated("The X-API-Key is not known.") }
                user = ConsultationUser(id: name)
            }
        }
        if let authorization = header("authorization") {
            guard let token = StreamTokens.bearer(authorization) else {
                throw .unauthenticated("The header must be Authorization: Bearer TOKEN.")
            }
            if user != nil, let tokens, tokens.contains(token) {
                // It stands for no user in particular; the key does.
                mayTrade = true
            } else {
                // Where both are there, the key is the program's and the token the user's.
                user = try self.user(token: token)
            }
        }
        if mayTrade { user?.mayTrade = true }
        return user
    }

    /// The user of a token, as it comes in a header, a first frame or, where that is allowed, an address.
    func user(token: String) throws(APIError) -> ConsultationUser {
        guard hasLogin || !isLoopback else { return .local }
        if let tokens, tokens.contains(token) {
            return namesUsers ? ConsultationUser(id: ConsultationUser.local.id, mayTrade: true) : .local
        }
        if let keys, let name = keys.user(of: token) { return ConsultationUser(id: name, mayTrade: isTradingOpen) }
        guard let webTokens = options.webTokens else {
            throw hasLogin ? .unauthenticated("The token is not known.") : loginRequired
        }
        do throws(WebTokenRefusal) {
            let claims = try webTokens.claims(of: token, now: clock())
            return ConsultationUser(id: claims.user, mayTrade: isTradingOpen, expiresAt: claims.expiresAt)
        } catch {
            throw .unauthenticated(error.description)
        }
    }

    /// The user of a WebSocket's handshake.
    /// - Parameter usesTicket: whether a ticket in its address is used up.
    /// - Returns: `nil` where the first frame has to authenticate.
    func user(_ head: HTTPRequestHead, consultation: String, usesTicket: Bool) throws(APIError) -> ConsultationUser? {
        if let user = try user({ head.headers.first(name: $0) }) { return user }
        if let ticket = ConsultationUpgrade.query("ticket", head) {
            guard let user = tickets.user(of: ticket, consultation: consultation, now: clock(), usingUp: usesTicket)
            else {
                throw .unauthenticated(
                    "The ticket is not known, too old or used; POST /consultations/ID/ticket gives another one.")
            }
            return user
        }
        if let token = ConsultationUpgrade.query("token", head) {
            guard options.allowsQueryToken else {
                throw .unauthenticated(
                    "This server accepts no token in an address, where logs would show it: send it as Authorization: "
                        + "Bearer TOKEN or in a first message auth, or POST /consultations/ID/ticket for a ticket.")
            }
            return try user(token: token)
        }
        guard hasLogin else { throw loginRequired }
        return nil
    }

    /// A ticket for a connection to one conversation; `nil` where too many wait to be used.
    func ticket(for user: ConsultationUser, consultation: String) -> String? {
        tickets.issue(user, consultation: consultation, now: clock())
    }

    /// Whether the assistant may report what is in accounts, in the conversations of a user: it answers also when no client with
    /// a token is connected.
    func showsAccounts(inConversationsOf user: String) -> Bool {
        guard tokens != nil else { return isLoopback }
        return !namesUsers || ConsultationUser.local.isCalled(user)
    }

    /// For users who may not trade.
    var tradingRequiresToken: APIError {
        APIError(
            .forbidden, "trading_forbidden",
            tokens == nil
                ? "Others reach this server, so approving an order needs a stream token, and it was started without any: "
                    + "give it --stream-token-file. Declining needs none."
                : "Approving an order needs one of this server's stream tokens beside your login: X-API-Key: KEY and "
                    + "Authorization: Bearer TOKEN, or X-API-Key: TOKEN beside a JSON Web Token. Declining needs none.")
    }

    /// For requests without a user.
    var loginRequired: APIError {
        guard hasLogin else {
            return .unauthenticated(
                "Others reach this server, so consultations need a login, and it was started without one: give it "
                    + "--consultation-keys, --jwt-key or --stream-token-file.")
        }
        return .unauthenticated(
            "This server requires a login: Authorization: Bearer TOKEN\(keys == nil ? "" : ", or X-API-Key: KEY").")
    }
}

extension APIError {
    static func unauthenticated(_ message: String) -> APIError { APIError(.unauthorized, "unauthorized", message) }
}

/// The user who sent a request, as far as the server knows.
struct ConsultationUser: Sendable, Hashable {
    var id: String
    /// Without a login users are not distinguished: each may open every conversation.
    var seesAll = false
    /// Whether orders may be placed: who may not do it over the trading routes does not do it over a proposal.
    var mayTrade = false
    /// Seconds since 1970 UTC at which the authentication expires; `nil`: not at all.
    var expiresAt: Double?

    /// Every user of a server without a login; and those who share its tokens.
    static let local = ConsultationUser(id: "local", seesAll: true, mayTrade: true)

    func mayOpen(conversationOf user: String) -> Bool { seesAll || isCalled(user) }

    func isCalled(_ name: String) -> Bool { UserKey(id) == UserKey(name) }
}
