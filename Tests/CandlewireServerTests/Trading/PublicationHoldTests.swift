import Testing

@testable import CandlewireServer

@Suite("What waits for the ledger")
struct PublicationHoldTests {
    private final class Log { var words: [String] = [] }

    @Test("runs in order, when everything before it is on disk")
    func order() {
        var queue = PublicationHold()
        let log = Log()
        #expect(!queue.wait { _ in log.words.append("at once") })
        let first = queue.issue()
        #expect(queue.wait { log.words.append("a \($0)") })
        #expect(queue.wait { log.words.append("b \($0)") })
        let second = queue.issue()
        #expect(queue.wait { log.words.append("c \($0)") })
        for body in queue.finish(first) { body(true) }
        #expect(log.words == ["a true", "b true"])
        #expect(!queue.isFinished)
        for body in queue.finish(second) { body(true) }
        #expect(log.words == ["a true", "b true", "c true"])
        #expect(queue.isFinished)
    }

    @Test("did not happen where the ledger fails, nor did anything after it, whatever the ledger says of that later")
    func failure() {
        var queue = PublicationHold()
        let log = Log()
        let (first, second) = (queue.issue(), queue.issue())
        #expect(queue.wait { log.words.append("a \($0)") })
        for body in queue.fail(first) ?? [] { body(false) }
        #expect(log.words == ["a false"])
        #expect(queue.isFinished)
        let third = queue.issue()
        #expect(queue.wait { log.words.append("b \($0)") })
        // Answers from before the failure come in late.
        #expect(queue.finish(second).isEmpty)
        #expect(queue.fail(second) == nil)
        #expect(log.words == ["a false"])
        for body in queue.finish(third) { body(true) }
        #expect(log.words == ["a false", "b true"])
    }
}
