import HistoryStore
import StreamCore

/// The part of `/health` about trading.
struct TradingHealth: Sendable {
    var ledgerState: TradingDesk.LedgerState
    var accounts: Int
    var events: Int
    var ledger: LedgerStatistics

    var isOK: Bool { ledgerState == .ok }

    func write(into sink: inout [UInt8]) {
        sink.json("{\"ledger\":")
        sink.string(isOK ? "ok" : "failing")
        sink.field("accounts", accounts)
        sink.field("events", events)
        sink.field("written_entries", ledger.writtenEntries)
        sink.field("commits", ledger.groups)
        sink.field("failed_commits", ledger.failedGroups)
        sink.field("waiting_rows", ledger.waitingRows)
        sink.json("}")
    }
}
