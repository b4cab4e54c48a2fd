import Foundation
import HistoryStore
import TradingCore

/// Makes the accounts again from their ledgers.
struct TradingLoader {
    /// An account as its log makes it.
    struct Account: Sendable {
        var state: AccountState<Paper>
        var openedAt: Double
    }

    /// Ordered by name.
    private(set) var accounts: [Account] = []
    /// The events of all entries, oldest first, as many as a log keeps.
    private(set) var events: [TradingEvent] = []
    private(set) var composer = EventComposer()

    /// - Parameter names: of the markets in the ledger.
    /// - Throws: `StoreError` where the file is damaged, and `ServerError` where an entry does not follow from those before;
    ///   both name the account and the entry.
    init(_ ledger: LedgerStore, names: LedgerNames = LedgerNames()) throws {
        let decoder = JSONDecoder()
        var current: Account?
        try ledger.load { record in
            let entry: LedgerEntry<Paper>
            do {
                entry = names.shown(try LedgerCodec.entry(record, decoder))
                if current?.state.id != entry.account {
                    if let current { accounts.append(current) }
                    current = Account(state: AccountState(id: entry.account), openedAt: entry.time)
                }
                try current?.state.apply(entry)
            } catch {
                throw ServerError(
                    .ledger,
                    "Entry \(record.sequence) of account \(record.account) in the ledger \(ledger.path) cannot be "
                        + "followed: \(error). Restore the file from a backup, or move it away to begin with new accounts."
                )
            }
            keep(composer.events(for: entry))
        }
        if let current { accounts.append(current) }
        keepNewest()
    }

    private mutating func keep(_ new: [TradingEvent]) {
        events += new
        // Each account's own are in order, so the last ones of all are among the last ones of each.
        if events.count > 20 * EventLog.capacity { keepNewest() }
    }

    /// By time; what happened at the same moment stays in the order in which it was read.
    private mutating func keepNewest() {
        let ordered = events.enumerated().sorted {
            ($0.element.timestamp, $0.offset) < ($1.element.timestamp, $1.offset)
        }
        events = ordered.suffix(EventLog.capacity).map(\.element)
    }
}
