import NIOCore
import NIOEmbedded
import NIOWebSocket
import StreamCore
import TestKit
import Testing
import WebSocketTransport

/// NIO's own frame encoder and decoder as a second opinion.
@Suite("WebSocket frames against NIO's")
struct NIOOracleTests {
    static let sizes = [0, 1, 7, 125, 126, 127, 1000, 65535, 65536, 70_000]

    @Test("what NIO encodes is read here as it was meant", arguments: 1...3)
    func readsNIO(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for isMasked in [false, true] {
            let channel = EmbeddedChannel(handler: NIOWebSocket.WebSocketFrameEncoder())
            var expected: [String] = []
            for _ in 0..<20 {
                let isText = Bool.random(using: &random)
                let size = Self.sizes.randomElement(using: &random)!
                let pieces = Int.random(in: 1...3, using: &random)
                var payload: [UInt8] = []
                for piece in 0..<pieces {
                    let part = (0..<size).map { _ in UInt8.random(in: 0...(isText ? 127 : 255), using: &random) }
                    payload += part
                    try channel.writeOutbound(
                        NIOWebSocket.WebSocketFrame(
                            fin: piece == pieces - 1,
                            opcode: piece > 0 ? .continuation : isText ? .text : .binary,
                            maskKey: isMasked ? .random(using: &random) : nil, data: ByteBuffer(bytes: part)))
                }
                expected.append("\(isText) \(payload.hashValue)")
            }
            var machine = WebSocketMachine(
                role: isMasked ? .server : .client,
                limits: WebSocketLimits(frameBytes: 1 << 20, messageBytes: 1 << 20, fragmentsPerMessage: 8))
            var read: [String] = []
            while let part = try channel.readOutbound(as: ByteBuffer.self) {
                part.withUnsafeReadableBytes { bytes in
                    var input = bytes
                    while let event = machine.next(&input) {
                        switch event {
                        case .text(let bytes): read.append("true \(Array(bytes).hashValue)")
                        case .binary(let bytes): read.append("false \(Array(bytes).hashValue)")
                        default: Issue.record("unexpected event")
                        }
                    }
                }
            }
            #expect(read == expected, "seed \(seed)")
        }
    }

    @Test("what is encoded here NIO decodes to the same frame", arguments: sizes)
    func nioReadsOurs(size: Int) throws {
        var random = SeededGenerator(seed: UInt64(size))
        let payload = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
        for mask in [nil, UInt32.random(in: .min ... .max, using: &random)] {
            for opcode in [StreamCore.WebSocketOpcode.binary, .text, .continuation] {
                let channel = EmbeddedChannel(
                    handler: ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: 1 << 20)))
                try channel.writeInbound(wireFrame(opcode, payload, isFinal: false, mask: mask))
                let frame = try #require(try channel.readInbound(as: NIOWebSocket.WebSocketFrame.self))
                #expect(frame.opcode == NIOWebSocket.WebSocketOpcode(encodedWebSocketOpcode: opcode.rawValue))
                #expect(!frame.fin)
                #expect((frame.maskKey == nil) == (mask == nil))
                #expect(Array(frame.unmaskedData.readableBytesView) == payload)
                #expect(try channel.readInbound(as: NIOWebSocket.WebSocketFrame.self) == nil)
            }
        }
    }
}
