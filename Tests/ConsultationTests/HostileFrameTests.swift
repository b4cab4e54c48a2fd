import Consultation
import StreamCore
import TestKit
import Testing

/// Rule 8: whatever a peer sends costs at most that message, on either side.
@Suite struct HostileFrameTests {
    private static let types = [
        "user_message", "ai_message_start", "ai_message_chunk", "ai_message_complete", "template_created", "error",
        "ping",
        "pong", "auth", "ack", "cancel", "cancelled", "retry", "sync", "nonsense",
    ]
    private static let ids = ["m1", "m2", "m3", "c1-2", "c1-3", "c1-4", "c1-6", "c1-sync", "x"]
    private static let contents: [String?] = [
        nil, "", " ", "hi", "é\u{1F600}", String(repeating: "long ", count: 2000),
    ]
    private static let numbers: [Int?] = [nil, nil, 0, 1, 2, 3, 4, 5, 7, 100, 9_007_199_254_740_991]
    private static let metadata: [[String: JSONValue]?] = [
        nil, [:], ["resumed": true], ["end": "completed"], ["end": "odd", "reason": 4], ["reply_to": "m1"],
        ["code": "unauthorized"], ["code": "not_answering", "message_id": "m1"], ["messages": []],
        ["messages": [4, "x", ["message_id": "m1", "role": "user", "content": "hi", "timestamp": 1]]],
        ["messages": [["message_id": "a", "role": "assistant", "content": "é", "timestamp": 1, "end": "streaming"]]],
        ["template_id": "t", "type": "meal", "name": "n"],
    ]

    private static func envelope(_ random: inout SeededGenerator) -> Envelope {
        Envelope(
            EnvelopeType(name: types.randomElement(using: &random)!), content: contents.randomElement(using: &random)!,
            messageID: ids.randomElement(using: &random)!, timestamp: 1_700_000_000,
            metadata: metadata.randomElement(using: &random)!, sequence: numbers.randomElement(using: &random)!,
            offset: numbers.randomElement(using: &random)!)
    }

    @Test("random frames never break the server, and its log stays a conversation", arguments: [41, 42, 43])
    func server(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var stage = ServerStage()
        stage.allowances = UserAllowances(rate: 100, burst: 100)
        for step in 0..<4_000 {
            let client = Int.random(in: 1...3, using: &random)
            switch Int.random(in: 0..<20, using: &random) {
            case 0: stage.attach(client)
            case 1: stage.detach(client)
            case 2: stage.model(.text("word\(step) "))
            case 3: stage.model(.end(ModelUsage()))
            case 4:
                stage.model(.toolCall(ToolCall(name: "create_watchlist", arguments: ["name": "n", "symbols": ["A"]])))
            case 5: stage.pass(Double.random(in: 0..<20, using: &random))
            case 6 where step % 50 == 0: try stage.restart()
            default: stage.say(client, Self.envelope(&random))
            }
        }
        stage.machine.shutDown(now: stage.now)
        stage.runUntilIdle()
        #expect(try Transcript(stage.disk) == stage.machine.transcript)
        #expect(stage.machine.transcript.messages.count > 20)
    }

    @Test("random frames never break a client, nor make it hold more than it may", arguments: [51, 52, 53])
    func client(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var now = 0.0
        var client = ConsultationClient(epoch: 1_700_000_000, seed: seed)
        var socket: SocketNumber?
        client.connect(now: now)
        for step in 0..<6_000 {
            var actions = 0
            while let action = client.nextAction() {
                actions += 1
                switch action {
                case .open(let number): socket = number
                case .close(let number, _, _), .drop(let number): if socket == number { socket = nil }
                case .fetchToken: client.setToken("t", now: now)
                case .send, .loginNeeded: break
                }
            }
            #expect(actions < 200)
            now += Double.random(in: 0..<1, using: &random)
            if let deadline = client.deadline, deadline <= now { client.timerFired(now: now) }
            guard let number = socket else {
                client.connect(now: now)
                client.retryNow(now: now)
                continue
            }
            switch Int.random(in: 0..<40, using: &random) {
            case 0, 5, 6, 7: client.opened(number, now: now)
            case 1:
                socket = nil
                client.closed(number, code: .abnormal, reason: "", now: now)
            case 2: _ = try? client.send("message \(step)", now: now)
            case 3:
                if let message = client.messages.randomElement(using: &random) { client.cancel(message.id, now: now) }
            case 4:
                if let message = client.messages.randomElement(using: &random) { client.retry(message.id, now: now) }
            default: Self.envelope(&random).bytes.withUnsafeBytes { client.received($0, on: number, now: now) }
            }
            #expect(client.messages.count <= 100 + 45)
            #expect(Set(client.messages.map(\.id)).count == client.messages.count)
        }
        #expect(client.diagnostics.framesIn > 1_000)
    }
}
