import NIOCore
import NIOEmbedded
import StreamCore
import Testing
import WebSocketTransport

@Suite("What ended a conversation")
struct EndingTests {
    static let endings: [(WebSocketEnding, @Sendable (EmbeddedSocket) throws -> Void)] = [
        (.closed, { try $0.receive(wireFrame(.close, [0x03, 0xE8])) }),
        (.violation, { try $0.receive(wireFrame(.continuation, "x")) }),
        (.endOfStream, { $0.channel.pipeline.fireChannelInactive() }),
        (.endOfStream, { $0.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }),
        (.failed, { $0.channel.pipeline.fireErrorCaught(ChannelError.ioOnClosedChannel) }),
        (.terminated, { $0.handler.terminate() }),
        (
            .unanswered,
            {
                $0.handler.close()
                $0.loop.advanceTime(by: .seconds(10))
            }
        ),
        (.unanswered, { $0.loop.advanceTime(by: .seconds(60)) }),
    ]

    @Test("each way to end has its own name", arguments: endings.indices)
    func ending(index: Int) throws {
        let (ending, end) = Self.endings[index]
        var configuration = WebSocketConfiguration.client
        configuration.keepAlive = WebSocketKeepAlive()
        let socket = try EmbeddedSocket(.client, configuration: configuration)
        #expect(socket.handler.ending == nil)
        try end(socket)
        #expect(socket.handler.ending == ending)
        #expect(socket.log.filter { $0.hasPrefix("closed") }.count == 1)
        socket.channel.pipeline.fireChannelInactive()
        #expect(socket.handler.ending == ending)
        #expect(socket.log.filter { $0.hasPrefix("closed") }.count == 1)
    }

    @Test("pings are answered by hand where the application chooses to")
    func ownPongs() throws {
        let socket = try EmbeddedSocket(.client)
        socket.handler.answersPings = false
        try socket.receive(wireFrame(.ping, [1, 2]))
        #expect(socket.log == ["ping [1, 2]"])
        #expect(try socket.sent() == [])
        socket.handler.pong([1, 2])
        #expect(try socket.sent() == ["pong [1, 2]"])
    }
}
