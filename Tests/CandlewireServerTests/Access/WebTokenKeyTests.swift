import CCrypto
import Foundation
import Testing

@testable import CandlewireServer

/// A token that others signed.
struct SignedVector: Sendable {
    var name: String
    var key: String
    var header: String
    var payload: String
    var signature: String
}

/// Signatures that others made, and keys that no one may use: with libcrypto on both sides an error could hide itself.
@Suite("Keys and signatures of JSON Web Tokens")
struct WebTokenKeyTests {
    /// RFC 7520 section 4: the payload, and the RSA key of section 3.3.
    private static let frodo =
        "SXTigJlzIGEgZGFuZ2Vyb3VzIGJ1c2luZXNzLCBGcm9kbywgZ29pbmcgb3V0IHlvdXIgZG9vci4gWW91IHN0ZXAgb250byB0aGUgcm9hZCwg"
        + "YW5kIGlmIHlvdSBkb24ndCBrZWVwIHlvdXIgZmVldCwgdGhlcmXigJlzIG5vIGtub3dpbmcgd2hlcmUgeW91IG1pZ2h0IGJlIHN3ZXB0IG9m"
        + "ZiB0by4"
    private static let rsa =
        #""kty":"RSA","e":"AQAB","n":""#
        + "n4EPtAOCc9AlkeQHPzHStgAbgs7bTZLwUBZdR8_KuKPEHLd4rHVTeT-O-XV2jRojdNhxJWTDvNd7nqQ0VEiZQHz_AJmSCpMaJMRBSFKrKb2w"
        + "qVwGU_NsYOYL-QtiWN2lbzcEe6XC0dApr5ydQLrHqkHHig3RBordaZ6Aj-oBHqFEHYpPe7Tpe-OfVfHd1E6cS6M1FZcD1NNLYD5lFHpPI9bT"
        + "wJlsde3uhGqC0ZCuEHg8lhzwOHrtIQbS0FVbb9k3-tVTU4fg_3L_vniUFAKwuCLqKnS2BYwdq_mzSnbLY7h_qixoR7jig3__kRhuaxwUkRz5"
        + #"iaiQkqgc5gHdrNP5zw""#

    static let published: [SignedVector] = [
        // RFC 7520 section 4.1.
        SignedVector(
            name: "RS256", key: rsa,
            header: "eyJhbGciOiJSUzI1NiIsImtpZCI6ImJpbGJvLmJhZ2dpbnNAaG9iYml0b24uZXhhbXBsZSJ9", payload: frodo,
            signature:
                "MRjdkly7_-oTPTS3AXP41iQIGKa80A0ZmTuV5MEaHoxnW2e5CZ5NlKtainoFmKZopdHM1O2U4mwzJdQx996ivp83xuglII7PNDi84wnB"
                + "-BDkoBwA78185hX-Es4JIwmDLJK3lfWRa-XtL0RnltuYv746iYTh_qHRD68BNt1uSNCrUCTJDt5aAE6x8wW1Kt9eRo4QPocSadnHXFxn"
                + "t8Is9UzpERV0ePPQdLuW3IS_de3xyIrDaLGdjluPxUAhb6L2aXic1U12podGU0KLUQSE_oI-ZnmKJ3F4uOZDnd6QZWJushZ41Axf_fcI"
                + "e8u9ipH84ogoree7vjbU5y18kDquDg"),
        // Section 4.2.
        SignedVector(
            name: "PS384", key: rsa,
            header: "eyJhbGciOiJQUzM4NCIsImtpZCI6ImJpbGJvLmJhZ2dpbnNAaG9iYml0b24uZXhhbXBsZSJ9", payload: frodo,
            signature:
                "cu22eBqkYDKgIlTpzDXGvaFfz6WGoz7fUDcfT0kkOy42miAh2qyBzk1xEsnk2IpN6-tPid6VrklHkqsGqDqHCdP6O8TTB5dDDItllVo6"
                + "_1OLPpcbUrhiUSMxbbXUvdvWXzg-UD8biiReQFlfz28zGWVsdiNAUf8ZnyPEgVFn442ZdNqiVJRmBqrYRXe8P_ijQ7p8Vdz0TTrxUeT3"
                + "lm8d9shnr2lfJT8ImUjvAA2Xez2Mlp8cBE5awDzT0qI0n6uiP1aCN_2_jLAeQTlqRHtfa64QQSUmFAAjVKPbByi7xho0uTOcbH510a6G"
                + "YmJUAfmWjwZ6oD4ifKo8DYM-X72Eaw"),
        // Section 4.3, the key of section 3.1: its x begins with a zero.
        SignedVector(
            name: "ES512",
            key: #""kty":"EC","crv":"P-521","x":""#
                + "AHKZLLOsCOzz5cY97ewNUajB957y-C-U88c3v13nmGZx6sYl_oJXu9A5RkTKqjqvjyekWF-7ytDyRXYgCF5cj0Kt\",\"y\":\""
                + "AdymlHvOiLxXkEhayXQnNCvDX4h9htZaCJN34kfmC6pV5OhQHiraVySsUdaQkAgDPrwQrJmbnX9cwlGfP-HqHZR1\"",
            header: "eyJhbGciOiJFUzUxMiIsImtpZCI6ImJpbGJvLmJhZ2dpbnNAaG9iYml0b24uZXhhbXBsZSJ9", payload: frodo,
            signature:
                "AE_R_YZCChjn4791jSQCrdPZCNYqHXCTZH0-JZGYNlaAjP2kqaluUIIUnC9qvbu9Plon7KRTzoNEuT4Va2cmL1eJAQy3mtPBu_u_sDDy"
                + "YjnAMDxXPn7XrT0lw-kvAD890jl8e2puQens_IEKBpHABlsbEPX6sFY8OcGDqoRuBomu9xQ2"),
        // RFC 8037 appendix A.4.
        SignedVector(
            name: "EdDSA", key: #""kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo""#,
            header: "eyJhbGciOiJFZERTQSJ9", payload: "RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc",
            signature: "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"),
    ]

