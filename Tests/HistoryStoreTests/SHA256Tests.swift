import Foundation
import Testing

@testable import HistoryStore

@Suite("SHA-256 and HMAC")
struct SHA256Tests {
    @Test(
        "Digests of FIPS 180-4 and of NIST's long message",
        arguments: [
            ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
        ])
    func digests(text: String, repeats: Int, digest: String) {
        let bytes = Array(String(repeating: text, count: repeats).utf8)
        #expect(SHA256.hash(bytes).hexadecimal == digest)
        #expect(SHA256.hash(Data(bytes)).hexadecimal == digest)
        var parts = SHA256()
        for start in stride(from: 0, to: bytes.count, by: 9973) { parts.update(Data(bytes[start...].prefix(9973))) }
        #expect(parts.finalize().hexadecimal == digest)
    }

    @Test("Bytes in parts, however they are divided, have the digest of the whole")
    func parts() {
        let bytes = (0..<200).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        for first in 0...200 {
            var parts = SHA256()
            parts.update(Data(bytes[..<first]))
            parts.update(Data(bytes[first...]))
            #expect(parts.finalize() == SHA256.hash(bytes))
        }
    }

    @Test(
        "Codes of RFC 4231",
        arguments: [
            (
                [UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8),
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                [UInt8](repeating: 0xAA, count: 131),
                Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
        ])
    func codes(key: [UInt8], message: [UInt8], code: String) throws {
        let key = HMACKey(key)
        let right = key.code(of: message)
        #expect(right.hexadecimal == code)
        #expect(key.isCode(right, of: message))
        #expect(!key.isCode(right, of: message + [0]))
        #expect(!key.isCode(right.dropLast(), of: message) && !key.isCode(right + [0], of: message))
        #expect(!key.isCode([], of: message))
        for index in right.indices {
            var changed = right
            changed[index] ^= 1
            #expect(!key.isCode(changed, of: message))
        }
        #expect(key.code(of: []) == key.code(of: Data()))
    }

    @Test("Threads that hash at once do not disturb each other")
    func threads() async {
        let bytes = [UInt8](repeating: 7, count: 1000)
        let (digest, code) = (SHA256.hash(bytes), HMACKey(bytes).code(of: bytes))
        let right = await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    (0..<500).count { _ in SHA256.hash(bytes) == digest && HMACKey(bytes).isCode(code, of: bytes) }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(right == 4000)
    }
}
