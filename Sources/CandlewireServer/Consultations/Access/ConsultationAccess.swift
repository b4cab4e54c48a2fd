import Consultation
import HTTPTypes
import NIOHTTP1
import StreamCore

/// Who may consult, and as whom.
///
/// On a server that only its own machine reaches and that has no login, each browser is a user of its own, and all other
/// programs are `local`. Elsewhere a user must be authenticated: by an API key, by a JSON Web Token, by both where both are
/// configured, or by one of the stream's tokens: plain ones all stand for `local`, named ones for themselves. Without any of
/// them a server that other machines reach refuses every user.
///
/// Accounts are separate: only the stream's tokens open them beside a login, and JSON Web Tokens with scopes.
struct ConsultationAccess: Sendable {
    /// What the headers of a request say of its sender.
    struct Login {
        /// `nil` where they name no user.
        var user: ConsultationUser?
        /// Whether they have an app's key.
        var hasKey = false
        /// Why there is no user.
        var missing: APIError?
    }

    /// Whose stream tokens they are, and which addresses sent too many wrong ones.
    let control: AccessControl
    private let options: ConsultationOptions
    private let isLoopback: Bool
    private let origins: OriginPolicy
    private let clock: @Sendable () -> Double
    let tickets = SharedTicketBook()

    init(
        _ configuration: ServerConfiguration, control: AccessControl? = nil,
        clock: @escaping @Sendable () -> Double = { WallClock.now() }
    ) {
        self.control = control ?? AccessControl(configuration)
        options = configuration.consultation
        isLoopback = configuration.isLoopback
        origins = configuration.originPolicy
        self.clock = clock
    }

    private var tokens: StreamTokens? { control.tokens }
    private var keys: APIKeys? { options.apiKeys }
    private var hasLogin: Bool { tokens != nil || namesUsers }
    private var namesUsers: Bool { options.distinguishesUsers }

    /// Whether a client needs no login, and browsers are distinguished by their cookie.
    var isAnonymous: Bool { !hasLogin && isLoopback }

    /// Whether a client may use any name, and a new one each time.
    var acceptsAnyName: Bool { hasLogin ? !namesUsers : isLoopback }

    // MARK: Credentials

    /// The user of a request, by its headers. A wrong credential is refused also where another one would do.
    /// - Parameter header: the value of a header, by its name in lower case.
    /// - Throws: 401 for a credential that is not valid, and for a user's token without the app's key; 429 after too many
    ///   wrong ones.
    func login(_ header: (String) -> String?, from address: ClientAddress) throws(APIError) -> Login {
        guard !isAnonymous else { return Login(user: anonymous(cookies: header("cookie"))) }
        let sent = ["x-stream-token", "authorization", "x-api-key"].contains { header($0) != nil }
        if sent { try control.checkAttempts(address) }
        // Whose stream token was sent as what opens conversations.
        var holder: Principal?
        if tokens != nil, let token = header("x-stream-token") {
            guard let found = control.streamPrincipal(token) else { throw control.wrongToken(from: address) }
            holder = found
        }
        var token: String?
        if let authorization = header("authorization") {
            guard let sent = StreamTokens.bearer(authorization) else {
                throw .unauthenticated("The header must be Authorization: Bearer TOKEN.")
            }
            if let found = control.streamPrincipal(sent) { holder = found } else { token = sent }
        }
        var trader = holder
        var keyUser: ConsultationUser?
        if let key = header("x-api-key") {
            if let found = control.streamPrincipal(key) {
                trader = found
            } else {
                keyUser = try user(key: key, address)
            }
        }
        return try login(keyUser, token: token, holder: holder, trader: trader, address)
    }

    /// The one rule of precedence: the token's subject, else the key's user, else whom the stream's token alone stands for.
    private func login(
        _ keyUser: ConsultationUser?, token: String?, holder: Principal?, trader: Principal?, _ address: ClientAddress
    ) throws(APIError) -> Login {
        var login = Login(hasKey: keyUser != nil, missing: loginRequired)
        if let token {
            let named = try user(token: token, hasKey: login.hasKey, from: address)
            login.user = options.webTokens == nil ? keyUser ?? named : named
        } else if keyUser != nil, options.webTokens != nil {
            login.missing = .userTokenRequired
        } else {
            login.user = keyUser ?? holder.map(user(of:))
        }
        if let trader { login.user?.trader = trader }
        return login
    }

    private func wrong(_ message: String, _ address: ClientAddress) -> APIError {
        control.failed(address)
        return .unauthenticated(message)
    }

    /// The user of an API key; `nil` where this server has no keys.
    private func user(key: String, _ address: ClientAddress) throws(APIError) -> ConsultationUser? {
        guard let keys else { return nil }
        guard let name = keys.user(of: key) else { throw wrong("The X-API-Key is not known.", address) }
        return ConsultationUser(.named(name))
    }

    /// The user that a stream's token stands for: `local` for all who share plain tokens, and each named token its own.
    private func user(of holder: Principal) -> ConsultationUser {
        guard let name = holder.tokenName else {
            return ConsultationUser(id: ConsultationUser.local.id, seesAll: !namesUsers, trader: holder)
        }
        return ConsultationUser(.token(name), trader: holder, expiresAt: holder.expiresAt)
    }

