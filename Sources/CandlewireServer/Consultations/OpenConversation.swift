import Consultation
import HistoryStore
import NIOCore

/// A conversation in memory. Confined to the conversations' event loop.
final class OpenConversation {
    var machine: ConversationMachine
    /// Distinguishes this value from an earlier one of the same conversation, whose writes may still be on their way.
    let serial: Int
    /// Entries up to this one are on disk.
    private(set) var stored: Int
    /// When it was last used.
    var usedAt: Double
    /// It waits for the clock.
    var isTimed = false
    /// It is not in memory any more; its last owners release it.
    var isGone = false
    private var waiting: [(entry: Int, promise: EventLoopPromise<Void>)] = []

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

    /// Succeeds when everything so far is on disk, at once where it is; fails where it could not be written.
    func afterStoring(_ promise: EventLoopPromise<Void>) {
        let last = machine.transcript.lastEntry
        if stored < last { waiting.append((last, promise)) } else { promise.succeed() }
    }

    func markStored(through entry: Int) {
        stored = max(stored, entry)
        let done = waiting.prefix { $0.entry <= stored }
        waiting.removeFirst(done.count)
        for one in done { one.promise.succeed() }
    }

    func fail() {
        let failed = waiting
        waiting = []
        for one in failed { one.promise.fail(APIError.consultationsUnavailable) }
    }
}
