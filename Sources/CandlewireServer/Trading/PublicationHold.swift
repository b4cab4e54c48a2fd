/// What is to be sent, held until the ledger has what it is about: nothing is acknowledged or published before. It writes
/// nothing; appends that wait for the disk are the store's (`GroupCommitQueue`).
///
/// A value without IO; its owner issues a ticket for each append and finishes it when the ledger answers, in the same order.
struct PublicationHold {
    /// An append to the ledger on its way.
    struct Ticket: Sendable, Equatable {
        fileprivate var number: Int
        /// Counts failures: what was on its way then did not happen, whatever becomes of it.
        fileprivate var generation: Int
    }

    typealias Body = (_ isWritten: Bool) -> Void

    private var issued = 0
    private var finished = 0
    private var generation = 0
    private var waiting: [(number: Int, body: Body)] = []

    /// Whether everything so far is on disk.
    var isFinished: Bool { issued == finished }

    mutating func issue() -> Ticket {
        issued += 1
        return Ticket(number: issued, generation: generation)
    }

    /// Keeps `body` until everything issued so far is finished.
    /// - Returns: false where nothing is on its way: the caller may go on at once.
    mutating func wait(_ body: @escaping Body) -> Bool {
        guard !isFinished else { return false }
        waiting.append((issued, body))
        return true
    }

    /// The ledger has written what the ticket stands for.
    /// - Returns: what may now run, in order.
    mutating func finish(_ ticket: Ticket) -> [Body] {
        guard ticket.generation == generation else { return [] }
        finished = ticket.number
        let count = waiting.prefix { $0.number <= finished }.count
        defer { waiting.removeFirst(count) }
        return waiting.prefix(count).map(\.body)
    }

    /// The ledger has not written it, so nothing after it holds either.
    /// - Returns: all that waits, to be called with false; `nil` where that has been done already.
    mutating func fail(_ ticket: Ticket) -> [Body]? {
        guard ticket.generation == generation else { return nil }
        generation += 1
        finished = issued
        defer { waiting = [] }
        return waiting.map(\.body)
    }
}
