import Foundation
import HistoryStore
import TradingCore

/// A page of what an account no longer has in memory, as its ledger has it.
struct PastTrading: Sendable {
    var page: LedgerStore.Page
    /// Of the markets in the ledger.
    var names: LedgerNames

    /// The highest number first.
    func orders(_ ledger: LedgerStore) async throws -> [Order<Paper>] {
        try entries(await ledger.orders(page)).compactMap(\.event.order)
    }

    /// The highest number first.
    func fills(_ ledger: LedgerStore) async throws -> [Fill<Paper>] {
        try entries(await ledger.fills(page)).compactMap(\.event.fill)
    }

    private func entries(_ records: [LedgerRecord]) throws -> [LedgerEntry<Paper>] {
        let decoder = JSONDecoder()
        return try records.map { names.shown(try LedgerCodec.entry($0, decoder)) }
    }
}
