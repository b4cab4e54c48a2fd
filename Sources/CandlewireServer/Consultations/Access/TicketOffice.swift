import Synchronization

/// The tickets of a server, for its event loops and request handlers alike.
final class TicketOffice: Sendable {
    private let book = Mutex(TicketBook())

    func issue(_ user: ConsultationUser, consultation: String, now: Double) -> String? {
        var random = SystemRandomNumberGenerator()
        let secret = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        return book.withLock { $0.issue(user, consultation: consultation, secret: secret, now: now) }
    }

    func user(of ticket: String, consultation: String, now: Double, usingUp: Bool) -> ConsultationUser? {
        book.withLock { book in
            usingUp
                ? book.redeem(ticket, consultation: consultation, now: now)
                : book.user(of: ticket, consultation: consultation, now: now)
        }
    }
}
