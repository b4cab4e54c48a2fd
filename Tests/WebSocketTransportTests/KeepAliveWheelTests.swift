import NIOCore
import NIOEmbedded
import StreamCore
import Testing
import WebSocketTransport

@Suite("Keep-alive of many connections on one loop")
struct KeepAliveWheelTests {
    private let loop = EmbeddedEventLoop()

    private func open() throws -> (channel: EmbeddedChannel, handler: WebSocketHandler, recorder: Recorder) {
        let handler = WebSocketHandler(role: .server, configuration: .server)
        let recorder = Recorder()
        handler.delegate = recorder
        let channel = EmbeddedChannel(handler: handler, loop: loop)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return (channel, handler, recorder)
    }

    private func pings(_ channel: EmbeddedChannel) throws -> Int {
        var count = 0
        while let frame = try channel.readOutbound(as: ByteBuffer.self) {
            if frame.getInteger(at: frame.readerIndex, as: UInt8.self) == 0x89 { count += 1 }
        }
        return count
    }

    @Test("each connection is pinged 20 s after it opened, a second later at most and never earlier")
    func times() throws {
        let first = try open()
        loop.advanceTime(by: .milliseconds(400))
        let second = try open()
        loop.advanceTime(by: .milliseconds(19_599))
        #expect(try pings(first.channel) == 0)
        loop.advanceTime(by: .milliseconds(1))
        #expect(try pings(first.channel) == 1)
        loop.advanceTime(by: .milliseconds(399))
        #expect(try pings(second.channel) == 0)
        loop.advanceTime(by: .milliseconds(601))
        #expect(try pings(second.channel) == 1)
    }

    @Test("a connection that ends others in the same second ends no other one")
    func endingOthers() throws {
        let sockets = try (0..<5).map { _ in try open() }
        loop.advanceTime(by: .seconds(25))
        // Two answered; the first of the others ends the one after the next when it is given up.
        for index in [0, 2] {
            try sockets[index].channel.writeInbound(wireFrame(.pong, [], mask: 7))
        }
        sockets[1].handler.delegate = WebSocketCallbacks(
            onText: { _, _ in }, onClose: { _, _ in sockets[3].handler.terminate() })
        loop.advanceTime(by: .seconds(6))
        #expect(sockets.map(\.channel.isActive) == [true, false, true, false, false])
        #expect(sockets[3].recorder.log == ["closed 1006 ended without a close handshake"])
        #expect(sockets[4].recorder.log == ["closed 1006 no answer to a ping"])
        // Those that are left are checked again, and one that comes now as well.
        let late = try open()
        _ = try pings(sockets[2].channel)
        loop.advanceTime(by: .seconds(21))
        #expect(try pings(sockets[2].channel) == 1)
        #expect(try pings(late.channel) == 1)
    }
}
