import Foundation
import Testing

@testable import HistoryStore

@Suite("A process that is killed while it writes its ledger", .timeLimit(.minutes(15)))
struct LedgerKillTests {
    /// A few commits are enough to be in the middle of one, and a slow disk takes its time for each. `make kills` has many.
    ///
    /// The child notes each acknowledgement with a write to a file of its own and dies of SIGKILL in the middle of its work.
    @Test("leaves every acknowledged entry, without a hole", arguments: [1, 20, 60])
    func kill(after acknowledged: Int) async throws {
        let directory = try TemporaryDirectory()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = directory.path as String, acknowledged] in
            let store = try LedgerStore(directory: path)
            let notes = open("\(path)/notes", O_WRONLY | O_CREAT | O_APPEND, 0o600)
            await withTaskGroup(of: Void.self) { group in
                for account in 0..<8 {
                    group.addTask {
                        for number in 1...100_000 {
                            guard (try? await store.append([record("paper-\(account)", number)])) != nil else { return }
                            let note = Array("\(account) \(number)\n".utf8)
                            _ = write(notes, note, note.count)
                            if account == 0, number >= acknowledged { Foundation.kill(getpid(), SIGKILL) }
                        }
                    }
                }
            }
        }
        let notes = try String(contentsOfFile: "\(directory.path)/notes", encoding: .utf8)
        var last: [String: Int] = [:]
        for line in notes.split(separator: "\n") {
            let parts = line.split(separator: " ")
            last["paper-\(parts[0])"] = Int(parts[1])
        }
        #expect(last["paper-0"] ?? 0 >= acknowledged)
        let store = try LedgerStore(directory: directory.path)
        var found: [String: Int] = [:]
        for entry in try store.all() {
            #expect(entry == record(entry.account, entry.sequence))
            found[entry.account] = entry.sequence
        }
        for (account, number) in last { #expect(found[account] ?? 0 >= number, "\(account)") }
        try store.close()
    }
}
