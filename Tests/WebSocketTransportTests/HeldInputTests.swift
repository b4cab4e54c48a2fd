import NIOCore
import NIOEmbedded
import StreamCore
import Testing
import WebSocketTransport

@Suite("What arrives while reading is paused")
struct HeldInputTests {
    let mask: UInt32 = 0x5EED_CAFE

    func close(_ code: UInt16) -> ByteBuffer {
        wireFrame(.close, [UInt8(code >> 8), UInt8(code & 0xFF)], mask: mask)
    }

    @Test("pings are answered at once, behind messages that wait, and in the same read as the pause")
    func pings() throws {
        let socket = try EmbeddedSocket(.server)
        socket.recorder.onText = { text, handler in if text == "1" { handler.pauseReading() } }
        try socket.receive(
            wireFrame(.text, "1", mask: mask), wireFrame(.text, "2", mask: mask), wireFrame(.ping, "a", mask: mask))
        try socket.receive(wireFrame(.pong, "b", mask: mask), wireFrame(.ping, "c", mask: mask))
        #expect(try socket.sent() == ["pong [97]", "pong [99]"])
        #expect(socket.log == ["text 1", "ping [97]", "pong [98]", "ping [99]"])
        socket.handler.resumeReading()
        #expect(socket.log.last == "text 2")
    }

    @Test("a consumer that pauses at each message gets them one by one")
    func oneByOne() throws {
        let socket = try EmbeddedSocket(.server)
        socket.recorder.onText = { _, handler in handler.pauseReading() }
        let frames = (1...5).map { wireFrame(.text, "\($0)", mask: mask) }
        try socket.receive(frames[0], frames[1], frames[2])
        try socket.receive(frames[3], frames[4])
        for count in 1...5 {
            #expect(socket.log == (1...count).map { "text \($0)" })
            socket.handler.resumeReading()
        }
        #expect(socket.log.count == 5)
        socket.handler.resumeReading()
        try socket.receive(frames[0])
        #expect(socket.log.count == 6)
    }

    @Test("a close waits behind the messages before it")
    func closeWaits() throws {
        let socket = try EmbeddedSocket(.server)
        socket.handler.pauseReading()
        try socket.receive(wireFrame(.text, "last words", mask: mask), close(1001))
        #expect(try socket.sent() == [])
        #expect(socket.log == [])
        socket.handler.resumeReading()
        #expect(try socket.sent() == ["close 1001 "])
        #expect(socket.log == ["text last words", "closed 1001 "])
    }

    @Test("so does the end after a broken rule")
    func failureWaits() throws {
        let socket = try EmbeddedSocket(.server)
        socket.handler.pauseReading()
        try socket.receive(wireFrame(.text, "fine", mask: mask), wireFrame(.text, "unmasked"))
        #expect(socket.log == [])
        socket.handler.resumeReading()
        #expect(socket.log.first == "text fine")
        #expect(socket.log.last?.hasPrefix("closed 1002") == true)
    }

    @Test("closing when the peer's close is here already ends at once")
    func closeCrosses() throws {
        let socket = try EmbeddedSocket(.server)
        socket.handler.pauseReading()
        try socket.receive(wireFrame(.text, "held", mask: mask), close(4001))
        socket.handler.close(.goingAway)
        #expect(try socket.sent() == ["close 1001 "])
        #expect(socket.log == ["closed 4001 "])
        #expect(!socket.channel.isActive)
    }

    @Test("what was received before the connection was lost is delivered, with the close frame in it")
    func lostConnection() throws {
        for hasClose in [true, false] {
            let socket = try EmbeddedSocket(.server)
            socket.handler.pauseReading()
            try socket.receive(wireFrame(.text, "last words", mask: mask))
            if hasClose { try socket.receive(close(1000)) }
            try socket.channel.close().wait()
            #expect(
                socket.log == ["text last words", hasClose ? "closed 1000 " : "closed 1006 connection lost"])
        }
    }

    @Test("resuming from inside a ping delivers what is held first")
    func resumeInsidePing() throws {
        let socket = try EmbeddedSocket(.server)
        socket.recorder.onPing = { handler in handler.resumeReading() }
        socket.handler.pauseReading()
        try socket.receive(
            wireFrame(.text, "1", mask: mask), wireFrame(.ping, "", mask: mask), wireFrame(.text, "2", mask: mask))
        #expect(socket.log == ["ping []", "text 1", "text 2"])
    }
}
