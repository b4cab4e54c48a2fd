import Consultation

/// Who asks, as far as the server could tell.
struct ConsultationUser: Sendable, Hashable {
    var id: String
    /// Without a login there is nobody to keep apart: whoever reaches the server may open every conversation.
    var seesAll = false
    /// Whether orders may be placed: who may not do it over the trading routes does not do it over a proposal.
    var mayTrade = false
    /// Seconds since 1970 UTC at which what was shown expires; `nil`: not at all.
    var expiresAt: Double?

    /// Everybody, on a server that asks for no login; and those who share its tokens.
    static let local = ConsultationUser(id: "local", seesAll: true, mayTrade: true)

    func mayOpen(conversationOf user: String) -> Bool { seesAll || isCalled(user) }

    func isCalled(_ name: String) -> Bool { UserKey(id) == UserKey(name) }
}
