import StreamCore
import TestKit
import Testing

@Suite("UTF-8 of text messages")
struct UTF8Tests {
    /// Bytes, how many may come before the first that can no longer become valid (nil: none is wrong), complete?
    static let table: [(name: String, bytes: [UInt8], wrongAt: Int?, isComplete: Bool)] = [
        ("empty", [], nil, true),
        ("ASCII", Array("price 1.5".utf8), nil, true),
        ("NUL", [0x00], nil, true),
        ("lowest of two bytes", [0xC2, 0x80], nil, true),
        ("highest of two bytes", [0xDF, 0xBF], nil, true),
        ("lowest of three bytes", [0xE0, 0xA0, 0x80], nil, true),
        ("last before the surrogates", [0xED, 0x9F, 0xBF], nil, true),
        ("first after the surrogates", [0xEE, 0x80, 0x80], nil, true),
        ("U+FFFF", [0xEF, 0xBF, 0xBF], nil, true),
        ("lowest of four bytes", [0xF0, 0x90, 0x80, 0x80], nil, true),
        ("U+10FFFF", [0xF4, 0x8F, 0xBF, 0xBF], nil, true),
        ("lone continuation", [0x80], 0, false),
        ("overlong slash in two", [0xC0, 0xAF], 0, false),
        ("overlong in two", [0xC1, 0xBF], 0, false),
        ("overlong in three", [0xE0, 0x9F, 0xBF], 1, false),
        ("overlong in four", [0xF0, 0x8F, 0xBF, 0xBF], 1, false),
        ("first surrogate", [0xED, 0xA0, 0x80], 1, false),
        ("last surrogate", [0xED, 0xBF, 0xBF], 1, false),
        ("above U+10FFFF", [0xF4, 0x90, 0x80, 0x80], 1, false),
        ("five bytes", [0xF8, 0x88, 0x80, 0x80, 0x80], 0, false),
        ("0xFE", [0xFE], 0, false),
        ("0xFF", [0xFF], 0, false),
        ("cut after one of two", [0xC3], nil, false),
        ("cut after two of three", [0xE2, 0x82], nil, false),
        ("cut after three of four", [0xF0, 0x9F, 0x98], nil, false),
        ("ASCII within a character", [0xE2, 0x82, 0x41], 2, false),
        ("a new start within a character", [0xE2, 0xC3], 1, false),
    ]

    /// Text around the row, so that both the fast and the slow path see it at every alignment.
    @Test("each row is judged alike at every place and in every cut", arguments: table.indices)
    func judged(index: Int) {
        let row = Self.table[index]
        for lead in [0, 1, 7, 8, 31, 32, 33, 64] {
            let bytes = [UInt8](repeating: 0x61, count: lead) + row.bytes
            for cut in 0...bytes.count {
                var validator = UTF8Validator()
                let first = bytes[0..<cut].withUnsafeBytes { validator.consume($0) }
                let second = first && bytes[cut...].withUnsafeBytes { validator.consume($0) }
                if let wrongAt = row.wrongAt {
                    // Refused as soon as the wrong byte is there, and not before.
                    #expect(first == (cut <= lead + wrongAt), "\(row.name), cut \(cut)")
                    #expect(!second, "\(row.name)")
                } else {
                    #expect(second && validator.isComplete == row.isComplete, "\(row.name), cut \(cut)")
                }
            }
        }
    }

    @Test("whole messages are judged like the standard library judges them")
    func standardLibraryAgrees() {
        var random = SeededGenerator(seed: 5)
        // Bytes near the borders of the table: random ones alone would hardly ever be valid.
        let alphabet: [UInt8] = [
            0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xDF, 0xE0, 0xE1, 0xED, 0xEF, 0xF0, 0xF1, 0xF4,
            0xF5,
        ]
        var valid = 0
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...6, using: &random)).map { _ in alphabet.randomElement(using: &random)! }
            let ours = bytes.withUnsafeBytes { UTF8Validator.isValid($0) }
            #expect(ours == (String(validating: bytes, as: UTF8.self) != nil), "\(bytes)")
            valid += ours ? 1 : 0
        }
        #expect(valid > 1000)
    }

    @Test("a character may be cut by a fragment's end, also around a ping")
    func characterAcrossFragments() {
        let euro = Array("€".utf8)
        let bytes =
            frame(.text, [euro[0]], isFinal: false) + frame(.ping, "x")
            + frame(.continuation, [euro[1]], isFinal: false)
            + frame(.continuation, [euro[2]])
        #expect(receive(bytes) == [.ping(Array("x".utf8)), .text("€")])
    }

    @Test("text that ends within a character is refused with 1007")
    func truncatedAtEnd() {
        #expect(receive(frame(.text, [0xE2, 0x82])) == [.failed(.invalidUTF8)])
        #expect(
            receive(frame(.text, [0xE2], isFinal: false) + frame(.continuation, [0x82])) == [.failed(.invalidUTF8)])
        #expect(
            receive(frame(.text, [0xE2, 0x82], mask: 77), as: .server) == [.failed(.invalidUTF8)])
        #expect(WebSocketFailure.invalidUTF8.closeCode == .invalidPayload)
    }

    @Test("a wrong byte is refused before the rest of its frame has come")
    func failsFast() {
        let whole = frame(.text, Array("abc".utf8) + [0xFF] + [UInt8](repeating: 0x61, count: 100))
        #expect(receive(Array(whole[0..<5])) == [])
        #expect(receive(Array(whole[0..<6])) == [.failed(.invalidUTF8)])
    }

    @Test("binary messages may hold anything")
    func binaryIsFree() {
        #expect(receive(frame(.binary, [0xFF, 0xFE, 0x80])) == [.binary([0xFF, 0xFE, 0x80])])
    }
}
