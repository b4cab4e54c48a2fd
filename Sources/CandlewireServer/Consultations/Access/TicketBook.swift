import Synchronization

/// Tickets for browsers, which cannot send headers with a WebSocket's handshake: requested over REST by an authenticated
/// user, and valid for one connection to one conversation, soon. One in an address that was logged opens nothing.
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
    /// Unused ones of one user, and of all: a further one makes the user's oldest go, or is refused.
    static let maxPerUser = 16
    let capacity: Int

    private var tickets: [String: Ticket] = [:]

    init(capacity: Int = 10_000) { self.capacity = capacity }

    /// - Parameter secret: 32 random bytes.
    /// - Returns: `nil` where too many wait to be used.
    mutating func issue(_ user: ConsultationUser, consultation: String, secret: [UInt8], now: Double) -> String? {
        if tickets.count >= capacity { tickets = tickets.filter { now < $0.value.expiresAt } }
        guard tickets.count < capacity else { return nil }
        let own = tickets.filter { $0.value.user.isCalled(user.id) }
        if own.count >= Self.maxPerUser, let oldest = own.min(by: { $0.value.expiresAt < $1.value.expiresAt }) {
            tickets[oldest.key] = nil
        }
        let name = Base64URL.text(secret)
        tickets[name] = Ticket(user: user, consultation: consultation, expiresAt: now + Self.lifetime)
        return name
    }

    /// The user of a ticket.
    mutating func user(of ticket: String, consultation: String, now: Double, usingUp: Bool) -> ConsultationUser? {
        guard let found = tickets[ticket], found.consultation == consultation, now < found.expiresAt else { return nil }
        if usingUp { tickets[ticket] = nil }
        return found.user
    }

    var count: Int { tickets.count }
}

/// The tickets of a server, for its event loops and request handlers alike.
final class SharedTicketBook: Sendable {
    private let book = Mutex(TicketBook())

    func issue(_ user: ConsultationUser, consultation: String, now: Double) -> String? {
        var random = SystemRandomNumberGenerator()
        let secret = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        return book.withLock { $0.issue(user, consultation: consultation, secret: secret, now: now) }
    }

    func user(of ticket: String, consultation: String, now: Double, usingUp: Bool) -> ConsultationUser? {
        book.withLock { $0.user(of: ticket, consultation: consultation, now: now, usingUp: usingUp) }
    }
}
