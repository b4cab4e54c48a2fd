import StreamCore
import Testing

@Suite("WebSocket limits")
struct LimitTests {
    let limits = WebSocketLimits(frameBytes: 10, messageBytes: 15, fragmentsPerMessage: 3)

    func fragments(_ sizes: [Int]) -> [UInt8] {
        var bytes: [UInt8] = []
        for (index, size) in sizes.enumerated() {
            bytes += frame(
                index == 0 ? .binary : .continuation, [UInt8](repeating: 1, count: size),
                isFinal: index == sizes.count - 1)
        }
        return bytes
    }

    @Test("a frame is refused with 1009 on its head alone")
    func frameSize() {
        #expect(receive(fragments([10]), limits: limits) == [.binary([UInt8](repeating: 1, count: 10))])
        #expect(receive([0x82, 11], limits: limits) == [.failed(.frameTooBig)])
        #expect(
            receive([0x82, 0x7F, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]) == [.failed(.frameTooBig)])
        #expect(WebSocketFailure.frameTooBig.closeCode == .messageTooBig)
    }

    @Test("a message is refused with 1009 on the head of the fragment that is too much")
    func messageSize() {
        #expect(receive(fragments([10, 5]), limits: limits) == [.binary([UInt8](repeating: 1, count: 15))])
        #expect(receive(fragments([10, 6]), limits: limits) == [.failed(.messageTooBig)])
        let head = fragments([10, 6]).dropLast(6)
        #expect(receive(Array(head), limits: limits) == [.failed(.messageTooBig)])
        #expect(WebSocketFailure.messageTooBig.closeCode == .messageTooBig)
    }

    @Test("a message in too many fragments is refused with 1008, empty ones included")
    func fragmentCount() {
        #expect(receive(fragments([1, 1, 1]), limits: limits) == [.binary([1, 1, 1])])
        #expect(receive(fragments([0, 0, 0, 0]), limits: limits) == [.failed(.tooManyFragments)])
        #expect(WebSocketFailure.tooManyFragments.closeCode == .policyViolation)
    }

    @Test("limits count for each message anew, and control frames are outside them")
    func perMessage() {
        let ping = frame(.ping, [UInt8](repeating: 2, count: 125))
        var bytes: [UInt8] = []
        for _ in 0..<5 { bytes += fragments([10, 5]) + ping }
        let events = receive(bytes, limits: limits)
        #expect(events.count == 10)
        #expect(events.allSatisfy { if case .failed = $0 { false } else { true } })
    }

    @Test("an announced length costs no memory before its bytes come")
    func announcedLength() {
        var machine = WebSocketMachine(role: .client, limits: .client)
        let head: [UInt8] = [0x82, 0x7F, 0, 0, 0, 0, 0x00, 0xFF, 0xFF, 0xFF, 0x01]
        head.withUnsafeBytes { bytes in
            var input = bytes
            if let event = machine.next(&input) { Issue.record("\(Received(event))") }
        }
        #expect(machine.bufferedBytes == 1)
    }
}
