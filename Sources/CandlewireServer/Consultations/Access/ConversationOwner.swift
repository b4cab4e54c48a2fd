import Consultation
import HistoryStore

/// Whose a conversation is.
///
/// Keys, tokens and browsers each have a namespace: the user of a key and the subject of a token are two users, whatever
/// their names.
enum ConversationOwner: Sendable {
    /// The user of an API key, `local`, or a name that was chosen on a server without logins.
    case named(String)
    /// The subject of a JSON Web Token.
    case subject(String)
    /// The holder of a token that `candlewire tokens` made, by the token's name.
    case token(String)
    /// A browser on a server without logins, by the digest of its cookie.
    case browser(String)

    /// Ends the namespace. No user's name has a control character, so that no name looks like an owner of another kind.
    static let separator: Character = "\u{1F}"

    /// The owner as the store has it.
    init(stored: String) {
        let parts = stored.split(separator: Self.separator, maxSplits: 1, omittingEmptySubsequences: false)
        switch (parts.first, parts.last) {
        case ("jwt", let name?) where parts.count == 2: self = .subject(String(name))
        case ("token", let name?) where parts.count == 2: self = .token(String(name))
        case ("browser", let digest?) where parts.count == 2: self = .browser(String(digest))
        default: self = .named(stored)
        }
    }

    var stored: String {
        switch self {
        case .named(let name): name
        case .subject(let name): "jwt\(Self.separator)\(name)"
        case .token(let name): "token\(Self.separator)\(name)"
        case .browser(let digest): "browser\(Self.separator)\(digest)"
        }
    }

    /// What clients see.
    var name: String {
        switch self {
        case .named(let name), .subject(let name), .token(let name): name
        case .browser: "browser"
        }
    }
}

extension ConsultationOptions {
    /// How the store is opened. Earlier versions had one namespace: at the first start of this one the users whom the key
    /// file names stay users of keys, and with JSON Web Tokens all others become their subjects.
    var storeOptions: ConversationStore.Options {
        var store = ConversationStore.Options()
        guard webTokens != nil else { return store }
        store.renameUser = { [apiKeys] user in
            let isKept = UserName.isReserved(user) || apiKeys?.hasUser(user) == true
            return isKept ? user : ConversationOwner.subject(user).stored
        }
        return store
    }
}

/// The user who sent a request, as far as the server knows.
struct ConsultationUser: Sendable, Hashable {
    /// The stored form of its `ConversationOwner`.
    var id: String
    /// Without a login users are not distinguished: each may open every conversation of a `named` owner.
    var seesAll = false
    /// Who places orders: who may not do it over the trading routes does not do it over a proposal. `nil`: nobody.
    var trader: Principal?
    /// Seconds since 1970 UTC at which the authentication expires; `nil`: not at all.
    var expiresAt: Double?

    /// Clients without an identity on a server without logins; and those who share its tokens.
    static let local = ConsultationUser(id: "local", seesAll: true, trader: .everyone)

    init(id: String, seesAll: Bool = false, trader: Principal? = nil, expiresAt: Double? = nil) {
        self.id = id
        self.seesAll = seesAll
        self.trader = trader
        self.expiresAt = expiresAt
    }

    init(_ owner: ConversationOwner, trader: Principal? = nil, expiresAt: Double? = nil) {
        self.init(id: owner.stored, trader: trader, expiresAt: expiresAt)
    }

    var mayTrade: Bool { trader?.scopes.contains(.trade) == true }

    /// What clients see.
    var name: String { ConversationOwner(stored: id).name }

    /// As the audit log has it. The value that tells a browser apart is no name.
    var auditName: String {
        switch ConversationOwner(stored: id) {
        case .named(let name): isCalled(Self.local.id) ? trader?.name ?? name : "key:\(name)"
        case .subject(let name): "jwt:\(name)"
        case .token(let name): "token:\(name)"
        case .browser: "browser"
        }
    }

    /// Whose limits count; `nil`: there is no login, and the address counts.
    var login: String? {
        switch ConversationOwner(stored: id) {
        case .browser: nil
        case .named where isCalled(Self.local.id): trader.flatMap { $0.isLoggedIn ? $0.name : nil }
        case .named, .subject, .token: auditName
        }
    }

    func mayOpen(conversationOf user: String) -> Bool {
        guard seesAll, case .named = ConversationOwner(stored: user) else { return isCalled(user) }
        return true
    }

    func isCalled(_ id: String) -> Bool { UserKey(self.id) == UserKey(id) }

    /// Whose a conversation becomes that this user begins.
    /// - Parameter name: the user that the request names; a browser has no name that it could contradict.
    /// - Returns: `nil` where it is not this user's to begin.
    func owner(named name: String?) -> String? {
        let owner = ConversationOwner(stored: id)
        if case .browser = owner { return id }
        guard let name, !seesAll else { return name ?? id }
        return UserKey(name) == UserKey(self.name) ? id : nil
    }
}
