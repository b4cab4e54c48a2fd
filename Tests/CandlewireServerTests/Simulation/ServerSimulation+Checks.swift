import StreamCore

@testable import CandlewireServer
@testable import HistoryStore

/// What must be true at all times, and what must be when nothing is under way.
extension ServerSimulation {
    func prune() {
        guard let server else { return }
        nextPrune = hours * 3600 + 3600
        counts.prunes += 1
        do {
            let before = try server.rows()
            server.prune()
            if disk.isDead { return restart(.powerCut) }
            let deleted = before - (try server.rows())
            counts.pruned += deleted
            if abs(server.clock.now() - rightTime) > 3 * Self.day {
                counts.doubtful += 1
                if deleted > 0 { fail("\(deleted) candles were deleted by a clock that is wrong") }
            }
        } catch { fail("pruning: \(error)") }
    }

    /// Every queue has its bound.
    func checkBounds() {
        guard let server else { return }
        if server.desk.ledgerState != .ok { counts.ledgerFailures += 1 }
        for (connection, link) in server.connections {
            if connection.outbox.heldBytes > connection.outbox.limits.bytes {
                fail("\(connection.outbox.heldBytes) bytes held")
            }
            if link.server.inFlight > 8 << 20 { fail("\(link.server.inFlight) bytes on the way to a reader") }
        }
        if server.ledger.statistics.waitingRows > 100_000 { fail("the ledger's queue is too long") }
        if server.store.statistics.droppedRows > 0 { fail("candles were dropped") }
    }

    /// Compares ledger and desk with what clients know; nothing may be under way.
    func checkTrading(of server: SimulatedServer, verifies: Bool) throws {
        if let problem = try trading.problem(in: server.ledger) { fail(problem) }
        if let problem = trading.problem(of: server.desk) { fail(problem) }
        guard verifies else { return }
        for problem in try LedgerVerification(directory: disk.folder).problems { fail(problem) }
    }

    /// All faults end; when nothing is under way any more, everything must be as it should.
    func endFaultsAndCompare(everything: Bool = false) {
        note("all faults end")
        counts.comparisons += 1
        endFaults()
        // What is on slow lines needs its time.
        for _ in 0..<600 {
            for reader in readers { reader.retryNow() }
            for market in 0..<2 { sendTrade(market) }
            advance(by: 1)
            if readers.allSatisfy(\.isLive), server?.desk.ledgerState == .ok, server?.clock.lead == 0,
                links.allSatisfy({ $0.server.inFlight == 0 })
            {
                break
            }
        }
        for reader in readers { reader.retryNow() }
        advance(by: 8)
        guard let server else { return fail("no server") }
        do {
            if server.desk.ledgerState != .ok { fail("the ledger is \(server.desk.ledgerState) when all is well") }
            repeatUnanswered()
            advance(by: 1)
            server.flush()
            for reader in readers {
                reader.compare(with: server)
                if let problem = reader.problem { fail(problem) }
            }
            if let problem = try candles.problem(in: server.store, mayLose: false, everything: everything) {
                fail(problem)
            }
            try checkTrading(of: server, verifies: everything)
            if !trading.unanswered.isEmpty { fail("\(trading.unanswered.keys) were not answered when all is well") }
        } catch { fail("when all faults have ended: \(error)") }
    }
}
