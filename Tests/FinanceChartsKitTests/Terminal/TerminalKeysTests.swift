import FinanceChartsKit
import Testing

@Suite("A terminal's keys")
struct TerminalKeysTests {
    static let bytes = Array("q\u{1B}[A\u{1B}OB\u{1B}[1;5C\u{1B}[D\u{1B}[200~+\u{1B}xé".utf8)
    static let keys: [TerminalKey] = [.character("q"), .up, .down, .right, .left, .character("+"), .character("x")]

    @Test("are the same however the bytes are cut", arguments: 1...7)
    func cuts(size: Int) {
        var reader = TerminalKeys()
        var keys: [TerminalKey] = []
        for start in stride(from: 0, to: Self.bytes.count, by: size) {
            keys += reader.decode(Self.bytes[start..<min(start + size, Self.bytes.count)])
        }
        #expect(keys == Self.keys)
    }

    @Test("an escape key alone swallows nothing but itself")
    func escape() {
        var reader = TerminalKeys()
        #expect(reader.decode([0x1B]) == [])
        #expect(reader.decode([0x1B, 0x71]) == [.character("q")])
    }
}
