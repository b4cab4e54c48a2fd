import StreamCore
import Testing

@Suite("WebSocket close frames")
struct CloseTests {
    static func payload(_ code: UInt16, _ reason: [UInt8] = []) -> [UInt8] {
        [UInt8(code >> 8), UInt8(code & 0xFF)] + reason
    }

    @Test("every close code is accepted or refused as the RFC requires")
    func codes() {
        let allowed = Set(Array(1000...1003) + Array(1007...1014) + Array(3000...4999))
        for number in 0...65535 {
            let code = UInt16(number)
            #expect(WebSocketCloseCode(rawValue: code).isAllowedOnWire == allowed.contains(number))
        }
        for code: UInt16 in [0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65535] {
            #expect(receive(frame(.close, Self.payload(code))) == [.failed(.invalidCloseCode)], "\(code)")
        }
        for code: UInt16 in [1000, 1003, 1007, 1011, 1014, 3000, 3999, 4000, 4999] {
            #expect(receive(frame(.close, Self.payload(code))) == [.close(code, "")], "\(code)")
        }
    }

    @Test("a close frame may be empty, but not hold half a code")
    func lengths() {
        #expect(receive(frame(.close, [])) == [.close(1005, "")])
        #expect(receive(frame(.close, [0x03])) == [.failed(.truncatedCloseCode)])
        let longest = [UInt8](repeating: 0x62, count: 123)
        #expect(
            receive(frame(.close, Self.payload(1000, longest)))
                == [.close(1000, String(decoding: longest, as: UTF8.self))])
    }

    @Test("the reason must be UTF-8, else 1007")
    func reason() {
        #expect(receive(frame(.close, Self.payload(1001, Array("ciào".utf8)))) == [.close(1001, "ciào")])
        #expect(receive(frame(.close, Self.payload(1001, [0xC3]))) == [.failed(.invalidUTF8InCloseReason)])
        #expect(WebSocketFailure.invalidUTF8InCloseReason.closeCode == .invalidPayload)
    }

    @Test("nothing is delivered after a close or a failure")
    func nothingAfterwards() {
        let more = frame(.text, "late") + frame(.ping, "late")
        #expect(receive(frame(.close, Self.payload(1000)) + more) == [.close(1000, "")])
        #expect(receive([frame(.close, Self.payload(1000)), more], as: .client) == [.close(1000, "")])
        #expect(receive([[0xFF, 0xFF], more], as: .client) == [.failed(.reservedBit)])
    }

    @Test("a close within a message ends it undelivered")
    func closeWithinMessage() {
        let bytes = frame(.text, "half", isFinal: false) + frame(.close, Self.payload(1001))
        #expect(receive(bytes) == [.close(1001, "")])
    }

    static let retries: [(UInt16, Bool)] = [
        (1000, false), (1001, true), (1002, true), (1003, false), (1006, true), (1007, true), (1008, false),
        (1009, false), (1010, false), (1011, true), (1012, true), (1013, true), (1014, true), (1015, false),
        (3000, true),
        (4000, true), (4008, true), (4099, true), (4100, false), (4199, false), (4200, true),
    ]

    @Test("the code decides whether to come back", arguments: retries)
    func retryable(code: UInt16, isRetryable: Bool) {
        #expect(WebSocketCloseCode(rawValue: code).isRetryable == isRetryable)
    }
}
