import HistoryStore
import NIOCore

/// The trading desk, seen from request handlers: everything hops to the market loop, and comes back when it is on disk.
struct TradingGateway: Sendable {
    let core: MarketCore
    let desk: NIOLoopBoundBox<TradingDesk>

    /// Runs `body` on the market loop; its result, or its refusal, is returned when everything it saw is in the ledger.
    /// - Parameter changes: whether it is to change something, which is refused while the ledger cannot be written.
    /// - Throws: `APIError`.
    func run<R: Sendable>(
        changes: Bool, _ body: @escaping @Sendable (TradingDesk) throws(APIError) -> R
    ) async throws -> R {
        let promise = core.loop.makePromise(of: R.self)
        core.loop.execute {
            let desk = desk.value
            let outcome: Result<R, APIError>
            do throws(APIError) {
                try desk.checkLedger(forChange: changes)
                outcome = .success(try body(desk))
            } catch {
                outcome = .failure(error)
            }
            desk.afterCommit { isWritten in
                guard isWritten else { return promise.fail(APIError.ledgerUnavailable) }
                promise.completeWith(outcome.mapError { $0 as any Error })
            }
        }
        return try await promise.futureResult.get()
    }

    /// Ends trading: what was done is on its way to the ledger, and nothing is done any more.
    func stop() async {
        try? await core.loop.flatSubmit { desk.value.stop() }.get()
    }
}

/// The part of `/health` about trading.
struct TradingHealth: JSONDocument, Sendable {
    var ledgerState: TradingDesk.LedgerState
    var accounts: Int
    var events: Int
    var ledger: GroupCommitStatistics

    var isOK: Bool { ledgerState == .ok }

    func write(into sink: inout [UInt8]) {
        sink.object { sink in
            sink.field("ledger", isOK ? "ok" : "failing")
            sink.field("accounts", accounts)
            sink.field("events", events)
            sink.field("written_entries", ledger.writtenEntries)
            sink.field("commits", ledger.groups)
            sink.field("failed_commits", ledger.failedGroups)
            sink.field("waiting_rows", ledger.waitingRows)
        }
    }
}
