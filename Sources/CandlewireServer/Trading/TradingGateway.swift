import HistoryStore
import NIOCore
import TradingCore

/// The trading desk, seen from request handlers: everything hops to the market loop, and comes back when it is on disk.
struct TradingGateway: Sendable {
    let core: MarketCore
    let desk: NIOLoopBoundBox<TradingDesk>

    /// Runs `body` on the market loop; its result, or its refusal, is returned when everything it saw is in the ledger.
    /// - Parameter changes: whether it is to change something, which is refused while the ledger cannot be written.
    /// - Throws: `APIError`.
    func run<R: Sendable>(changes: Bool, _ body: @escaping @Sendable (TradingDesk) throws -> R) async throws -> R {
        let promise = core.loop.makePromise(of: R.self)
        core.loop.execute {
            let desk = desk.value
            let outcome = Result {
                do {
                    try desk.checkLedger(forChange: changes)
                    return try body(desk)
                } catch let rejection as TradingRejection {
                    throw APIError(rejection)
                }
            }
            desk.afterCommit { isWritten in
                promise.completeWith(isWritten ? outcome : .failure(APIError.ledgerUnavailable))
            }
        }
        return try await promise.futureResult.get()
    }

    /// Ends trading: what was done is on its way to the ledger, and nothing is done any more.
    func stop() async { try? await core.loop.flatSubmit { desk.value.stop() }.get() }
}

/// The part of `/health` about trading.
struct TradingHealth: JSONObjectDocument, Sendable {
    var ledgerState: TradingDesk.LedgerState
    var accounts: Int
    var events: Int
    var ledger: GroupCommitStatistics
    var fillModel: String

    var isOK: Bool { ledgerState == .ok }

    func writeMembers(into sink: inout [UInt8]) {
        sink.fields("ledger", isOK ? "ok" : "failing", "accounts", accounts, "events", events)
        sink.field("fill_model", fillModel)
        sink.fields("written_entries", ledger.writtenEntries, "commits", ledger.groups)
        sink.fields("failed_commits", ledger.failedGroups, "waiting_rows", ledger.waitingRows)
    }
}
