import Foundation
import HistoryStore
import TradingCore

/// Makes the accounts again from their ledgers: from the newest snapshot, and the entries after it.
struct TradingLoader {
    /// An account as its log makes it.
    struct Account: Sendable {
        var state: AccountState<Paper>
        var openedAt: Double
        /// The last entry that a snapshot has.
        var snapshot = 0
        /// Orders that were never accepted, ascending.
        var refused: [Order<Paper>] = []
    }

    /// Ordered by name.
    private(set) var accounts: [Account] = []
    /// Accounts that were deleted: one that is opened again goes on with their numbers.
    private(set) var deleted: [AccountState<Paper>] = []
    /// The events of the newest entries, oldest first, as many as a log keeps.
    private(set) var events: [TradingEvent] = []
    private(set) var composer = EventComposer()
    /// Where the events of the account that is read begin.
    private var firstOfAccount = 0

    /// - Parameters:
    ///   - names: of the markets in the ledger.
    ///   - progress: called for each percent of a long read: how many entries of an account are read, of how many.
    /// - Throws: `StoreError` where the file is damaged, and `ServerError` where an entry does not follow from those before;
    ///   both name the account and the entry.
    init(
        _ ledger: LedgerStore, names: LedgerNames = LedgerNames(),
        progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) throws {
        let decoder = JSONDecoder()
        for name in try ledger.accounts() {
            firstOfAccount = events.count
            guard let account = try load(name, ledger, names, decoder, progress) else { continue }
            if account.state.isDeleted {
                deleted.append(account.state)
            } else {
                accounts.append(account)
                events += account.refused.map { EventComposer.event(refused: $0) }
            }
            if events.count > 20 * EventLog.capacity { keepNewest() }
        }
        keepNewest()
    }

    private mutating func load(
        _ name: String, _ ledger: LedgerStore, _ names: LedgerNames, _ decoder: JSONDecoder,
        _ progress: (_ done: Int, _ total: Int) -> Void
    ) throws -> Account? {
        var account: Account?
        var used: LedgerSnapshot?
        // One that cannot be read is no loss: the entries have all that it has.
        for snapshot in try ledger.snapshots(of: name) {
            guard let state = try? AccountState<Paper>(snapshot: snapshot.state, name: names.shown),
                let past = TradingEvent.events(snapshot.events), state.sequence == snapshot.sequence
            else { continue }
            account = Account(state: state, openedAt: snapshot.openedAt, snapshot: snapshot.sequence)
            used = snapshot
            composer.begin(state)
            keep(past)
            break
        }
        var unindexed: [LedgerRecord] = []
        let first = used?.sequence ?? 0
        let total = ledger.lastSequence(of: name) - first
        try ledger.load(name, after: used) { record in
            let done = record.sequence - first
            // So many take seconds.
            if total > 50_000, done * 100 / total != (done - 1) * 100 / total { progress(done, total) }
            do {
                let entry = try LedgerCodec.entry(record, decoder)
                // Entries of older versions are not in the index of the past.
                if used == nil {
                    var record = record
                    record.index = LedgerCodec.index(of: entry)
                    unindexed.append(record)
                }
                try follow(names.shown(entry), &account)
            } catch {
                throw ServerError(
                    .ledger,
                    "Entry \(record.sequence) of account \(record.account) in the ledger \(ledger.path) cannot be "
                        + "followed: \(error). Restore the file from a backup, or move it away to begin with new accounts."
                )
            }
            if unindexed.count >= 5_000 {
                try ledger.addIndex(of: unindexed)
                unindexed = []
            }
        }
        if !unindexed.isEmpty { try ledger.addIndex(of: unindexed) }
        account?.refused = try ledger.refused(of: name).compactMap { record in
            LedgerCodec.order(record, decoder).map(names.shown)
        }
        return account
    }

    private mutating func follow(_ entry: LedgerEntry<Paper>, _ account: inout Account?) throws(LedgerError) {
        if account == nil { account = Account(state: AccountState(id: entry.account), openedAt: entry.time) }
        try account?.state.apply(entry)
        if case .accountOpened = entry.event { account?.openedAt = entry.time }
        keep(composer.events(for: entry))
    }

    private mutating func keep(_ new: [TradingEvent]) {
        events += new
        // Each account's own are in order, so the last ones of all are among the last ones of each.
        let excess = events.count - firstOfAccount - EventLog.capacity
        if excess >= EventLog.capacity { events.removeSubrange(firstOfAccount..<firstOfAccount + excess) }
    }

    /// By time; what happened at the same moment stays in the order in which it was read.
    private mutating func keepNewest() {
        let ordered = events.enumerated().sorted {
            ($0.element.timestamp, $0.offset) < ($1.element.timestamp, $1.offset)
        }
        events = ordered.suffix(EventLog.capacity).map(\.element)
    }
}
