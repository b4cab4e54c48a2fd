import Consultation
import HistoryStore
import NIOCore

/// A conversation in memory. Confined to the conversations' event loop.
final class OpenConversation {
    var machine: ConversationMachine
    /// Tells this value from an earlier one of the same conversation, whose writes may still be on their way.
    let serial: Int
    /// Entries up to this one are on disk.
    private(set) var stored: Int
    /// When it was last used.
    var usedAt: Double
    /// It waits for the clock.
    var isTimed = false
    /// It is not in memory any more; its last owners release it.
    var isGone = false
    private var waiting: [(entry: Int, body: (Bool) -> Void)] = []

    init(_ machine: ConversationMachine, serial: Int, stored: Int, now: Double) {
        self.machine = machine
        self.serial = serial
        self.stored = stored
        usedAt = now
    }

    /// Nothing is lost where it leaves the memory.
    var isIdle: Bool {
        machine.clientCount == 0 && !machine.isAnswering && waiting.isEmpty && stored == machine.transcript.lastEntry
    }

    /// Runs `body` when everything so far is on disk, at once where it is; with false where it could not be written.
    func afterStoring(_ body: @escaping (Bool) -> Void) {
        let last = machine.transcript.lastEntry
        guard stored < last else { return body(true) }
        waiting.append((last, body))
    }

    func afterStoring(_ promise: EventLoopPromise<Void>) {
        afterStoring { isWritten in
            isWritten ? promise.succeed() : promise.fail(APIError.consultationsUnavailable)
        }
    }

    func markStored(through entry: Int) {
        stored = max(stored, entry)
        let done = waiting.prefix { $0.entry <= stored }
        waiting.removeFirst(done.count)
        for one in done { one.body(true) }
    }

    func fail() {
        let failed = waiting
        waiting = []
        for one in failed { one.body(false) }
    }
}
