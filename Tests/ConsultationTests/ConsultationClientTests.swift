import Consultation
import StreamCore
import TestKit
import Testing

@Suite struct ConsultationClientTests {
    // MARK: Connecting

    @Test("a socket that does not open in 10 s is given up and tried again")
    func connectTimeout() {
        var play = Script.playing([.stall], [])
        play.update { $0.connect(now: $1) }
        play.run(for: 9.9)
        #expect(!play.log.contains { $0.contains("open 2") } && play.client.state == .connecting)
        play.run(for: 3)
        #expect(play.client.isConnected && play.failures.isEmpty)
    }

    @Test("connected is what the server's handshake says, not the attempt")
    func connected() {
        var play = Script.playing([.stall])
        play.update { $0.connect(now: $1) }
        #expect(!play.client.isConnected && !play.client.diagnostics.isConnected)
    }

    @Test("five attempts within min(2^n, 30) s each, then it is over and says so; Retry begins anew")
    func attempts() {
        var play = Script.playing([.cut], [.cut], [.cut], [.cut], [.cut], [.cut], [])
        play.update { $0.connect(now: $1) }
        var waits: [Double] = []
        for _ in 0..<6 {
            guard case .waiting(let until) = play.client.state else { break }
            waits.append(until - play.clock.seconds)
            play.run(for: until - play.clock.seconds + 0.001)
        }
        #expect(waits.count == 5 && zip(waits, [2.0, 4, 8, 16, 30]).allSatisfy { $0 <= $1 })
        #expect(play.client.problem == "Max reconnection attempts reached")
        #expect(play.client.state == .failed(.attemptsExhausted))
        play.run(for: 600)
        #expect(play.log.count { $0.contains(" open ") } == 6)
        play.update { $0.retryNow(now: $1) }
        play.run(for: 11)
        #expect(play.client.isConnected && play.client.problem == nil)
        #expect(play.client.diagnostics.reconnectAttempts == 0)
    }

    @Test("the pauses are spread over all of their time: those who lost a server together come back apart")
    func spread() throws {
        var waits: [[Double]] = Array(repeating: [], count: 5)
        for seed in 1...40 as ClosedRange<UInt64> {
            var client = ConsultationClient(ConsultationConfiguration(), epoch: 0, seed: seed)
            var now = 0.0
            client.connect(now: now)
            for attempt in waits.indices {
                while let action = client.nextAction() {
                    guard case .open(let socket) = action else { continue }
                    client.closed(socket, code: .abnormal, reason: "", now: now)
                }
                guard case .waiting(let until) = client.state else { break }
                waits[attempt].append(until - now)
                now = until
                client.timerFired(now: now)
            }
        }
        for (waits, bound) in zip(waits, [2.0, 4, 8, 16, 30]) {
            #expect(waits.count == 40 && waits.allSatisfy { $0 <= bound })
            #expect(try #require(waits.max()) > bound * 0.8)
            #expect((bound * 0.35...bound * 0.65).contains(waits.mean))
        }
    }

