import StreamCore
import TestKit
import Testing

@Suite("WebSocket frames")
struct FrameTests {
    /// RFC 6455 section 5.7, byte for byte.
    static let examples: [(name: String, role: WebSocketRole, bytes: [UInt8], events: [Received])] = [
        ("unmasked text", .client, [0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F], [.text("Hello")]),
        (
            "masked text", .server,
            [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58], [.text("Hello")]
        ),
        (
            "fragmented unmasked text", .client,
            [0x01, 0x03, 0x48, 0x65, 0x6C, 0x80, 0x02, 0x6C, 0x6F], [.text("Hello")]
        ),
        ("unmasked ping", .client, [0x89, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F], [.ping(Array("Hello".utf8))]),
        (
            "masked pong", .server,
            [0x8A, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58], [.pong(Array("Hello".utf8))]
        ),
        (
            "256 bytes of binary", .client, [0x82, 0x7E, 0x01, 0x00] + [UInt8](repeating: 7, count: 256),
            [.binary([UInt8](repeating: 7, count: 256))]
        ),
        (
            "64 KiB of binary", .client,
            [0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0] + [UInt8](repeating: 9, count: 65536),
            [.binary([UInt8](repeating: 9, count: 65536))]
        ),
    ]

    @Test("the examples of the RFC are read as it describes them", arguments: examples.indices)
    func readsExamples(index: Int) {
        let example = Self.examples[index]
        #expect(receive(example.bytes, as: example.role) == example.events, "\(example.name)")
    }

    @Test("heads have the shortest length form and come back as written")
    func headsRoundTrip() throws {
        for length in [0, 1, 125, 126, 127, 65535, 65536, 1 << 32] {
            for mask in [nil, 0x0102_0304 as UInt32?] {
                for isFinal in [true, false] {
                    let header = WebSocketFrameHeader(
                        isFinal: isFinal, opcode: .binary, payloadLength: length, maskKey: mask)
                    var bytes = [UInt8](repeating: 0xEE, count: WebSocketFrameHeader.maximumLength)
                    let written = bytes.withUnsafeMutableBytes {
                        WebSocketFrameEncoder.writeHeader(
                            to: $0.baseAddress!, opcode: .binary, isFinal: isFinal, payloadLength: length,
                            maskKey: mask)
                    }
                    let expected = (length < 126 ? 2 : length < 65536 ? 4 : 10) + (mask == nil ? 0 : 4)
                    #expect(written == expected)
                    #expect(
                        written
                            == WebSocketFrameEncoder.headerLength(payloadLength: length, isMasked: mask != nil))
                    #expect(bytes[written...].allSatisfy { $0 == 0xEE })
                    let parser = WebSocketFrameParser(role: mask == nil ? .client : .server)
                    // Each shorter piece needs more; the whole gives the head.
                    for count in 0...written {
                        let result = bytes.withUnsafeBytes {
                            parser.parse(UnsafeRawBufferPointer(rebasing: $0[0..<count]))
                        }
                        switch result {
                        case .needs(let needed):
                            #expect(count < written && needed > count && needed <= written)
                        case .header(let read, let used):
                            #expect(count == written && read == header && used == written)
                        case .failed(let failure):
                            Issue.record("\(failure)")
                        }
                    }
                }
            }
        }
    }

    @Test("lengths that are longer than they need be are accepted from a peer")
    func nonMinimalLengths() {
        #expect(receive([0x81, 0x7E, 0x00, 0x02, 0x68, 0x69]) == [.text("hi")])
        #expect(receive([0x82, 0x7F, 0, 0, 0, 0, 0, 0, 0, 1, 5]) == [.binary([5])])
    }

    static let wrongHeads: [(String, WebSocketRole, [UInt8], WebSocketFailure)] = [
        ("RSV1", .client, [0xC1, 0x00], .reservedBit),
        ("RSV2", .client, [0xA1, 0x00], .reservedBit),
        ("RSV3", .client, [0x91, 0x00], .reservedBit),
        ("opcode 3", .client, [0x83, 0x00], .reservedOpcode),
        ("opcode 7", .client, [0x87, 0x00], .reservedOpcode),
        ("opcode 11", .client, [0x8B, 0x00], .reservedOpcode),
        ("opcode 15", .client, [0x8F, 0x00], .reservedOpcode),
        ("ping without FIN", .client, [0x09, 0x00], .fragmentedControlFrame),
        ("close without FIN", .client, [0x08, 0x00], .fragmentedControlFrame),
        ("ping of 126 bytes", .client, [0x89, 0x7E], .oversizedControlFrame),
        ("pong of 64-bit length", .client, [0x8A, 0x7F], .oversizedControlFrame),
        ("highest length bit", .client, [0x82, 0x7F, 0x80, 0, 0, 0, 0, 0, 0, 0], .invalidLength),
        ("masked by a server", .client, [0x81, 0x80], .maskedFrame),
        ("not masked by a client", .server, [0x81, 0x00], .unmaskedFrame),
        ("ping not masked by a client", .server, [0x89, 0x00], .unmaskedFrame),
        ("continuation of nothing", .client, [0x80, 0x00], .unexpectedContinuation),
        ("text within a message", .client, [0x01, 0x00, 0x81, 0x00], .expectedContinuation),
        ("binary within a message", .client, [0x02, 0x00, 0x82, 0x00], .expectedContinuation),
        ("continuation after the end", .client, [0x01, 0x00, 0x80, 0x00, 0x80, 0x00], .unexpectedContinuation),
    ]

    @Test("a head that breaks a rule ends the connection with 1002", arguments: wrongHeads.indices)
    func refusesWrongHeads(index: Int) {
        let (name, role, bytes, failure) = Self.wrongHeads[index]
        let events = receive(bytes + [0x81, 0x02, 0x68, 0x69], as: role)
        #expect(events.last == .failed(failure), "\(name)")
        #expect(events.filter { if case .failed = $0 { true } else { false } }.count == 1, "\(name)")
        #expect(failure.closeCode == .protocolError, "\(name)")
    }

    @Test("masking is its own inverse for every length, offset and key")
    func masking() {
        var random = SeededGenerator(seed: 11)
        for length in 0...70 {
            let key = UInt32.random(in: .min ... .max, using: &random)
            let payload = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            let keyBytes = (0..<4).map { UInt8(truncatingIfNeeded: key >> ($0 * 8)) }
            let expected = payload.enumerated().map { $1 ^ keyBytes[$0 % 4] }
            for cut in 0...length {
                var masked = [UInt8](repeating: 0, count: length + 1)
                masked.withUnsafeMutableBytes { target in
                    payload.withUnsafeBytes { source in
                        guard let from = source.baseAddress, let to = target.baseAddress else { return }
                        WebSocketMask.apply(key, from: from, to: to, count: cut)
                        WebSocketMask.apply(
                            WebSocketMask.advance(key, by: cut), from: from + cut, to: to + cut, count: length - cut)
                    }
                }
                #expect(Array(masked.dropLast()) == expected)
            }
        }
    }
}
