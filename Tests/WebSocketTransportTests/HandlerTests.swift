import NIOCore
import NIOEmbedded
import StreamCore
import Testing
import WebSocketTransport

@Suite("The WebSocket handler")
struct HandlerTests {
    let mask: UInt32 = 0x5EED_CAFE

    @Test("messages go to the delegate, pings are answered first, and all answers leave in one flush")
    func messages() throws {
        let socket = try EmbeddedSocket(.server)
        socket.recorder.onText = { text, handler in handler.send(text: "re: \(text)") }
        try socket.receive(
            wireFrame(.text, "a", mask: mask), wireFrame(.ping, "p", mask: mask), wireFrame(.text, "b", mask: mask))
        #expect(socket.log == ["text a", "ping [112]", "text b"])
        #expect(try socket.sent() == ["pong [112]", "text re: a", "text re: b"])
    }

    @Test("a client masks what it sends, each frame with a new key")
    func clientMasks() throws {
        let socket = try EmbeddedSocket(.client)
        socket.handler.send(text: "same")
        socket.handler.send(text: "same")
        let first = try #require(try socket.channel.readOutbound(as: ByteBuffer.self))
        let second = try #require(try socket.channel.readOutbound(as: ByteBuffer.self))
        #expect(first != second)
        #expect(first.getInteger(at: 1, as: UInt8.self) == 0x84)
    }

    @Test("a frame encoded once reads like one sent by itself")
    func preframed() throws {
        let socket = try EmbeddedSocket(.server)
        for size in [0, 1, 125, 126, 5000, 65535, 65536] {
            let text = String(repeating: "x", count: size)
            #expect(socket.handler.send(preframed: WebSocketFrames.text(text)))
            #expect(socket.handler.send(text: text))
            #expect(socket.handler.send(text: ByteBuffer(string: text)))
            #expect(try socket.sent() == Array(repeating: "text \(text)", count: 3))
        }
    }

    @Test("fragments are sent as fragments")
    func fragments() throws {
        let socket = try EmbeddedSocket(.client)
        socket.handler.send(fragment: ByteBuffer(string: "one "), .text, isFinal: false)
        socket.handler.ping([7])
        socket.handler.send(fragment: ByteBuffer(string: "two"), .continuation, isFinal: true)
        #expect(try socket.sent() == ["ping [7]", "text one two"])
    }

    @Test("the server answers a close with the same code, reports it once and closes the channel")
    func serverAnswersClose() throws {
        let socket = try EmbeddedSocket(.server)
        try socket.receive(
            wireFrame(.close, [0x0F, 0xA1] + Array("bye".utf8), mask: mask), wireFrame(.text, "late", mask: mask))
        #expect(try socket.sent() == ["close 4001 "])
        #expect(socket.log == ["closed 4001 bye"])
        #expect(!socket.channel.isActive)
        #expect(!socket.handler.send(text: "no"))
    }

    @Test("an empty close frame is answered by an empty one")
    func emptyClose() throws {
        let socket = try EmbeddedSocket(.server)
        try socket.receive(wireFrame(.close, [], mask: mask))
        #expect(try socket.sent() == ["close 1005 "])
        #expect(socket.log == ["closed 1005 "])
    }

    @Test("after the decision to close nothing is sent and no message delivered")
    func nothingAfterClose() throws {
        let socket = try EmbeddedSocket(.server)
        socket.handler.close(.goingAway, reason: "restart")
        #expect(!socket.handler.send(text: "no"))
        #expect(!socket.handler.send(preframed: WebSocketFrames.text("no")))
        #expect(!socket.handler.ping())
        socket.handler.close(.normal)
        try socket.receive(wireFrame(.text, "crossed", mask: mask), wireFrame(.ping, "x", mask: mask))
        #expect(try socket.sent() == ["close 1001 restart"])
        #expect(socket.log == [])
        try socket.receive(wireFrame(.close, [0x03, 0xE9], mask: mask))
        #expect(socket.log == ["closed 1001 "])
        #expect(!socket.channel.isActive)
    }

    @Test("a client waits for the server to end the connection, but not for ever")
    func clientWaits() throws {
        let socket = try EmbeddedSocket(.client)
        try socket.receive(wireFrame(.close, [0x03, 0xE8]))
        #expect(try socket.sent() == ["close 1000 "])
        #expect(socket.log == ["closed 1000 "])
        #expect(socket.channel.isActive)
        socket.loop.advanceTime(by: .seconds(5))
        #expect(!socket.channel.isActive)
        #expect(socket.log == ["closed 1000 "])
    }

    @Test("a close that is not answered ends after its time with 1006")
    func closeTimeout() throws {
        var configuration = WebSocketConfiguration.server
        configuration.closeTimeout = .milliseconds(300)
        let socket = try EmbeddedSocket(.server, configuration: configuration)
        socket.handler.close()
        socket.loop.advanceTime(by: .milliseconds(299))
        #expect(socket.channel.isActive)
        socket.loop.advanceTime(by: .milliseconds(1))
        #expect(!socket.channel.isActive)
        #expect(socket.log == ["closed 1006 no answer to the close frame"])
    }

    static let failures: [(ByteBuffer, UInt16)] = [
        (wireFrame(.text, "unmasked"), 1002),
        (wireFrame(.text, [0xFF], mask: 1), 1007),
        (wireFrame(.binary, [UInt8](repeating: 0, count: 70_000), mask: 1), 1009),
        (wireFrame(.close, [0x03, 0xED], mask: 1), 1002),
    ]

