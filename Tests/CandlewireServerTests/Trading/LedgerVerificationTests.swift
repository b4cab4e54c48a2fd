import Foundation
import GRDB
import HistoryStore
import MarketModel
import Testing
import TradingCore

@testable import CandlewireServer

@Suite("The proof of a ledger, and starts from snapshots")
struct LedgerVerificationTests {
    let folder = RunningServer.temporaryFolder()

    private func records() throws -> [LedgerRecord] { try LedgerCodecTests.entries().map { LedgerCodec.record($0) } }

    private func keep(_ state: AccountState<Paper>, _ events: [TradingEvent] = [], in ledger: LedgerStore) async throws
    {
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            ledger.keep(
                LedgerSnapshot(
                    account: state.id.description, sequence: state.sequence, openedAt: 1, state: state.snapshot(),
                    events: TradingEvent.bytes(events))
            ) { done.resume(with: $0) }
        }
    }

    @Test("a start from a snapshot at any entry makes the same account and the same events as the whole ledger")
    func fromSnapshots() async throws {
        let entries = try LedgerCodecTests.entries()
        let ledger = try LedgerStore(directory: folder)
        try await ledger.append(records())
        let whole = try TradingLoader(ledger)
        for cut in stride(from: 1, through: entries.count, by: 3) {
            let id = entries[0].account
            let state = try AccountState<Paper>(id: id, replaying: entries.prefix(cut))
            let past = whole.events.filter { event in
                let number = event.id.dropFirst("paper-main-e".count).split(separator: ".")[0]
                return Int(number).map { $0 <= cut } == true
            }
            try await keep(state, past, in: ledger)
            let loaded = try TradingLoader(ledger)
            #expect(loaded.accounts.map(\.state) == whole.accounts.map(\.state), "at \(cut)")
            #expect(loaded.accounts[0].snapshot == cut)
            #expect(Set(loaded.events.map(\.id)) == Set(whole.events.map(\.id)), "at \(cut)")
            #expect(loaded.events == whole.events, "at \(cut)")
        }
        #expect(try LedgerVerification(directory: folder).problems == [])
        try ledger.close()
        let verified = try LedgerVerification(directory: folder)
        #expect(verified.problems == [] && verified.accounts[0].entries == entries.count)
        #expect(verified.accounts[0].fills > 3 && verified.accounts[0].orders > 3)
    }

    @Test("a snapshot of a later version, or one that is damaged, is passed over")
    func otherVersion() async throws {
        let ledger = try LedgerStore(directory: folder)
        try await ledger.append(records())
        let whole = try TradingLoader(ledger)
        for (sequence, state) in [(5, [4] as [UInt8]), (9, [2, 2, 2])] {
            try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
                ledger.keep(
                    LedgerSnapshot(account: "paper-main", sequence: sequence, openedAt: 1, state: state, events: [])
                ) { done.resume(with: $0) }
            }
        }
        #expect(try TradingLoader(ledger).accounts.map(\.state) == whole.accounts.map(\.state))
        #expect(try LedgerVerification(directory: folder).problems.count == 1)
        try ledger.close()
    }

    @Test(
        "what does not agree is named with its account and its entry",
        arguments: [
            (
                "UPDATE ledger SET body = replace(body, '65000.5', '65000.6') WHERE sequence = 4",
                "entry 4 of account paper-main is not what was written"
            ),
            ("DELETE FROM ledger WHERE sequence = 7", "entry 7 of account paper-main is missing"),
            ("DELETE FROM past_fills WHERE number = 2", "the index of the past of account paper-main"),
            (
                "UPDATE past_orders SET sequence = sequence + 1 WHERE number = 2",
                "the index of the past of account paper-main"
            ),
            (
                "DELETE FROM ledger WHERE sequence = (SELECT MAX(sequence) FROM ledger)",
                "lacks entries: account paper-main ends at entry"
            ),
        ])
    func wrong(change: String, says: String) async throws {
        let ledger = try LedgerStore(directory: folder)
        try await ledger.append(records())
        try ledger.close()
        let file = try DatabaseQueue(path: "\(folder)/\(LedgerStore.fileName)")
        try await file.write { db in
            try db.execute(sql: "DROP TRIGGER ledger_is_not_changed; DROP TRIGGER ledger_is_not_shortened")
            try db.execute(sql: change)
        }
        try file.close()
        let problems = try LedgerVerification(directory: folder).problems
        #expect(problems.contains { $0.contains(says) }, "\(problems)")
    }

    @Test("a snapshot with its key's signature that is not what the entries make is named")
    func wrongSnapshot() async throws {
        let entries = try LedgerCodecTests.entries()
        let ledger = try LedgerStore(directory: folder)
        try await ledger.append(records())
        var state = try AccountState<Paper>(id: entries[0].account, replaying: entries.prefix(3))
        try state.apply(
            LedgerEntry(account: state.id, sequence: 4, time: entries[3].time, event: .deposited(Money(1, "USD"))))
        try await keep(state, in: ledger)
        let problems = try LedgerVerification(directory: folder).problems
        #expect(problems.count == 1)
        #expect(problems[0].contains("the snapshot at entry 4 of account paper-main is not what the entries make"))
        try ledger.close()
    }

    @Test("entries that follow by their hashes and not by the rules are named")
    func inconsistent() async throws {
        let ledger = try LedgerStore(directory: folder)
        var records = try records().prefix(6)
        records[5].kind = "deposited"
        records[5].body = #"{"kind":"deposited","money":{"amount":"-5","currency":"USD"}}"#
        try await ledger.append(Array(records))
        let problems = try LedgerVerification(directory: folder).problems
        #expect(problems.contains { $0.contains("entry 6 of account paper-main does not follow") }, "\(problems)")
        try ledger.close()
    }
}
