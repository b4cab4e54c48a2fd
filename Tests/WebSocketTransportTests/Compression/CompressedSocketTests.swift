import NIOCore
import NIOHTTP1
import StreamCore
import Testing

@testable import WebSocketTransport

@Suite("Connections with compression", .timeLimit(.minutes(15)))
struct CompressedSocketTests {
    let mask: UInt32 = 0x5EED_CAFE
    static let both = DeflateAgreement()

    /// What a peer sends: the payload deflated in one frame, or in pieces of so many bytes.
    static func compressed(
        _ opcode: StreamCore.WebSocketOpcode, _ payload: [UInt8], mask: UInt32? = nil, pieces: Int = .max
    ) throws -> ByteBuffer {
        var packed = ByteBuffer()
        var deflater = try DeflateTests.deflater(15)
        payload.withUnsafeBytes { deflater.compress($0, into: &packed) }
        var wire = ByteBuffer()
        var isFirst = true
        while isFirst || packed.readableBytes > 0 {
            let part = packed.readBytes(length: min(pieces, packed.readableBytes)) ?? []
            var frame = wireFrame(
                isFirst ? opcode : .continuation, part, isFinal: packed.readableBytes == 0, isCompressed: isFirst,
                mask: mask)
            wire.writeBuffer(&frame)
            isFirst = false
        }
        return wire
    }

