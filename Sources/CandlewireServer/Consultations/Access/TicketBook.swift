/// Tickets for browsers, which cannot send headers with a WebSocket's handshake: asked for over REST by who has shown who
/// they are, and good for one connection to one conversation, soon. One in an address that was logged opens nothing.
///
/// A value; time and randomness come from outside.
struct TicketBook: Sendable {
    struct Ticket: Sendable, Hashable {
        var user: ConsultationUser
        var consultation: String
        var expiresAt: Double
    }

    /// Seconds from the ticket to the connection.
    static let lifetime = 30.0
    /// Unused ones of one user, and of all: who asks for more has the oldest forgotten, or waits.
    static let mostOfUser = 16
    static let most = 10_000

    private var tickets: [String: Ticket] = [:]

    /// - Parameter secret: 32 random bytes.
    /// - Returns: `nil` where too many wait to be used.
    mutating func issue(
        _ user: ConsultationUser, consultation: String, secret: [UInt8], now: Double
    ) -> String? {
        if tickets.count >= Self.most { sweep(now: now) }
        guard tickets.count < Self.most else { return nil }
        let own = tickets.filter { $0.value.user.isCalled(user.id) }
        if own.count >= Self.mostOfUser, let oldest = own.min(by: { $0.value.expiresAt < $1.value.expiresAt }) {
            tickets[oldest.key] = nil
        }
        let name = Base64URL.text(secret)
        tickets[name] = Ticket(user: user, consultation: consultation, expiresAt: now + Self.lifetime)
        return name
    }

    /// Who a ticket is of, without using it up.
    func user(of ticket: String, consultation: String, now: Double) -> ConsultationUser? {
        guard let found = tickets[ticket], found.consultation == consultation, now < found.expiresAt else { return nil }
        return found.user
    }

    /// Who a ticket is of. After that it opens nothing any more.
    mutating func redeem(_ ticket: String, consultation: String, now: Double) -> ConsultationUser? {
        let user = user(of: ticket, consultation: consultation, now: now)
        if user != nil { tickets[ticket] = nil }
        return user
    }

    private mutating func sweep(now: Double) {
        tickets = tickets.filter { now < $0.value.expiresAt }
    }

    var count: Int { tickets.count }
}
