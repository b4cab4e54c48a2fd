import Foundation
import Synchronization
import Testing

@testable import HistoryStore

/// Found by the simulation, seed 107.
@Suite struct FailedSyncTests {
    @Test("what is acknowledged after a sync that failed survives a power cut")
    func failedSync() throws {
        let folder = NSTemporaryDirectory() + "candlewire-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let disk = FaultyDisk(folder: folder, seed: 1)
        defer { disk.remove() }
        try open(folder).close()

        let first = try open(folder)
        disk.failSyncs(1)
        #expect(append(to: first) == false)
        #expect(append(to: first) == true)
        disk.cutPower()
        first.abandon()
        disk.restart(losesUnsynced: true)

        let second = try open(folder)
        #expect(end(of: second) == 1)
        try second.close()
    }

    private func open(_ folder: String) throws -> LedgerStore {
        var options = LedgerStore.Options()
        options.runner = { $0() }
        return try LedgerStore(directory: folder, options: options)
    }

    private func end(of ledger: LedgerStore) -> Int { ledger.heads.withLock { $0["paper-main"]?.sequence ?? 0 } }

    /// - Returns: whether the next entry was acknowledged.
    private func append(to ledger: LedgerStore) -> Bool? {
        let body = String(repeating: "x", count: 20_000)
        let record = LedgerRecord(
            account: "paper-main", sequence: end(of: ledger) + 1, time: 1, kind: "test", body: body)
        let answer = Answer()
        ledger.append([record]) { result in answer.isWritten.withLock { $0 = (try? result.get()) != nil } }
        return answer.isWritten.withLock { $0 }
    }

    private final class Answer: Sendable { let isWritten = Mutex<Bool?>(nil) }
}