    @Test("compressed text and binary reach the delegate inflated, fragments and pings between included")
    func receives() throws {
        let socket = try EmbeddedSocket(.server, agreement: Self.both)
        let long = String(repeating: "price ", count: 1000)
        try socket.receive(Self.compressed(.text, Array(long.utf8), mask: mask))
        var fragments = try Self.compressed(.binary, [UInt8](repeating: 9, count: 3000), mask: mask, pieces: 4)
        let begin = fragments.readSlice(length: 10)
        let first = try #require(begin)
        try socket.receive(first, wireFrame(.ping, "p", mask: mask), fragments)
        try socket.receive(wireFrame(.text, "plain", mask: mask))
        #expect(
            socket.log == [
                "text \(long)", "ping [112]", "binary \([UInt8](repeating: 9, count: 3000))", "text plain",
            ])
        #expect(try socket.sent() == ["pong [112]"])
    }

    @Test(
        "what is large enough is sent compressed, by servers and by clients",
        arguments: [WebSocketRole.server, .client])
    func sends(role: WebSocketRole) throws {
        let socket = try EmbeddedSocket(role, agreement: Self.both)
        let text = String(repeating: "candle ", count: 700)
        socket.handler.send(text: text)
        socket.handler.send(text: ByteBuffer(string: text))
        socket.handler.send(binary: ByteBuffer(repeating: 3, count: 100_000))
        socket.handler.send(text: "short")
        socket.handler.send(fragment: ByteBuffer(string: text), .text, isFinal: false)
        socket.handler.send(fragment: ByteBuffer(string: "end"), .continuation, isFinal: true)
        let sent = try socket.sent()
        // The second says no more than "the same again".
        let sizes = sent.prefix(3).compactMap { Int($0.split(separator: " ")[1]) }
        #expect(sent.prefix(3).allSatisfy { $0.hasPrefix("compressed ") }, "\(sent)")
        #expect(sizes[0] < 100 && sizes[1] < sizes[0] + 20 && sizes[2] < 500, "\(sizes)")
        #expect(Array(sent.dropFirst(3)) == ["text short", "text \(text)end"])
    }

    static let failures: [(String, StreamCore.WebSocketOpcode, [UInt8], UInt16)] = [
        ("no DEFLATE data", .binary, [0x06], 1007),
        ("cut inside a block", .binary, [0xF2, 0x48, 0xCD], 1007),
        // A stored block of 0xFF.
        ("text that is not UTF-8 inflated", .text, [0x00, 0x01, 0x00, 0xFE, 0xFF, 0xFF, 0x00], 1007),
    ]

    @Test("what cannot be inflated ends the connection with the right code", arguments: failures.indices)
    func fails(index: Int) throws {
        let (name, opcode, payload, code) = Self.failures[index]
        let socket = try EmbeddedSocket(.server, agreement: Self.both)
        try socket.receive(
            wireFrame(opcode, payload, isCompressed: true, mask: mask), wireFrame(.text, "late", mask: mask))
        let sent = try socket.sent()
        #expect(sent.count == 1 && sent[0].hasPrefix("close \(code) "), "\(name): \(sent)")
        #expect(socket.log.count == 1 && socket.log[0].hasPrefix("closed \(code) "), "\(name): \(socket.log)")
    }

    @Test("a bomb is refused with 1009 and nothing of it delivered")
    func bomb() throws {
        var configuration = WebSocketConfiguration.server
        configuration.limits.inflatedBytes = 10_000
        let socket = try EmbeddedSocket(.server, configuration: configuration, agreement: Self.both)
        try socket.receive(Self.compressed(.text, [UInt8](repeating: 0x61, count: 10_000), mask: mask))
        try socket.receive(Self.compressed(.text, [UInt8](repeating: 0x61, count: 10_001), mask: mask))
        #expect(try socket.sent() == ["close 1009 message too big after decompression"])
        #expect(socket.log.count == 2 && socket.log[1].hasPrefix("closed 1009"))
    }

    @Test("after the decision to close nothing compressed is sent or delivered")
    func closing() throws {
        let socket = try EmbeddedSocket(.server, agreement: Self.both)
        socket.handler.close(.goingAway)
        #expect(!socket.handler.send(text: String(repeating: "x", count: 1000)))
        try socket.receive(Self.compressed(.text, Array("late late late".utf8), mask: mask))
        #expect(try socket.sent() == ["close 1001 "])
        #expect(socket.log == [])
    }

    @Test("closing from inside a compressed message stops what follows in the same read")
    func closeInside() throws {
        let socket = try EmbeddedSocket(.server, agreement: Self.both)
        socket.recorder.onText = { _, handler in handler.close(.policyViolation, reason: "enough") }
        try socket.receive(
            Self.compressed(.text, Array("one".utf8), mask: mask), Self.compressed(.text, Array("two".utf8), mask: mask)
        )
        #expect(socket.log == ["text one"])
        #expect(try socket.sent() == ["close 1008 enough"])
    }

    @Test("pausing holds compressed messages and fragments back, and pings are answered meanwhile")
    func pause() throws {
        let socket = try EmbeddedSocket(.server, agreement: Self.both)
        socket.handler.pauseReading()
        var fragments = try Self.compressed(.text, Array("fragments".utf8), mask: mask, pieces: 3)
        let begin = fragments.readSlice(length: 9)
        let first = try #require(begin)
        try socket.receive(
            Self.compressed(.text, Array("compressed".utf8), mask: mask), wireFrame(.text, "plain", mask: mask), first,
            wireFrame(.ping, "p", mask: mask))
        try socket.receive(fragments)
        #expect(try socket.sent() == ["pong [112]"])
        #expect(socket.log == ["ping [112]"])
        socket.handler.resumeReading()
        #expect(socket.log == ["ping [112]", "text compressed", "text plain", "text fragments"])
    }

    @Test("every kind of agreement carries every message both ways", arguments: 0..<12)
    func loopback(kind: Int) async throws {
        var server = WebSocketConfiguration.large
        var client = WebSocketConfiguration.large
        server.compression = WebSocketCompression(
            windowBits: kind % 3 == 0 ? 15 : 9, peerWindowBits: kind % 2 == 0 ? 15 : 9,
            noContextTakeover: kind % 4 == 0,
            threshold: 0)
        client.compression = WebSocketCompression(
            memoryLevel: 8, windowBits: 15, peerWindowBits: kind % 3 == 1 ? 8 : 15, noContextTakeover: kind % 5 == 0,
            peerNoContextTakeover: kind % 2 == 1, threshold: 0)
        let (clientSide, serverSide) = (client, server)
        try await LoopbackServer.with(.echo(serverSide)) { server in
            let socket = try await WebSocketConnector.connect(
                url: server.url, configuration: clientSide, timeout: .patient)
            var events = socket.events.makeAsyncIterator()
            _ = await events.next()
            for size in [0, 1, 100, 5000, 70_000, 100, 1 << 20] {
                let text = String((0..<size / 10).map { "\($0 % 97) é," }.joined().prefix(size))
                try await socket.send(text: text)
                #expect(await events.next() == .text(text))
                let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
                try await socket.send(binary: bytes)
                #expect(await events.next() == .binary(bytes))
            }
            await socket.close()
        }
    }

    @Test("compression is used where both sides want it, and only there")
    func negotiation() async throws {
        var on = WebSocketConfiguration.large
        on.compression = WebSocketCompression()
        for (server, client, expected) in [
            (on, on, true), (on, .large, false), (.large, on, false), (.large, .large, false),
        ] {
            try await LoopbackServer.with(.echo(server)) { server in
                let seen = Happenings()
                let channel = try await WebSocketConnector.connect(
                    url: server.url, configuration: client, timeout: .patient
                ) { socket, head in
                    let answer = head.headers.first(name: "sec-websocket-extensions")
                    seen.note("\(socket.isCompressionNegotiated) \(answer ?? "none")")
                }.get()
                #expect(
                    seen.noted == [expected ? "true permessage-deflate; server_max_window_bits=12" : "false none"])
                try await channel.close()
            }
        }
    }

    @Test("a server that answers an extension that was not offered is not a WebSocket", arguments: [true, false])
    func unaskedFor(isOffered: Bool) async throws {
        var client = WebSocketConfiguration.large
        if isOffered { client.compression = WebSocketCompression(peerWindowBits: 9) }
        let configuration = client
        try await LoopbackServer.with { server in
            await HandshakeTests.expect(.invalidHandshake) {
                try await WebSocketConnector.connect(
                    url: server.url, configuration: configuration, timeout: .patient)
            }
        } initializer: { channel in
            channel.eventLoop.makeCompletedFuture {
                var wrong = WebSocketConfiguration.large
                // Without the window the client requested.
                wrong.compression = WebSocketCompression(windowBits: 15)
                let upgrade = WebSocketServerUpgrade(
                    configuration: wrong, shouldUpgrade: { _ in .accept() }, onOpen: { _, _ in })
                try channel.pipeline.syncOperations.addHandler(OfferRewriter())
                _ = try upgrade.configure(channel) { $0.eventLoop.makeSucceededVoidFuture() }
            }
        }
    }
}

/// Makes the server see another offer than the client sent: a plain one.
private final class OfferRewriter: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var lines = String(buffer: Self.unwrapInboundIn(data)).split(
            separator: "\r\n", omittingEmptySubsequences: false)
        lines.removeAll { $0.lowercased().hasPrefix("sec-websocket-extensions") }
        lines.insert("Sec-WebSocket-Extensions: permessage-deflate", at: 1)
        context.fireChannelRead(Self.wrapInboundOut(ByteBuffer(string: lines.joined(separator: "\r\n"))))
    }
}
