import NIOCore
import NIOEmbedded
import Testing

@testable import WebSocketTransport

@Suite("The queue of unsent frames")
struct OutboundQueueTests {
    private func piece(_ text: String, promise: EventLoopPromise<Void>? = nil) -> OutboundQueue.Piece {
        OutboundQueue.Piece(bytes: ByteBuffer(string: text), promise: promise)
    }

    private func drain(_ queue: inout OutboundQueue) -> [String] {
        var texts: [String] = []
        while !queue.isEmpty { texts.append(String(buffer: queue.removeFirst().bytes)) }
        return texts
    }

    @Test("control frames go first, each lane in its order")
    func lanes() {
        var queue = OutboundQueue()
        queue.append(piece("a"), isControl: false)
        queue.append(piece("ping"), isControl: true)
        queue.append(piece("b"), isControl: false)
        queue.append(piece("pong"), isControl: true)
        #expect(queue.byteCount == 10)
        var seen: [String] = []
        queue.forEach {
            seen.append(String(buffer: $0.bytes))
            return seen.count < 3
        }
        #expect(seen == ["ping", "pong", "a"])
        #expect(drain(&queue) == ["ping", "pong", "a", "b"])
        #expect(queue.byteCount == 0)
    }

    @Test("a queue that never runs dry keeps its order and does not grow")
    func neverDry() {
        var queue = OutboundQueue()
        var next = 0
        for index in 0..<10_000 {
            queue.append(piece("\(index)"), isControl: false)
            guard index >= 100 else { continue }
            #expect(String(buffer: queue.removeFirst().bytes) == "\(next)")
            next += 1
        }
        #expect(queue.byteCount == 400)
        #expect(drain(&queue) == (next..<10_000).map(String.init))
    }

    @Test("what is dropped hands its promises back")
    func dropping() throws {
        let loop = EmbeddedEventLoop()
        let promises = (0..<3).map { _ in loop.makePromise(of: Void.self) }
        var queue = OutboundQueue()
        queue.append(piece("sent", promise: promises[0]), isControl: false)
        queue.append(piece("data", promise: promises[1]), isControl: false)
        queue.append(piece("ping", promise: promises[2]), isControl: true)
        queue.removeFirst().promise?.succeed(())
        queue.removeFirst().promise?.succeed(())
        let dropped = queue.removeAll()
        #expect(dropped.count == 1)
        #expect(queue.isEmpty && queue.byteCount == 0)
        for promise in dropped { promise.fail(WebSocketClosedError()) }
        try promises[0].futureResult.wait()
        try promises[2].futureResult.wait()
        #expect(throws: WebSocketClosedError.self) { try promises[1].futureResult.wait() }
    }
}
