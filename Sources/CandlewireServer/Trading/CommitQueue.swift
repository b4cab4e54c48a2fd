/// What is to be told, kept until the ledger has what it tells: nothing is acknowledged or published before.
///
/// A value without IO; its owner issues a ticket for each append and settles it when the ledger answers, in the same order.
struct CommitQueue {
    /// An append to the ledger on its way.
    struct Ticket: Sendable, Equatable {
        fileprivate var number: Int
        /// Counts failures: what was on its way then did not happen, whatever becomes of it.
        fileprivate var generation: Int
    }

    typealias Body = (_ isWritten: Bool) -> Void

    private var issued = 0
    private var settled = 0
    private var generation = 0
    private var waiting: [(number: Int, body: Body)] = []

    /// Whether everything so far is on disk.
    var isSettled: Bool { issued == settled }

    mutating func issue() -> Ticket {
        issued += 1
        return Ticket(number: issued, generation: generation)
    }

    /// Keeps `body` until everything issued so far is settled.
    /// - Returns: false where nothing is on its way: the caller may go on at once.
    mutating func wait(_ body: @escaping Body) -> Bool {
        guard !isSettled else { return false }
        waiting.append((issued, body))
        return true
    }

    /// The ledger has written what the ticket stands for.
    /// - Returns: what may now be told, in order.
    mutating func settle(_ ticket: Ticket) -> [Body] {
        guard ticket.generation == generation else { return [] }
        settled = ticket.number
        let count = waiting.prefix { $0.number <= settled }.count
        defer { waiting.removeFirst(count) }
        return waiting.prefix(count).map(\.body)
    }

    /// The ledger has not written it, so nothing after it holds either.
    /// - Returns: all that waits, to be told that; `nil` where that has been done already.
    mutating func fail(_ ticket: Ticket) -> [Body]? {
        guard ticket.generation == generation else { return nil }
        generation += 1
        settled = issued
        defer { waiting = [] }
        return waiting.map(\.body)
    }
}