    @Test("a peer that breaks the rules gets the right close code", arguments: failures)
    func failure(bytes: ByteBuffer, code: UInt16) throws {
        let socket = try EmbeddedSocket(.server)
        try socket.receive(wireFrame(.text, "fine", mask: mask), bytes, wireFrame(.text, "late", mask: mask))
        let sent = try socket.sent()
        #expect(sent.count == 1 && sent[0].hasPrefix("close \(code) "), "\(sent)")
        #expect(socket.log.count == 2 && socket.log[1].hasPrefix("closed \(code) "), "\(socket.log)")
        #expect(!socket.handler.isOpen)
    }

    @Test("a lost connection is reported as 1006, once")
    func lostConnection() throws {
        let socket = try EmbeddedSocket(.server)
        try socket.channel.close().wait()
        #expect(socket.log == ["closed 1006 connection lost"])
        let half = try EmbeddedSocket(.server)
        half.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(half.log == ["closed 1006 connection lost"])
        #expect(!half.channel.isActive)
    }

    @Test("pings come every 20 s and an answer keeps the connection")
    func keepAlive() throws {
        let socket = try EmbeddedSocket(.server)
        for _ in 0..<3 {
            socket.loop.advanceTime(by: .milliseconds(19_999))
            #expect(try socket.sent() == [])
            socket.loop.advanceTime(by: .milliseconds(1))
            #expect(try socket.sent() == ["ping []"])
            try socket.receive(wireFrame(.pong, [], mask: mask))
        }
        #expect(socket.channel.isActive)
        #expect(socket.log == ["pong []", "pong []", "pong []"])
    }

    @Test("a peer that answers no ping is given up after 10 s")
    func deadPeer() throws {
        let socket = try EmbeddedSocket(.server)
        socket.loop.advanceTime(by: .seconds(20))
        #expect(try socket.sent() == ["ping []"])
        socket.loop.advanceTime(by: .milliseconds(9_999))
        #expect(socket.channel.isActive)
        socket.loop.advanceTime(by: .milliseconds(1))
        #expect(!socket.channel.isActive)
        #expect(socket.log == ["closed 1006 no answer to a ping"])
    }

    @Test("a paused connection is not given up for the pongs it does not read")
    func pausedIsAlive() throws {
        let socket = try EmbeddedSocket(.server)
        socket.handler.pauseReading()
        socket.loop.advanceTime(by: .seconds(60))
        #expect(socket.channel.isActive)
    }

    @Test("pausing holds messages back, resuming delivers them in order")
    func pause() throws {
        let socket = try EmbeddedSocket(.server)
        socket.recorder.onText = { text, handler in if text == "2" { handler.pauseReading() } }
        try socket.receive(
            wireFrame(.text, "1", mask: mask), wireFrame(.text, "2", mask: mask), wireFrame(.text, "3", mask: mask))
        try socket.receive(wireFrame(.text, "4", mask: mask))
        #expect(socket.log == ["text 1", "text 2"])
        socket.handler.resumeReading()
        #expect(socket.log == ["text 1", "text 2", "text 3", "text 4"])
    }

    @Test("while paused the channel does not read")
    func pauseStopsReads() throws {
        let counter = ReadCounter()
        let handler = WebSocketHandler(role: .server, configuration: .server)
        let channel = EmbeddedChannel(handlers: [counter, handler])
        channel.pipeline.read()
        #expect(counter.reads == 1)
        handler.pauseReading()
        channel.pipeline.read()
        channel.pipeline.read()
        #expect(counter.reads == 1)
        handler.resumeReading()
        #expect(counter.reads == 2)
    }

    @Test("closing a paused connection reads on to see the answer")
    func closeWhilePaused() throws {
        let socket = try EmbeddedSocket(.server)
        socket.handler.pauseReading()
        try socket.receive(wireFrame(.text, "held", mask: mask))
        socket.handler.close()
        try socket.receive(wireFrame(.close, [0x03, 0xE8], mask: mask))
        #expect(socket.log == ["closed 1000 "])
    }

    @Test("a server that shuts down lets the application speak and then closes with 1001")
    func goingAway() throws {
        let socket = try EmbeddedSocket(.server)
        socket.recorder.onGoAway = { handler in handler.send(text: "closing") }
        socket.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        #expect(try socket.sent() == ["text closing", "close 1001 server is shutting down"])
        #expect(socket.log == ["going away"])
    }

    @Test("closing from inside a message stops what follows in the same read")
    func closeInsideMessage() throws {
        let socket = try EmbeddedSocket(.server)
        socket.recorder.onText = { _, handler in handler.close(.policyViolation, reason: "enough") }
        try socket.receive(wireFrame(.text, "1", mask: mask), wireFrame(.text, "2", mask: mask))
        #expect(socket.log == ["text 1"])
        #expect(try socket.sent() == ["close 1008 enough"])
    }

    @Test("a reason longer than a close frame is cut between characters")
    func longReason() throws {
        let socket = try EmbeddedSocket(.server)
        socket.handler.close(.normal, reason: String(repeating: "€", count: 50))
        #expect(try socket.sent() == ["close 1000 \(String(repeating: "€", count: 41))"])
    }
}

private final class ReadCounter: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    var reads = 0

    func read(context: ChannelHandlerContext) {
        reads += 1
        context.read()
    }
}
