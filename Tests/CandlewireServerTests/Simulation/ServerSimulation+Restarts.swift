import NIOCore
import Synchronization
import TradingCore

@testable import CandlewireServer

/// Starts of the server, and how it ends: told to, killed, or without power.
extension ServerSimulation {
    enum End { case stop, kill, powerCut }

    private static let candleLog = "candlewire.sqlite-wal"

    func openServer() throws {
        let (time, environment) = (time, environment)
        let made = try SimulatedServer(
            time: time, disk: disk, seed: seed,
            system: { Self.epoch + time.seconds + environment.clockError.withLock { $0 } },
            commitDelay: { environment.commitDelay.withLock { $0 } })
        made.onFlush = { [unowned self] in flushed($0) }
        made.setFeed(isUp: isFeedUp)
        server = made
        candleSyncs = disk.syncs(of: Self.candleLog)
        counts.quarantined = max(counts.quarantined, try made.rows(in: "quarantined_candles"))
        (tradeTimes, wasStale) = ([:], [])
        if environment.clockError.withLock({ $0 }) != 0 { counts.wrongStarts += 1 }
        let bothAccounts = made.trading.result(changes: true) { desk in
            let id = try AccountID<Paper>("paper-second")
            if !desk.accounts.contains(where: { $0.id == id }) { _ = try desk.open(id, capital: desk.standardCapital) }
        }
        bothAccounts.whenFailure { [unowned self, weak made] error in
            guard made != nil, server === made, error as? APIError != .ledgerUnavailable else { return }
            fail("no second account: \(error)")
        }
    }

    private func flushed(_ isWritten: Bool?) {
        guard let isWritten else { return candles.beginWriting() }
        // Where the power went meanwhile, they are there or they are not.
        if !isWritten, !disk.isDead {
            counts.candleFailures += 1
            candles.writingFailed()
        }
        let syncs = disk.syncs(of: Self.candleLog)
        if syncs != candleSyncs, isWritten { candles.synced() }
        candleSyncs = syncs
    }

    func restart(_ end: End) {
        guard let old = server else { return }
        note("\(end)")
        server = nil
        let links = links
        do {
            var losesPower = end == .powerCut || disk.isDead
            if end == .stop, !losesPower {
                healDisk()
                do { try old.stop() } catch  where disk.isDead {}
                counts.stops += 1
                losesPower = disk.isDead
                if losesPower { old.crash(losesPower: true) } else { disk.restart(losesUnsynced: false) }
            } else {
                old.crash(losesPower: losesPower)
                if losesPower { counts.powerCuts += 1 } else { counts.kills += 1 }
            }
            for link in links { if losesPower, chance(0.5) { link.cut(isNoticed: false) } else { link.end() } }
            advance(by: pick([0.1, 2, 40]))
            try openServer()
            guard let server else { return }
            if let problem = try candles.problem(in: server.store, mayLose: losesPower) { fail(problem) }
            candles.restarted()
            try checkTrading(of: server, verifies: chance(0.2))
            repeatUnanswered()
        } catch { fail("after \(end): \(error)") }
    }
}
