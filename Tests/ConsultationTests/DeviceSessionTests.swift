import StreamCore
import TestKit
import Testing

@testable import Consultation

/// A session with a store of its test, and a server that only takes note.
@MainActor
@Suite struct DeviceSessionTests {
    private final class Memory: ConversationStorage {
        struct Full: Error, CustomStringConvertible { let description = "The disk is full." }

        var journal: [String] = []
        var isFull = false
        var isUnreadable = false
        private var head: String?
        private var messages: [String: String] = [:]

        func load() throws -> StoredConversation? {
            if isUnreadable { throw Full() }
            return try head.map { try StoredConversation(head: $0, messages: messages) }
        }

        func save(_ change: ConversationChange) throws {
            if isFull { throw Full() }
            journal.append("saved \(change.waiting) waiting")
            head = change.head
            for message in change.written { messages[message.id] = message.json }
            for id in change.removed { messages[id] = nil }
        }
    }

    private final class Line: ConsultationTransport {
        var onEvent: ((ConsultationTransportEvent) -> Void)?
        var socket: SocketNumber?
        let memory: Memory

        init(_ memory: Memory) { self.memory = memory }

        func open(_ socket: SocketNumber, token: String?) { self.socket = socket }
        func send(_ frame: [UInt8], on socket: SocketNumber) {
            guard let envelope = try? frame.envelope(), envelope.type == .userMessage else { return }
            memory.journal.append("sent \(envelope.content ?? "")")
        }
        func close(_ socket: SocketNumber, _ code: WebSocketCloseCode, reason: String) {}
        func drop(_ socket: SocketNumber) {}

        func accept() { if let socket { onEvent?(.opened(socket)) } }
        func receive(_ envelope: Envelope) { if let socket { onEvent?(.text(socket, envelope.bytes)) } }
    }

    private func started(_ memory: Memory, clock: ManualClock = ManualClock()) -> (ConsultationSession, Line) {
        let line = Line(memory)
        let session = ConsultationSession(
            transport: line, storage: memory, clock: ConsultationClock(clock, epoch: 1_737_972_000), seed: 3)
        return (session, line)
    }

    @Test("a message is saved before it is sent; the next process shows it as waiting and sends it under its id")
    func savedFirst() throws {
        let memory = Memory()
        let (session, line) = started(memory)
        session.connect()
        line.accept()
        let id = try session.send("hello")
        #expect(memory.journal == ["saved 1 waiting", "sent hello"])
        let (next, nextLine) = started(memory)
        #expect(next.messages.map(\.id) == [id] && next.messages.map(\.state) == [.pending])
        #expect(!next.discard(id) && next.messages.count == 1)
        next.connect()
        nextLine.accept()
        nextLine.receive(Envelope(.ack, messageID: id, timestamp: 0, sequence: 1))
        #expect(memory.journal.suffix(2) == ["sent hello", "saved 0 waiting"])
        let (last, _) = started(memory)
        #expect(last.messages.map(\.state) == [.sent])
    }

    @Test("without a connection a waiting message can be discarded")
    func discarded() throws {
        let memory = Memory()
        let (session, _) = started(memory)
        let (first, second) = (try session.send("one"), try session.send("two"))
        #expect(session.discard(first) && !session.discard(first))
        #expect(session.messages.map(\.id) == [second])
        let (next, _) = started(memory)
        #expect(next.messages.map(\.id) == [second])
    }

    @Test("what cannot be read is left alone, and the session goes on without")
    func unreadable() throws {
        let memory = Memory()
        memory.isUnreadable = true
        let (session, line) = started(memory)
        #expect(session.storageError == "The disk is full.")
        session.connect()
        line.accept()
        try session.send("hello")
        #expect(memory.journal == ["sent hello"])
    }

    @Test("a write that fails is reported, holds nothing up, and is repeated after five seconds")
    func diskFull() async throws {
        let (memory, clock) = (Memory(), ManualClock())
        let (session, line) = started(memory, clock: clock)
        session.connect()
        line.accept()
        memory.isFull = true
        try session.send("hello")
        #expect(session.storageError == "The disk is full." && memory.journal == ["sent hello"])
        memory.isFull = false
        clock.advance(by: .seconds(5.5))
        for _ in 0..<100_000 where session.storageError != nil { await Task.yield() }
        #expect(session.storageError == nil && memory.journal.last == "saved 1 waiting")
    }
}
