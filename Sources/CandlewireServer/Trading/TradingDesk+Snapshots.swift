import HistoryStore
import TradingCore

/// Snapshots of accounts: a start reads the newest one and the entries after it, however long the account's past is.
extension TradingDesk {
    /// Entries after which an account's next snapshot is made: a start after a crash reads few more than these.
    static let snapshotInterval = 20_000
    /// Seconds between two of an account. One of a hundred thousand orders is tens of megabytes, which orders wait for: an
    /// account of thousands of orders a second has some more entries to read instead.
    private static let snapshotPause = 20.0
    /// A server that is stopped leaves no more entries than these without one.
    private static let lastSnapshotInterval = 500

    /// Four times a second.
    func writeSnapshots() {
        let latest = pulseTime - Self.snapshotPause
        for account in accounts
        where account.sequence - account.snapshotSequence >= Self.snapshotInterval && account.snapshotTime <= latest {
            takeSnapshot(of: account)
        }
    }

    /// When trading ends.
    func takeLastSnapshots() {
        for account in accounts where account.sequence - account.snapshotSequence >= Self.lastSnapshotInterval {
            takeSnapshot(of: account, isLast: true)
        }
    }

    /// - Parameter isLast: makes the bytes at once, since the ledger is closed next.
    private func takeSnapshot(of account: PaperAccount, isLast: Bool = false) {
        (account.snapshotSequence, account.snapshotTime) = (account.sequence, pulseTime)
        let (state, openedAt, name) = (account.exchange.account, account.createdAt, account.id.description)
        // Its events are in the log when its entries are on disk.
        afterCommit { [ledger, names, weak self] isWritten in
            guard isWritten, let self else { return }
            let events = self.events.ofLedger(name)
            let keep: @Sendable () -> Void = {
                ledger.keep(
                    LedgerSnapshot(
                        account: name, sequence: state.sequence, openedAt: openedAt,
                        state: state.snapshot(name: names.kept), events: TradingEvent.bytes(events))
                ) { _ in }
            }
            // One that cannot be written is no loss: the next start reads more entries.
            if isLast { keep() } else { self.options.background(keep) }
        }
    }
}