    private static func algorithm(_ key: String, _ name: String) throws -> WebTokenAlgorithm? {
        WebTokenAlgorithm(try JSONDecoder().decode(JSONWebKey.self, from: Data("{\(key)}".utf8)), name: name)
    }

    private func verifies(_ algorithm: WebTokenAlgorithm, _ signature: [UInt8], of text: String) -> Bool {
        algorithm.verifies(signature, of: Array(text.utf8)[...])
    }

    @Test("Signatures of RFC 7520 and RFC 8037 are right, and no bit of them can change", arguments: published)
    func publishedSignatures(vector: SignedVector) throws {
        let algorithm = try #require(try Self.algorithm(vector.key, vector.name))
        let text = vector.header + "." + vector.payload
        let signature = try #require(Base64URL.bytes(vector.signature.utf8))
        #expect(verifies(algorithm, signature, of: text))
        #expect(!verifies(algorithm, signature, of: text + "."))
        #expect(!verifies(algorithm, signature + [0], of: text))
        #expect(!verifies(algorithm, signature.dropLast(), of: text))
        for bit in stride(from: 0, to: signature.count * 8, by: 13) {
            var changed = signature
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(!verifies(algorithm, changed, of: text), "bit \(bit)")
        }
        // What libcrypto noticed is not left for the next who looks for an error on this thread.
        #expect(ERR_peek_error() == 0)
    }

    @Test("A salt of PSS must be as long as the digest, and a digest must be the algorithm's")
    func salts() throws {
        let key = try SigningKey("RSA", bits: 2048)
        let algorithm = try #require(try Self.algorithm(key.webKey, "PS256"))
        #expect(verifies(algorithm, try key.sign("text", "PS256"), of: "text"))
        for saltBytes in [0, 31, 33, 64] {
            #expect(!verifies(algorithm, try key.sign("text", "PS256", saltBytes: saltBytes), of: "text"))
        }
        #expect(!verifies(algorithm, try key.sign("text", "PS512", saltBytes: 32), of: "text"))
        #expect(!verifies(algorithm, try key.sign("text", "RS256"), of: "text"))
    }

    /// The numbers of P-256's point in RFC 7515 appendix A.3.
    private static let x = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"
    private static let y = "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"