    @Test("a network that comes back ends a wait, and nothing that is over for good")
    func network() {
        var client = ConsultationClient(ConsultationConfiguration(), epoch: 0, seed: 1)
        func opened() -> SocketNumber? {
            var socket: SocketNumber?
            while let action = client.nextAction() { if case .open(let number) = action { socket = number } }
            return socket
        }
        client.connect(now: 0)
        let first = opened()
        client.closed(first ?? SocketNumber(rawValue: 0), code: .abnormal, reason: "", now: 0)
        client.networkChanged(isAvailable: false, now: 0.001)
        #expect(first != nil && opened() == nil)
        client.networkChanged(isAvailable: true, now: 0.002)
        guard let second = opened() else { return #expect(Bool(false), "not opened at once") }
        #expect(client.state == .connecting)

        client.refused(second, status: 403, retryAfter: nil, now: 1)
        client.networkChanged(isAvailable: false, now: 100)
        client.networkChanged(isAvailable: true, now: 101)
        #expect(opened() == nil && client.problem != nil, "forbidden is forbidden over every network")

        client.disconnect(now: 102)
        client.networkChanged(isAvailable: false, now: 200)
        client.networkChanged(isAvailable: true, now: 201)
        #expect(opened() == nil && client.state == .closed)
    }

    @Test("an intentional close is 1000 and nothing comes after it; a server's 1000 is no intention of ours")
    func intentionalClose() {
        var play = Script.playing([.wait(20), .close(.normal)], [.expectAnything, .expectClose(.normal)])
        play.update { $0.connect(now: $1) }
        play.run(for: 30)
        #expect(play.client.isConnected)
        play.update { $0.disconnect(now: $1) }
        play.run(for: 600)
        #expect(play.client.state == .closed && play.isFinished && play.failures.isEmpty)
    }

    @Test("a ping message every 30 s; without its pong the connection is replaced")
    func heartbeat() throws {
        var play = Script.playing([.expectText(containing: "sync"), .expectText(containing: "ping"), .wait(60)], [])
        play.update { $0.connect(now: $1) }
        play.run(for: 29)
        #expect(!play.log.contains { $0.contains(#""type":"ping""#) })
        play.run(for: 2)
        let ping = try #require(play.log.first { $0.contains(#""type":"ping""#) })
        #expect(ping.hasPrefix("30.0 "))
        play.run(for: 20)
        #expect(play.client.isConnected && play.client.diagnostics.connects == 2)
    }

    @Test("a pong keeps the connection, a server's ping is answered, and after the end there are no pings")
    func pongs() throws {
        var play = Script.playing([frame(.ping, "s1"), .expectText(containing: "sync")])
        play.update { $0.connect(now: $1) }
        #expect(play.log.contains { $0.contains(#"{"type":"pong","message_id":"s1""#) })
        for _ in 0..<5 {
            play.run(for: 30)
            let ping = try #require(play.log.last { $0.contains(#""type":"ping""#) })
            let id = try String(ping.drop { $0 != "{" }).envelope().messageID
            let pong = Envelope(.pong, messageID: id, timestamp: 0).bytes.text
            play.update { $0.received(pong, socket: 1, now: $1) }
        }
        #expect(play.client.diagnostics.connects == 1 && play.client.diagnostics.uptime(now: play.clock.seconds) == 150)
        play.update { $0.disconnect(now: $1) }
        let lines = play.log.count
        play.run(for: 300)
        #expect(play.log.count == lines && play.client.diagnostics.uptime(now: play.clock.seconds) == 0)
    }

    @Test(
        "what the user is reported of a refused connection, and whether it is tried again",
        arguments: [
            (403, "Access denied to this consultation.", false), (404, "Consultation not found.", false),
            (500, "Server error. Retrying...", true), (503, "Server error. Retrying...", true),
            (429, "Connection error: the server answered with status 429.", true),
        ])
    func statuses(status: Int, sentence: String, isRetried: Bool) {
        var play = Script.playing([.refuse(status: status)], [.wait(1000)])
        play.update { $0.connect(now: $1) }
        #expect(play.client.problem == sentence && play.client.diagnostics.lastError == sentence)
        play.run(for: 25)
        #expect(play.client.isConnected == isRetried)
    }

    @Test("a 401 requests another token once, then for a login")
    func unauthorized() {
        var play = Script.playing([.refuse(status: 401)], [.refuse(status: 401)]) {
            $0.connection.requiresToken = true
        }
        play.update { $0.connect(now: $1) }
        #expect(play.events.map(\.event) == ["fetch token, rejected false"])
        play.update { $0.setToken("old", now: $1) }
        #expect(play.events.map(\.event).last == "fetch token, rejected true" && play.client.problem == nil)
        play.update { $0.setToken("new", now: $1) }
        #expect(play.events.map(\.event).last == "login needed")
        #expect(play.client.problem == "Authentication failed. Please login again.")
        #expect(play.client.diagnostics.reconnectAttempts == 0)
    }

    @Test("where headers cannot be set the token goes in the first frame, and into no log")
    func firstFrame() throws {
        var play = Script.playing([.expectText(containing: "s3cret")]) {
            $0.authentication = .firstFrame
            $0.connection.requiresToken = true
            $0.loggedFrames = 50
        }
        play.update { $0.connect(now: $1) }
        play.update { $0.setToken("s3cret", now: $1) }
        #expect(!play.client.isConnected)
        let auth = try #require(play.log.first { $0.contains(#""type":"auth""#) })
        let id = try String(auth.drop { $0 != "{" }).envelope().messageID
        let ack = Envelope(.ack, messageID: id, timestamp: 0).bytes.text
        play.update { $0.received(ack, socket: 1, now: $1) }
        #expect(play.client.isConnected)
        let log = play.client.log.lines.map(\.text).joined(separator: "\n")
        #expect(log.contains("auth (hidden)") && !log.contains("s3cret"))
        #expect(!"\(play.client.diagnostics)".contains("s3cret"))
    }

    @Test("an open connection gets a newer token in a frame, also where the handshake brought the first one")
    func renewal() {
        var play = Script.playing([.expectText(containing: "sync"), .expectText(containing: "n3wer")]) {
            $0.connection.requiresToken = true
        }
        play.update { $0.connect(now: $1) }
        play.update { $0.setToken("0ld", now: $1) }
        #expect(play.client.isConnected && !play.log.contains { $0.contains(#""type":"auth""#) })
        let expired = Envelope(
            .error, content: "Expired.", messageID: "auth", timestamp: 0, metadata: ["code": "unauthorized"])
        play.update { $0.received(expired.bytes.text, socket: 1, now: $1) }
        #expect(play.events.map(\.event).last == "fetch token, rejected true")
        play.update { $0.setToken("n3wer", now: $1) }
        #expect(play.log.contains { $0.contains(#""type":"auth""#) && $0.contains("n3wer") })
        #expect(play.client.isConnected && play.client.problem == nil)
    }

    // MARK: Messages

    @Test("a message is shown at once, is pending until it is acknowledged, and then sent")
    func optimistic() throws {
        var play = Script.playing([])
        play.update { $0.connect(now: $1) }
        let id = play.update { try! $0.send("I want to lose weight", now: $1) }
        #expect(play.client.messages.map(\.text) == ["I want to lose weight"])
        #expect(play.client.messages[0].state == .pending && play.client.messages[0].role == .user)
        let sent = try String(try #require(play.log.last).drop { $0 != "{" }).envelope()
        #expect(sent.type == .userMessage && sent.messageID == id && sent.timestamp == 1_737_972_000)
        let ack = Envelope(.ack, messageID: id, timestamp: 0, sequence: 1).bytes.text
        play.update { $0.received(ack, socket: 1, now: $1) }
        #expect(play.client.messages[0].state == .sent)
    }

    @Test("without an acknowledgement it fails with a reason, and retry sends the same message again")
    func patience() {
        var play = Script.playing([])
        play.update { $0.connect(now: $1) }
        let id = play.update { try! $0.send("hello", now: $1) }
        play.run(for: 16)
        #expect(play.client.messages[0].state == .failed("The server did not acknowledge the message."))
        play.update { $0.retry(id, now: $1) }
        #expect(play.client.messages[0].state == .pending)
        #expect(play.log.count { $0.contains(id) } == 2)
    }

    @Test("what is written while disconnected waits, and is sent with the next connection, in order")
    func offline() {
        var play = Script.playing([
            .expectText(containing: "sync"), .expectText(containing: "one"), .expectText(containing: "two"),
        ])
        play.update { client, now in
            _ = try! client.send("one", now: now)
            _ = try! client.send("two", now: now)
        }
        play.run(for: 100)
        #expect(play.log.isEmpty && play.client.messages.allSatisfy { $0.state == .pending })
        play.update { $0.connect(now: $1) }
        #expect(play.isFinished && play.failures.isEmpty)
    }

    @Test("a burst of messages goes out together, and each stays what it is")
    func burst() {
        var play = Script.playing([])
        play.update { $0.connect(now: $1) }
        play.update { client, now in for text in ["a", "b", "c"] { _ = try! client.send(text, now: now) } }
        #expect(play.client.messages.map(\.text) == ["a", "b", "c"])
        #expect(play.log.suffix(3).allSatisfy { $0.contains("user_message") && $0.hasPrefix("0.0 ") })
        #expect(Set(play.client.messages.map(\.id)).count == 3)
    }

    @Test("an empty or too long message is refused here already")
    func limits() {
        var play = Script.playing([])
        play.update { client, now in
            #expect(throws: ConsultationSendError.empty) { try client.send(" \n", now: now) }
            #expect(throws: ConsultationSendError.tooLong(characters: 5001, allowed: 5000)) {
                try client.send(String(repeating: "x", count: 5001), now: now)
            }
            for _ in 0..<20 { _ = try? client.send("x", now: now) }
            #expect(throws: ConsultationSendError.tooManyPending(20)) { try client.send("x", now: now) }
        }
    }

    @Test("an answer is typed, grows, and ends; a template becomes a line with a card")
    func answer() {
        var play = Script.playing([
            .wait(1), frame(.aiMessageStart, "a1", sequence: 1), .wait(1),
            frame(.aiMessageChunk, "a1", "Hello ", offset: 0),
            frame(.aiMessageChunk, "zz", "nobody's", offset: 0), frame(.aiMessageChunk, "a1", "you", offset: 6),
            .wait(1),
            frame(
                .templateCreated, "t1", sequence: 2,
                metadata: ["template_id": "9", "type": "meal", "name": "Oats", "description": "d"]),
            frame(.aiMessageComplete, "a1", sequence: 3, offset: 9),
        ])
        play.update { $0.connect(now: $1) }
        play.run(for: 1.5)
        #expect(play.client.isTyping && play.client.messages.map(\.state) == [.streaming])
        #expect(play.client.messages[0].text == "" && play.client.messages[0].role == .assistant)
        play.run(for: 1)
        #expect(play.client.messages[0].text == "Hello you" && play.client.isTyping)
        play.run(for: 1)
        #expect(!play.client.isTyping && play.client.messages[0].state == .complete)
        #expect(play.client.messages[1].text == "Created meal template: Oats")
        #expect(play.client.messages[1].template?.kind == .meal && play.client.messages[1].role == .system)
    }

    @Test("a server that knows the documented types alone, without numbers and offsets, is understood")
    func documentedServer() {
        var play = Script.playing([
            frame(.aiMessageStart, "a1"), frame(.aiMessageChunk, "a1", "Hel"), frame(.aiMessageChunk, "a1", "lo"),
            frame(.aiMessageComplete, "a1"),
        ]) { $0.expectsAcknowledgement = false }
        play.update { $0.connect(now: $1) }
        play.update { _ = try! $0.send("hi", now: $1) }
        #expect(play.client.messages.map(\.text) == ["Hello", "hi"])
        #expect(play.client.messages.map(\.state) == [.complete, .sent])
    }

    @Test("a drop in mid-answer ends the typing; the next connection goes on from the offset, nothing twice")
    func resume() throws {
        var play = Script.playing(
            [
                frame(.aiMessageStart, "a1", sequence: 1), frame(.aiMessageChunk, "a1", "Hello ", offset: 0), .wait(1),
                .cut,
            ],
            [
                .expectText(containing: #""type":"sync","message_id":"a1""#),
                frame(.sync, "a1", sequence: 1, metadata: ["resumed": true]),
                frame(.aiMessageChunk, "a1", "lo you", offset: 3), frame(.aiMessageChunk, "a1", "Hello ", offset: 0),
                frame(.aiMessageComplete, "a1", sequence: 2, offset: 9),
            ])
        play.update { $0.connect(now: $1) }
        play.run(for: 1)
        #expect(!play.client.isTyping && play.client.messages[0].isStreaming)
        play.run(for: 5)
        let sync = try #require(play.log.last { $0.contains(#""type":"sync","message_id":"a1""#) && $0.contains("->") })
        #expect(sync.contains(#""sequence":1,"offset":6"#))
        #expect(play.client.messages.map(\.text) == ["Hello you"] && play.client.messages[0].state == .complete)
        #expect(play.client.diagnostics.resumed == 1 && play.client.diagnostics.duplicates >= 1)
    }

    @Test("what was streaming is not for ever: without an answer to sync it counts as interrupted")
    func orphan() {
        var play = Script.playing([frame(.aiMessageStart, "a1"), .wait(1), .cut], [])
        play.update { $0.connect(now: $1) }
        play.run(for: 30)
        #expect(play.client.messages.map(\.state) == [.interrupted] && !play.client.isTyping)
    }

    @Test("a hole, in the events or in a text, is requested and not shown")
    func gaps() {
        var play = Script.playing([
            .expectText(containing: "sync"), frame(.sync, "x", sequence: 0, metadata: ["resumed": true]),
            frame(.aiMessageStart, "a1", sequence: 1), frame(.aiMessageChunk, "a1", "later", offset: 7),
            .expectText(containing: "sync"),
        ])
        play.update { $0.connect(now: $1) }
        #expect(play.client.messages.map(\.text) == [""] && play.client.diagnostics.gaps == 1)
        #expect(play.isFinished && play.failures.isEmpty)
    }

    @Test("cancel during an outage is honoured after it, and what the server kept is shown")
    func cancelOffline() {
        var play = Script.playing(
            [
                frame(.aiMessageStart, "a1", sequence: 1), frame(.aiMessageChunk, "a1", "Once", offset: 0), .wait(1),
                .cut,
            ],
            [
                .expectText(containing: "sync"), .expectText(containing: #""type":"cancel","message_id":"a1""#),
                frame(.cancelled, "a1", "Once upon", sequence: 2, metadata: ["end": "cancelled"]),
                frame(.aiMessageComplete, "a1", sequence: 2, offset: 9, metadata: ["end": "cancelled"]), .wait(12),
                .cut,
            ],
            [.expectText(containing: "sync"), .wait(5)])
        play.update { $0.connect(now: $1) }
        play.run(for: 1)
        play.update { $0.cancel("a1", now: $1) }
        play.run(for: 10)
        #expect(play.client.messages[0].text == "Once upon" && play.client.messages[0].state == .cancelled)
        // It was requested once, and not again with the next connection.
        play.run(for: 20)
        #expect(play.log.count { $0.contains(#""type":"cancel""#) && $0.contains("->") } == 1)
    }

    @Test("an error's text is shown, \"Unknown error\" without one; one about a message is that message's")
    func errors() {
        var play = Script.playing([])
        play.update { $0.connect(now: $1) }
        let id = play.update { try! $0.send("x", now: $1) }
        let refusal = Envelope(
            .error, content: "Too many messages.", messageID: id, timestamp: 0, metadata: ["code": "rate_limited"])
        play.update { $0.received(refusal.bytes.text, socket: 1, now: $1) }
        #expect(play.client.messages[0].state == .failed("Too many messages.") && play.client.problem == nil)
        play.update { $0.received(Envelope(.error, messageID: "e", timestamp: 0).bytes.text, socket: 1, now: $1) }
        #expect(play.client.problem == "Unknown error")
    }

    @Test("100 messages stay, and the one that is streaming however many come after it")
    func memory() {
        var play = Script.playing([])
        play.update { $0.connect(now: $1) }
        let start = Envelope(.aiMessageStart, messageID: "old", timestamp: 0).bytes.text
        play.update { $0.received(start, socket: 1, now: $1) }
        for number in 0..<250 {
            let message = Envelope(.userMessage, content: "\(number)", messageID: "u\(number)", timestamp: 0).bytes.text
            play.update { $0.received(message, socket: 1, now: $1) }
        }
        #expect(play.client.messages.count == 100 && play.client.messages[0].id == "old")
        #expect(play.client.messages.last?.text == "249")
    }

    @Test("bad and binary frames cost a counter and a line, and nothing else")
    func badFrames() {
        var play = Script.playing([]) { $0.loggedFrames = 3 }
        play.update { $0.connect(now: $1) }
        play.update { client, now in
            client.received("{", socket: 1, now: now)
            client.received(#"{"type":"user_message","message_id":"","timestamp":"x"}"#, socket: 1, now: now)
            client.receivedBinary(bytes: 7, on: SocketNumber(rawValue: 1), now: now)
            client.received(Envelope(.unknown("new"), messageID: "m", timestamp: 0).bytes.text, socket: 1, now: now)
        }
        let diagnostics = play.client.diagnostics
        #expect(diagnostics.malformed == 2 && diagnostics.binary == 1 && diagnostics.unknown == 1)
        #expect(diagnostics.lastMalformed?.contains("message_id") == true && play.client.isConnected)
        #expect(play.client.log.lines.count == 3 && play.client.log.lines[1].bytes == 7)
    }

    @Test("diagnostics count what happens")
    func diagnostics() {
        var play = Script.playing([.wait(5), .cut], [.wait(100)])
        play.update { $0.connect(now: $1) }
        play.run(for: 3)
        #expect(play.client.diagnostics.uptime(now: play.clock.seconds) == 3)
        play.run(for: 2)
        #expect(play.client.diagnostics.reconnectAttempts == 1 && !play.client.diagnostics.isConnected)
        play.update { _ = try! $0.send("x", now: $1) }
        play.run(for: 3)
        let diagnostics = play.client.diagnostics
        #expect(diagnostics.connects == 2 && diagnostics.messageCount == 1 && diagnostics.framesOut == 3)
        #expect(diagnostics.bytesOut > 100 && diagnostics.lastError?.contains("the connection broke off") == true)
    }

    @Test("ids are lower-case UUIDs, no two alike")
    func identifiers() throws {
        var play = Script.playing([])
        let ids = (0..<20).map { _ in play.update { try! $0.send("x", now: $1) } }
        #expect(Set(ids).count == 20)
        let shape = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
        #expect(ids.allSatisfy { $0.wholeMatch(of: shape) != nil })
    }
}

extension [Double] {
    fileprivate var mean: Double { reduce(0, +) / Double(count) }
}
