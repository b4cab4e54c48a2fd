import StreamCore
import TestKit
import Testing

@Suite("Frames of compressed messages")
struct CompressedFrameTests {
    /// The two examples of RFC 7692 section 7.2.3.1: one frame, and the same in two fragments.
    static let examples: [(String, [UInt8])] = [
        ("one frame", [0xC1, 0x07, 0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]),
        ("two fragments", [0x41, 0x03, 0xF2, 0x48, 0xCD, 0x80, 0x04, 0xC9, 0xC9, 0x07, 0x00]),
    ]

    @Test("a compressed message is handed out as it came", arguments: examples.indices)
    func handsOut(index: Int) {
        let (name, bytes) = Self.examples[index]
        let expected = [Received.compressed([0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00], isText: true)]
        #expect(receive([bytes], as: .client, allowsCompression: true) == expected, "\(name)")
        #expect(receive(bytes.map { [$0] }, as: .client, allowsCompression: true) == expected, "\(name), bytewise")
    }

    static let wrong: [(String, [UInt8])] = [
        ("RSV1 on a continuation", [0x41, 0x00, 0xC0, 0x00]),
        ("RSV1 on a continuation of a message that is not compressed", [0x01, 0x00, 0xC0, 0x00]),
        ("RSV1 on a ping", [0xC9, 0x00]),
        ("RSV1 on a pong", [0xCA, 0x00]),
        ("RSV1 on a close", [0xC8, 0x00]),
        ("RSV2", [0xA1, 0x00]),
        ("RSV3", [0x91, 0x00]),
        ("RSV1 and RSV2", [0xE1, 0x00]),
    ]

    @Test("the bit stands on the first frame of a data message and nowhere else", arguments: wrong.indices)
    func refuses(index: Int) {
        let (name, bytes) = Self.wrong[index]
        #expect(receive([bytes], as: .client, allowsCompression: true) == [.failed(.reservedBit)], "\(name)")
    }

    @Test("without an agreement the bit is an error")
    func notAllowed() {
        #expect(receive([[0xC1, 0x00]], as: .client) == [.failed(.reservedBit)])
    }

    @Test("messages with and without compression and control frames mix in any cut", arguments: 1...20)
    func mixes(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var bytes: [UInt8] = []
        var expected: [Received] = []
        for _ in 0..<30 {
            let isText = Bool.random(using: &random)
            let isCompressed = Bool.random(using: &random)
            let pieces = Int.random(in: 1...3, using: &random)
            var payload: [UInt8] = []
            for piece in 0..<pieces {
                // Compressed text may hold any byte.
                let part = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                    UInt8.random(in: 0...(isText && !isCompressed ? 127 : 255), using: &random)
                }
                payload += part
                bytes += frame(
                    piece > 0 ? .continuation : isText ? .text : .binary, part, isFinal: piece == pieces - 1,
                    isCompressed: piece == 0 && isCompressed, mask: .random(in: .min ... .max, using: &random))
                if Bool.random(using: &random) {
                    bytes += frame(.ping, [7], mask: 1)
                    expected.append(.ping([7]))
                }
            }
            // The ping behind the last piece comes after the message.
            let message: Received =
                isCompressed
                ? .compressed(payload, isText: isText)
                : isText ? .text(String(decoding: payload, as: UTF8.self)) : .binary(payload)
            let follows = expected.last == .ping([7]) && bytes.suffix(7).elementsEqual(frame(.ping, [7], mask: 1))
            expected.insert(message, at: follows ? expected.count - 1 : expected.count)
        }
        var cuts: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = min(rest.count, Int.random(in: 1...50, using: &random))
            cuts.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        #expect(receive(cuts, as: .server, allowsCompression: true) == expected, "seed \(seed)")
    }

    @Test("the limits count what comes over the wire")
    func limits() {
        let limits = WebSocketLimits(frameBytes: 4, messageBytes: 6, fragmentsPerMessage: 2, inflatedBytes: 1000)
        let whole = frame(.binary, [1, 2, 3, 4], isFinal: false, isCompressed: true)
        #expect(
            receive([whole + frame(.continuation, [5, 6])], as: .client, limits: limits, allowsCompression: true)
                == [.compressed([1, 2, 3, 4, 5, 6], isText: false)])
        #expect(
            receive([whole + frame(.continuation, [5, 6, 7])], as: .client, limits: limits, allowsCompression: true)
                == [.failed(.messageTooBig)])
    }

    @Test("the head of a compressed frame comes back as written")
    func head() {
        var bytes = [UInt8](repeating: 0, count: WebSocketFrameHeader.maximumLength)
        bytes.withUnsafeMutableBytes {
            _ = WebSocketFrameEncoder.writeHeader(
                to: $0.baseAddress!, opcode: .binary, isCompressed: true, payloadLength: 3)
        }
        #expect(bytes.prefix(2) == [0xC2, 0x03])
        let result = bytes.withUnsafeBytes {
            WebSocketFrameParser(role: .client, allowsCompression: true).parse($0)
        }
        guard case .header(let header, 2) = result else {
            Issue.record("no head")
            return
        }
        #expect(header.isCompressed && header.opcode == .binary && header.payloadLength == 3)
    }
}