    @Test(
        "Numbers that are no key are refused",
        arguments: [
            ("ES256", #""kty":"EC","crv":"P-256","x":"\#(y)","y":"\#(x)""#),
            ("ES256", #""kty":"EC","crv":"P-256","x":"\#(x)""#),
            ("ES256", #""kty":"EC","crv":"P-256","x":"\#(x)","y":"AA""#),
            ("ES256", #""kty":"EC","crv":"P-256","x":"","y":"""#),
            ("ES384", #""kty":"EC","crv":"P-384","x":"\#(x)","y":"\#(y)""#),
            ("EdDSA", #""kty":"OKP","crv":"Ed25519","x":"AAAA""#), ("EdDSA", #""kty":"OKP","crv":"Ed25519","x":"""#),
            ("RS256", #""kty":"RSA","n":"\#(even)","e":"AQAB""#), ("RS256", #""kty":"RSA","n":"","e":"""#),
            ("RS256", #""kty":"RSA","n":"\#(huge)","e":"AQAB""#),
        ])
    func invalid(name: String, key: String) throws {
        #expect(try Self.algorithm(key, name) == nil)
        #expect(ERR_peek_error() == 0)
    }

    /// Moduli of 2,048 bits that is a product of two, and of more bits than libcrypto uses.
    private static let even = Base64URL.text([UInt8](repeating: 0xFE, count: 256))
    private static let huge = Base64URL.text([UInt8](repeating: 0xFF, count: 70_000))

    @Test("Exponents of one or of two, and short keys, are refused")
    func weakKeys() throws {
        let key = try SigningKey("RSA", bits: 2048)
        let modulus = Base64URL.text(key.number("n"))
        for exponent: [UInt8] in [[1], [2], [0]] {
            let key = #""n":"\#(modulus)","kty":"RSA","e":"\#(Base64URL.text(exponent))""#
            #expect(try Self.algorithm(key, "RS256") == nil)
        }
        let short = try SigningKey("RSA", bits: 2047)
        #expect(WebTokenAlgorithm(pem: short.pem) == nil)
        #expect(try Self.algorithm(short.webKey, "RS256") == nil)
    }

    @Test("Keys of other kinds are refused: another curve, keys for one padding, and for the agreement on secrets")
    func otherKinds() throws {
        for key in [
            try SigningKey("EC", curve: "secp256k1"), try SigningKey("EC", curve: "P-224"), try SigningKey("X25519"),
            try SigningKey("ED448"), try SigningKey("RSA-PSS", bits: 2048),
        ] {
            #expect(WebTokenAlgorithm(pem: key.pem) == nil)
        }
    }

    @Test("An RSA key is also accepted as PKCS #1 has it, and no file that needs a passphrase")
    func forms() throws {
        let key = try SigningKey("RSA", bits: 2048)
        let numbers = DER.sequence(DER.integer(key.number("n")), DER.integer(key.number("e")))
        #expect(WebTokenAlgorithm(pem: SigningKey.pem(numbers, "RSA PUBLIC KEY"))?.name == "RS256")
        #expect(WebTokenAlgorithm(pem: SigningKey.pem(numbers, "CERTIFICATE")) == nil)
        let locked = "-----BEGIN PUBLIC KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,"
        let lines = key.pem.split(separator: "\n").dropFirst().joined(separator: "\n")
        #expect(WebTokenAlgorithm(pem: locked + String(repeating: "0", count: 32) + "\n\n" + lines) == nil)
        #expect(ERR_peek_error() == 0)
    }

    @Test("Keys written by ourselves are those that libcrypto writes, byte for byte")
    func encoding() throws {
        let rsa = try SigningKey("RSA", bits: 4096)
        let numbers = DER.sequence(DER.integer(rsa.number("n")), DER.integer(rsa.number("e")))
        let name: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00]
        #expect(DER.publicKey(name, numbers) == rsa.der)
        #expect(DER.integer([]) == [2, 1, 0] && DER.integer([0, 0]) == [2, 1, 0])
        #expect(DER.integer([0, 0x80]) == [2, 2, 0, 0x80] && DER.integer([0, 0x7F]) == [2, 1, 0x7F])
        #expect(DER.value(4, [UInt8](repeating: 1, count: 127)).prefix(3) == [4, 127, 1])
        #expect(DER.value(4, [UInt8](repeating: 1, count: 128)).prefix(4) == [4, 0x81, 128, 1])
        #expect(DER.value(4, [UInt8](repeating: 1, count: 256)).prefix(5) == [4, 0x82, 1, 0, 1])
    }

    @Test("Many threads check with one key at once")
    func threads() async throws {
        let keys = [
            ("PS256", try SigningKey("RSA", bits: 2048)), ("ES256", try SigningKey("EC", curve: "P-256")),
            ("EdDSA", try SigningKey("ED25519")),
        ]
        for (name, key) in keys {
            let algorithm = try #require(try Self.algorithm(key.webKey, name))
            let signature = try key.sign("text", name)
            let right = await withTaskGroup { group in
                for _ in 0..<8 {
                    group.addTask {
                        (0..<50).count { number in
                            algorithm.verifies(signature, of: Array("text".utf8)[...])
                                && !algorithm.verifies(signature, of: Array("text \(number)".utf8)[...])
                        }
                    }
                }
                return await group.reduce(0, +)
            }
            #expect(right == 400, "\(name)")
        }
    }
}
