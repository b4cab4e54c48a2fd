import HTTPTypes
import TradingCore

/// Who sends a request, and what it may do.
struct Principal: Sendable, Hashable {
    /// As logs and ledgers have it: `token:desk`, `jwt:ada`, `stream-token`, `everyone`.
    var name: String
    var scopes: AccessScopes
    var accounts: AccessAccounts
    /// Seconds since 1970 UTC; `nil`: never.
    var expiresAt: Double?
    /// Which stream token it is: plain ones share a name. SHA-256 in hexadecimal digits; `nil` where it is none. For no log.
    var tokenHash: String?

    /// Clients of a server, or of routes, that need no login.
    static let everyone = Principal(name: "everyone", scopes: .all, accounts: .all)

    /// Clients that may read what belongs to no account.
    static let visitor = Principal(name: "everyone", scopes: [], accounts: .none)

    /// Whether it is told apart from others: those without a login are not.
    var isLoggedIn: Bool { name != Self.everyone.name }

    static let plainToken = "stream-token"

    /// Whether its file can revoke it.
    var isStreamToken: Bool { tokenHash != nil }

    /// The name of a token of `candlewire tokens`.
    var tokenName: String? { name.hasPrefix("token:") ? String(name.dropFirst("token:".count)) : nil }

    /// - Throws: 403 that names what is missing.
    func check(_ scope: AccessScopes) throws(APIError) {
        guard !scopes.isSuperset(of: scope) else { return }
        let wanted = AccessScopes.words.first { scope.contains($0.scope) && !scopes.contains($0.scope) }?.word ?? ""
        throw APIError(
            .forbidden, "insufficient_scope",
            "This needs the scope \"\(wanted)\"; \(name) has \(scopes.isEmpty ? "none" : scopes.description).")
    }
}

/// What a token opens. `trade` and `admin` include `read`: what can be changed can be seen.
package struct AccessScopes: OptionSet, Sendable, Hashable, CustomStringConvertible {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Streams, accounts, orders and, where reading needs a login, markets.
    package static let read = AccessScopes(rawValue: 1)
    /// Orders and positions.
    package static let trade = AccessScopes(rawValue: 2)
    /// Opening and resetting accounts; markets and feeds.
    package static let admin = AccessScopes(rawValue: 4)
    package static let all: AccessScopes = [.read, .trade, .admin]

    package static let words: [(word: String, scope: AccessScopes)] = [
        ("read", .read), ("trade", .trade), ("admin", .admin),
    ]
    package static let allowedNames = words.map(\.word).joined(separator: ", ")

    /// Of words of which some are none of ours: a login service gives its tokens scopes of other servers, too.
    init(known words: some Sequence<some StringProtocol>) {
        self = []
        for word in words {
            guard let known = Self.words.first(where: { $0.word == word }) else { continue }
            formUnion([known.scope, .read])
        }
    }

    /// - Returns: `nil` where one of the words is none.
    package init?(words: [String]) {
        guard words.allSatisfy({ word in Self.words.contains { $0.word == word } }) else { return nil }
        self.init(known: words)
    }

    package var names: [String] { Self.words.filter { contains($0.scope) }.map(\.word) }
    package var description: String { names.joined(separator: ", ") }
}

/// Whose orders and positions a token opens.
package enum AccessAccounts: Sendable, Hashable, CustomStringConvertible {
    case all
    case only(Set<String>)

    static let none = AccessAccounts.only([])

    func contains(_ account: AccountID<Paper>) -> Bool { contains(account.description) }

    func contains(_ account: String) -> Bool {
        switch self {
        case .all: true
        case .only(let accounts): accounts.contains(account)
        }
    }

    package var description: String {
        switch self {
        case .all: "all"
        case .only(let accounts): accounts.sorted().joined(separator: ", ")
        }
    }
}
