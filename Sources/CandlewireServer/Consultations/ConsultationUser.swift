/// Who asks, as far as the server could tell.
struct ConsultationUser: Sendable, Hashable {
    var id: String
    /// Without a login there is nobody to keep apart: whoever reaches the server may open every conversation.
    var seesAll = false

    /// Everybody, on a server that asks for no login.
    static let local = ConsultationUser(id: "local", seesAll: true)

    func mayOpen(conversationOf user: String) -> Bool { seesAll || id == user }
}
