import Testing

@testable import CandlewireServer

@Suite("Tickets")
struct TicketBookTests {
    private let ada = ConsultationUser(id: "ada")

    private func secret(_ number: Int) -> [UInt8] { (0..<32).map { UInt8((number >> ($0 % 4 * 8)) & 0xFF) } }

    @Test("a ticket opens one conversation, once, within its time")
    func once() throws {
        var book = TicketBook()
        let ticket = book.issue(ada, consultation: "c1", secret: secret(1), now: 100) ?? ""
        #expect(ticket.utf8.count == 43)
        #expect(book.user(of: ticket, consultation: "c1", now: 129.9, usingUp: false) == ada)
        #expect(book.user(of: ticket, consultation: "c2", now: 101, usingUp: true) == nil)
        #expect(book.user(of: ticket + "A", consultation: "c1", now: 101, usingUp: true) == nil)
        #expect(book.user(of: ticket, consultation: "c1", now: 129.9, usingUp: true) == ada)
        #expect(book.user(of: ticket, consultation: "c1", now: 129.9, usingUp: true) == nil)
        let late = book.issue(ada, consultation: "c1", secret: secret(2), now: 200) ?? ""
        #expect(book.user(of: late, consultation: "c1", now: 230, usingUp: true) == nil)
    }

    @Test("A user has as many as may wait, all users together too; what is too old makes room")
    func bounds() throws {
        // Few, as the book looks through all of them for those of a user.
        var book = TicketBook(capacity: 400)
        let first = book.issue(ada, consultation: "c", secret: secret(0), now: 0) ?? ""
        for number in 1...TicketBook.maxPerUser {
            #expect(book.issue(ada, consultation: "c", secret: secret(number), now: Double(number)) != nil)
        }
        #expect(book.count == TicketBook.maxPerUser)
        #expect(book.user(of: first, consultation: "c", now: 16, usingUp: false) == nil)
        for number in book.count..<book.capacity {
            let user = ConsultationUser(id: "u\(number)")
            #expect(book.issue(user, consultation: "c", secret: secret(1000 + number), now: 20) != nil)
        }
        #expect(book.issue(ada, consultation: "c", secret: secret(99_999), now: 20) == nil)
        #expect(book.issue(ada, consultation: "c", secret: secret(99_999), now: 51) != nil)
        #expect(book.count == 1)
    }
}
