import StreamCore
import Testing

@Suite("The mailbox of an event loop")
struct MailboxTests {
    /// Of one stream, named as in `OutboxReader`; each has ten bytes.
    private static func messages(_ names: [String], stream: Int = 1) -> [OutboxMessage<String>] {
        names.map { OutboxReader.message($0, stream: stream) }
    }

    /// `1:t1,t2` for messages of epoch 1, `1:lost 7` for what was given up, and events by their name.
    private static func lines(_ items: [Mailbox<String, String>.Item]) -> [String] {
        items.map { item in
            switch item {
            case .messages(let epoch, let messages): "\(epoch):" + messages.map(\.payload).joined(separator: ",")
            case .lost(let epoch, _, let through): "\(epoch):lost \(through)"
            case .event(let name): name
            }
        }
    }

    @Test("everything posted since the last collection comes at once, in the order of posting")
    func collects() {
        var mailbox = Mailbox<String, String>()
        #expect(mailbox.isEmpty)
        mailbox.post(Self.messages(["t1", "f2"]), epoch: 1, madeAt: 3)
        mailbox.post(Self.messages(["t7"], stream: 2), epoch: 2, madeAt: 4)
        mailbox.post("begin")
        mailbox.post(Self.messages(["t3"]), epoch: 1, madeAt: 5)
        #expect(!mailbox.isEmpty && mailbox.bytes == 40)
        let collected = mailbox.collect()
        #expect(Self.lines(collected.items) == ["1:t1,f2", "2:t7", "begin", "1:t3"])
        #expect(collected.madeFrom == 3)
        #expect(mailbox.isEmpty && mailbox.bytes == 0)
        let rest = mailbox.collect()
        #expect(rest.items.isEmpty && rest.madeFrom == .infinity)
    }

    @Test("where nobody collects, a stream keeps its finals and the latest of the rest, and events keep their place")
    func conflates() {
        var mailbox = Mailbox<String, String>(conflationBytes: 100)
        for name in ["t1", "f2", "F3", "t4", "f5", "t6"] { mailbox.post(Self.messages([name]), epoch: 1, madeAt: 0) }
        mailbox.post("begin")
        mailbox.post(Self.messages(["t1", "L2", "t3"], stream: 2), epoch: 2, madeAt: 0)
        #expect(mailbox.bytes == 90)
        mailbox.post(Self.messages(["t7", "t8"]), epoch: 1, madeAt: 0)
        #expect(mailbox.bytes == 60)
        let lines = Self.lines(mailbox.collect().items)
        #expect(lines == ["1:F3,f5,t6", "begin", "2:L2,t3", "1:t8"])
    }

    @Test("what is kept of much does not share its memory")
    func detaches() {
        var mailbox = Mailbox<String, String>(conflationBytes: 20) { $0 + "'" }
        mailbox.post(Self.messages(["t1", "t2"]), epoch: 1, madeAt: 0)
        mailbox.post(Self.messages(["t3"]), epoch: 1, madeAt: 0)
        let lines = Self.lines(mailbox.collect().items)
        #expect(lines == ["1:t3'"])
    }

    @Test("beyond the limit finals are given up as well, and what follows comes behind the loss")
    func loses() {
        var mailbox = Mailbox<String, String>(conflationBytes: 30, byteLimit: 50)
        mailbox.post(Self.messages(["F1"], stream: 2), epoch: 2, madeAt: 0)
        for offset in 1...5 { mailbox.post(Self.messages(["F\(offset)"]), epoch: 1, madeAt: 0) }
        mailbox.post(Self.messages(["F6", "F7", "F8"]), epoch: 1, madeAt: 0)
        mailbox.post(Self.messages(["t9"]), epoch: 1, madeAt: 0)
        #expect(mailbox.bytes == 10)
        let lines = Self.lines(mailbox.collect().items)
        #expect(lines == ["2:lost 1", "1:lost 8", "1:t9"])
    }

    @Test(
        "bytes are bounded however much is posted, and looking for what to drop costs little", arguments: [1, 30, 400])
    func bounded(finals: Int) {
        var mailbox = Mailbox<String, String>(conflationBytes: 1000, byteLimit: 4000)
        var most = 0
        for offset in 1...20_000 {
            let name = offset % finals == 0 ? "F\(offset)" : "t\(offset)"
            mailbox.post(Self.messages([name]), epoch: 1, madeAt: 0)
            most = max(most, mailbox.bytes)
        }
        #expect(most <= 2 * 4000 + 10)
        guard case .messages(_, let last)? = mailbox.collect().items.last else {
            Issue.record("the last message is not there")
            return
        }
        #expect(last.last?.offset == 20_000)
    }
}