    /// The user of a token, as it comes in a header, a first frame or, where that is allowed, an address.
    /// - Parameter hasKey: whether an app's key came with it.
    func user(token: String, hasKey: Bool = false, from address: ClientAddress) throws(APIError) -> ConsultationUser {
        guard !isAnonymous else { return .local }
        try control.checkAttempts(address)
        if let holder = control.streamPrincipal(token) { return user(of: holder) }
        guard let webTokens = options.webTokens else {
            if let name = keys?.user(of: token) { return ConsultationUser(.named(name)) }
            throw hasLogin ? control.wrongToken(from: address) : loginRequired
        }
        guard keys == nil || hasKey else { throw .appKeyRequired }
        do throws(WebTokenRefusal) {
            let claims = try webTokens.claims(of: token, now: clock())
            return ConsultationUser(.subject(claims.user), trader: claims.principal, expiresAt: claims.expiresAt)
        } catch {
            throw error.isGuess ? wrong(error.description, address) : .unauthenticated(error.description)
        }
    }

    /// The user of a frame `auth`, whose `metadata.api_key` may have the app's key.
    /// - Parameter hasKey: whether the connection has shown one already.
    func user(of frame: Envelope, hasKey: Bool, from address: ClientAddress) throws(APIError) -> ConsultationUser {
        let sent = try frame.metadata?["api_key"]?.text.flatMap { key throws(APIError) in try user(key: key, address) }
        return try user(token: frame.content ?? "", hasKey: hasKey || sent != nil, from: address)
    }

    /// The user of a client on a server without logins.
    private func anonymous(cookies: String?) -> ConsultationUser {
        guard let value = BrowserIdentity.value(cookies: cookies) else { return .local }
        return ConsultationUser(BrowserIdentity.owner(value), trader: .everyone)
    }

    /// The user of a WebSocket's handshake.
    /// - Parameter usesTicket: whether a ticket in its address is used up.
    /// - Returns: no user where the first frame has to authenticate.
    func login(
        _ head: HTTPRequestHead, from address: ClientAddress, consultation: String, usesTicket: Bool
    ) throws(APIError) -> Login {
        let (host, origin) = (head.headers.first(name: "host"), head.headers.first(name: "origin"))
        // With the cookie of this server's own page any page of another port of this machine could come.
        let hasCookie = origins.trusts(origin: origin, host: host)
        var login = try login({ $0 == "cookie" && !hasCookie ? nil : head.headers.first(name: $0) }, from: address)
        guard login.user == nil else { return login }
        if let ticket = ConsultationUpgrade.query("ticket", head) {
            login.user = tickets.user(of: ticket, consultation: consultation, now: clock(), usingUp: usesTicket)
            guard login.user != nil else {
                throw .unauthenticated(
                    "The ticket is not known, too old or used; POST /consultations/ID/ticket gives another one.")
            }
        } else if let token = ConsultationUpgrade.query("token", head) {
            guard options.allowsQueryToken else {
                throw .unauthenticated(
                    "This server accepts no token in an address, where logs would show it: send it as Authorization: "
                        + "Bearer TOKEN or in a first message auth, or POST /consultations/ID/ticket for a ticket.")
            }
            login.user = try user(token: token, hasKey: login.hasKey, from: address)
        } else if !hasLogin {
            throw loginRequired
        }
        return login
    }

    /// A ticket for a connection to one conversation; `nil` where too many wait to be used.
    func ticket(for user: ConsultationUser, consultation: String) -> String? {
        tickets.issue(user, consultation: consultation, now: clock())
    }

    // MARK: Accounts

    /// Whether the assistant may report what is in accounts, in the conversations of a user: it answers also when no client with
    /// a token is connected.
    func showsAccounts(inConversationsOf user: String) -> Bool {
        guard tokens != nil || isLoopback else { return false }
        // Its answers do not know which accounts a token is for.
        if case .token = ConversationOwner(stored: user) { return false }
        return !namesUsers || ConsultationUser.local.isCalled(user)
    }

    /// For users who may not trade.
    var tradingRequiresToken: APIError {
        APIError(
            .forbidden, "trading_forbidden",
            tokens == nil
                ? "\(AccessControl.tokenMissing) Declining needs none."
                : "Approving an order needs one of this server's stream tokens beside your login: X-Stream-Token: TOKEN. "
                    + "Declining needs none.")
    }

    /// For requests without a user.
    var loginRequired: APIError {
        guard hasLogin else {
            return .unauthenticated(
                "Others reach this server, so consultations need a login, and it was started without one: give it "
                    + "--consultation-keys, --jwt-key or --stream-token-file.")
        }
        let ways =
            switch (keys != nil, options.webTokens != nil) {
            case (true, true): "X-API-Key: KEY and Authorization: Bearer JWT"
            case (true, false): "Authorization: Bearer TOKEN, or X-API-Key: KEY"
            case (false, _): "Authorization: Bearer TOKEN"
            }
        return .unauthenticated("This server requires a login: \(ways).")
    }
}

extension ConsultationOptions {
    /// Whether a login says who a user is.
    var distinguishesUsers: Bool { apiKeys != nil || webTokens != nil }
}

extension APIError {
    static func unauthenticated(_ message: String) -> APIError { APIError(.unauthorized, "unauthorized", message) }

    static let appKeyRequired = APIError(
        .unauthorized, "app_key_required",
        "This server requires the app's key beside the user's token: send X-API-Key: KEY.")

    static let userTokenRequired = APIError(
        .unauthorized, "user_token_required",
        "This server requires the user's token beside the app's key: send Authorization: Bearer JWT.")
}
