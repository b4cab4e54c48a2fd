import Consultation
import StreamCore
import TestKit
import Testing

/// The conversation's promises, with everything that can break breaking at random points.
@Suite struct StormTests {
    @Test(
        "after cuts, restarts and cancels both sides have the same text and decided templates, once",
        arguments: 1...12 as ClosedRange<UInt64>)
    func storm(seed: UInt64) throws {
        var world = ConsultationWorld(seed: seed)
        // One seed in three without restarts, so that cuts alone are seen as well.
        let restartChance = seed % 3 == 0 ? 0 : 0.002
        var steps = 0
        // Over all seeds that makes more than 500 cuts.
        while steps < 5_000 || world.cuts < 42, steps < 50_000 {
            try world.step(cutChance: 0.012, restartChance: restartChance)
            steps += 1
        }
        world.calm()
        #expect(world.cuts >= 42 && world.questions >= 20 && world.cancels >= 1 && world.edits >= 1)
        #expect(world.proposals >= 3 && world.decisions >= 2)

        // The log is the conversation.
        let server = world.server.transcript
        #expect(try Transcript(world.disk) == server)
        #expect(!world.server.isAnswering)

        // Every question is there once, and has its answer.
        let requested = server.messages.filter { $0.role == .user }.map(\.text)
        #expect(requested.count == world.questions - world.lateEdits.count)
        #expect(Set(requested).count == requested.count)

        for message in server.messages where message.role == .assistant {
            let said = world.said[message.id]
            switch message.end {
            case .completed: #expect(message.text == said?.text && said?.isWhole == true)
            case .cancelled, .interrupted:
                #expect(said?.text.utf8.starts(with: message.text.utf8) ?? message.text.isEmpty)
            case .failed, nil: Issue.record("\(message)")
            }
        }
        // Both clients see what the server has, to the byte and in its order.
        let expected = server.messages.suffix(100).map {
            "\($0.id) \($0.text) \($0.end?.name ?? "-") \($0.isSuperseded) \(Self.card($0.template))"
        }
        for (number, tab) in world.tabs.enumerated() {
            let shown = tab.client.messages.filter { !world.lateEdits.contains($0.id) }.suffix(100).map { message in
                let end =
                    switch message.state {
                    case .complete where message.role == .assistant: "completed"
                    case .cancelled: "cancelled"
                    case .interrupted: "interrupted"
                    case .sent, .complete: "-"
                    case .pending, .streaming, .failed: "\(message.state)"
                    }
                return "\(message.id) \(message.text) \(end) \(message.isSuperseded) \(Self.card(message.template))"
            }
            // What came too late is kept to be shown, in the place of what is older.
            #expect(shown.count + world.lateEdits.count >= expected.count)
            #expect(shown == expected.suffix(shown.count), "seed \(seed), tab \(number)")
            #expect(tab.client.isConnected && !tab.client.isTyping)
            #expect(tab.client.diagnostics.malformed == 0)
        }
    }

    /// A template and what was decided about it.
    private static func card(_ template: Template?) -> String {
        template.map { "\($0.id) \($0.fields["quantity"]?.text ?? "") \($0.decision.map { "\($0)" } ?? "open")" } ?? "-"
    }

    @Test(
        "an answer that is stopped while the line is down goes on meanwhile, and ends cancelled on both sides after it",
        arguments: 1...8 as ClosedRange<UInt64>)
    func cancelDuringOutage(seed: UInt64) throws {
        var world = ConsultationWorld(seed: seed)
        world.open(0)
        world.open(1)
        try #require(try world.tabs[0].client.send("question", now: world.now).isEmpty == false)
        world.questions += 1
        world.runUntilIdle()
        var (answer, rounds) = (String?.none, 0)
        var shown = ""
        while shown.isEmpty, rounds < 20_000 {
            world.deliver(up: 0)
            world.write()
            if answer != nil { world.speak() }
            world.runUntilIdle()
            world.deliver(down: 0)
            world.runUntilIdle()
            answer = answer ?? world.models.keys.first
            // It would go on for longer than a user waits.
            if let answer { world.models[answer] = 100_000 }
            shown = world.tabs[0].client.messages.last { $0.id == answer }?.text ?? ""
            rounds += 1
        }
        let id = try #require(answer)
        world.cut(0)
        #expect(!shown.isEmpty)
        world.tabs[0].client.cancel(id, now: world.now)
        for _ in 0..<50 {
            world.speak()
            world.write()
            world.runUntilIdle()
        }
        // The server does not know: the answer goes on, and is longer than what the user saw.
        #expect(world.server.isAnswering && world.models[id] != nil)
        let before = try #require(world.server.transcript.message(id)?.text.utf8.count)
        #expect(before > shown.utf8.count)

        world.calm()
        let kept = try #require(world.server.transcript.message(id))
        #expect(kept.end == .cancelled && !world.server.isAnswering && world.models.isEmpty)
        #expect(kept.text.utf8.count >= before)
        // All that was said until the server received it, and no word later.
        #expect(kept.text == world.said[id]?.text && world.said[id]?.isWhole == false)
        for tab in world.tabs {
            let message = tab.client.messages.last { $0.id == id }
            #expect(message?.text == kept.text && message?.state == .cancelled)
        }
    }

    @Test("rule 7: the same seed gives the same conversation")
    func determinism() throws {
        func run() throws -> [ConversationEntry] {
            var world = ConsultationWorld(seed: 77)
            for _ in 0..<1_500 { try world.step(cutChance: 0.01, restartChance: 0.002) }
            world.calm()
            return world.disk
        }
        #expect(try run() == run())
    }
}
