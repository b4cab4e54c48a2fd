import Testing

@testable import CandlewireServer

@Suite("Base64 of tokens")
struct Base64URLTests {
    @Test(
        "RFC 4648 section 10, without padding",
        arguments: [("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE")])
    func vectors(plain: String, coded: String) {
        #expect(Base64URL.text(Array(plain.utf8)) == coded)
        #expect(Base64URL.bytes(coded.utf8) == Array(plain.utf8))
    }

    @Test("Every byte comes back, at every place")
    func everyByte() {
        for length in 0..<8 {
            for byte in UInt8.min...UInt8.max {
                let bytes = [UInt8](repeating: byte, count: length)
                #expect(Base64URL.bytes(Base64URL.text(bytes).utf8) == bytes)
            }
        }
        #expect(Base64URL.text([0xFB, 0xFF]) == "-_8")
    }

    @Test(
        "Other letters, padding, a lone letter and a second form of the same bytes are none",
        arguments: [
            "Zg==", "Zm9v\n", "Zm+v", "Zm/v", "Z", "Zm9vY", "Zh", "Zm9", "é",
        ])
    func refused(text: String) {
        #expect(Base64URL.bytes(text.utf8) == nil)
    }
}
