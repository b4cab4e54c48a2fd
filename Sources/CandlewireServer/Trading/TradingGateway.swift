import HistoryStore
import NIOCore
import Tracing
import TradingCore

/// The trading desk, seen from request handlers: everything hops to the market loop, and comes back when it is on disk.
struct TradingGateway: Sendable {
    let core: MarketCore
    let desk: NIOLoopBoundBox<TradingDesk>
    /// `nil`: requests are not traced.
    var tracer: (any Tracer)?

    /// Runs `body` on the market loop; its result, or its refusal, is returned when everything it saw is in the ledger.
    /// - Parameters:
    ///   - changes: whether it is to change something, which is refused while the ledger cannot be written.
    ///   - principal: who asks: the ledger's entries carry the name.
    /// - Throws: `APIError`.
    func run<R: Sendable>(
        changes: Bool, principal: String? = nil, _ body: @escaping @Sendable (TradingDesk) throws -> R
    ) async throws -> R {
        try await result(
            changes: changes, principal: principal, context: tracer == nil ? nil : ServiceContext.current, body
        ).get()
    }

    /// The same for callers that do not wait.
    func result<R: Sendable>(
        changes: Bool, principal: String? = nil, context: ServiceContext? = nil,
        _ body: @escaping @Sendable (TradingDesk) throws -> R
    ) -> EventLoopFuture<R> {
        let promise = core.loop.makePromise(of: R.self)
        core.loop.execute {
            let desk = desk.value
            desk.principal = principal
            defer { desk.principal = nil }
            let work = tracer?.startAnySpan("market loop", context: context ?? .topLevel)
            let outcome = Result {
                do {
                    try desk.checkLedger(forChange: changes)
                    return try body(desk)
                } catch let rejection as TradingRejection {
                    throw APIError(rejection)
                }
            }
            let commit = work.flatMap { tracer?.startAnySpan("ledger commit", context: $0.context) }
            work?.end()
            desk.afterCommit { isWritten in
                if !isWritten { commit?.setStatus(SpanStatus(code: .error)) }
                commit?.end()
                promise.completeWith(isWritten ? outcome : .failure(APIError.ledgerUnavailable))
            }
        }
        return promise.futureResult
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
    /// Why the ledger's head could not be written.
    var headProblem: StoreError?
    var fillModel: String

    var isOK: Bool { ledgerState == .ok }

    func writeMembers(into sink: inout [UInt8]) {
        sink.fields("ledger", isOK ? "ok" : "failing", "ledger_head", headProblem == nil ? "ok" : "failing")
        sink.fields("accounts", accounts, "events", events)
        sink.field("fill_model", fillModel)
        sink.fields("written_entries", ledger.writtenEntries, "commits", ledger.groups)
        sink.fields("failed_commits", ledger.failedGroups, "waiting_rows", ledger.waitingRows)
    }
}
