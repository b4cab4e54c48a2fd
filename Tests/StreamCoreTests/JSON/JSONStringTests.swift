import Foundation
import StreamCore
import TestKit
import Testing

@Suite struct JSONStringTests {
    @Test(
        "strings are escaped as RFC 8259, section 7, demands, at either end and in the middle",
        arguments: [
            ("", "\"\""), ("plain", "\"plain\""), ("\"", #""\"""#), ("a\\b", #""a\\b""#), ("\n\r\tx", #""\n\r\tx""#),
            ("x\u{0}\u{1F}", #""x\u0000\u001f""#), ("é😀\u{7F}\"z", "\"é😀\u{7F}\\\"z\""),
        ])
    func escapes(text: String, json: String) {
        var bytes: [UInt8] = []
        bytes.string(text)
        #expect(String(decoding: bytes, as: UTF8.self) == json)
    }

    @Test("whatever is written is read back the same, whole and as a part", arguments: [20_260_101 as UInt64])
    func roundTrip(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let alphabet = Array("\"\\\n\r\t\u{0}\u{1F}aé😀\u{2028}/")
        for _ in 0..<2_000 {
            let text = String(
                (0..<Int.random(in: 0...24, using: &generator)).map { _ in
                    alphabet.randomElement(using: &generator) ?? "a"
                })
            let part = text.dropFirst(Int.random(in: 0...3, using: &generator))
            var bytes: [UInt8] = Array("[".utf8)
            bytes.string(text)
            bytes.append(UInt8(ascii: ","))
            bytes.string(part)
            bytes.append(UInt8(ascii: "]"))
            let read = try JSONDecoder().decode([String].self, from: Data(bytes))
            #expect(read == [text, String(part)])
        }
    }
}
