import Testing

@testable import WebSocketTransport

@Suite("Pins")
struct TLSPinTests {
    /// FIPS 180-4 examples and NIST's long message.
    static let digests: [(String, String)] = [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ]

    @Test("SHA-256 gives the digests of the standard", arguments: digests)
    func standardDigests(message: String, digest: String) {
        let hex = SHA256.hash(Array(message.utf8)).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        #expect(hex.joined() == digest)
    }

    @Test("SHA-256 agrees with openssl on both sides of every block boundary")
    func boundaries() throws {
        let folder = try TemporaryFolder()
        for length in [1, 55, 56, 57, 63, 64, 65, 119, 120, 127, 128, 300] {
            let message = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 37) }
            let file = try folder.write(message, to: "message")
            #expect(try SHA256.hash(message) == folder.openssl("dgst", "-sha256", "-binary", file), "\(length) bytes")
        }
    }

    @Test("a certificate's pin is what the documented command prints")
    func pinOfCertificate() throws {
        let certificates = try TestCertificates.shared.get()
        let folder = try TemporaryFolder()
        let file = try folder.write(certificates.certificate("server"), to: "cert.pem")
        let key = try folder.write(folder.openssl("x509", "-in", file, "-pubkey", "-noout"), to: "key.pem")
        let der = try folder.write(folder.openssl("pkey", "-pubin", "-in", key, "-outform", "der"), to: "key.der")
        let digest = try folder.openssl("dgst", "-sha256", "-binary", der)
        let pin = try WebSocketTLS.Pin(certificate: certificates.certificate("server"))
        #expect(pin.digest == digest)
        #expect(try WebSocketTLS.Pin(pin.description) == pin)
    }

    @Test("a pin reads back in each of its spellings, also where the digest begins with a slash")
    func spellings() throws {
        for first: UInt8 in [0x00, 0xFC, 0xFF] {
            let digest = [first] + (1..<32).map { UInt8($0 * 7 % 256) }
            let base64 = Base64.encode(digest)
            for prefix in ["", "sha256/", "sha256//"] {
                #expect(try WebSocketTLS.Pin(prefix + base64).digest == digest, "\(prefix)\(base64)")
            }
        }
    }

    @Test("base 64 comes back, whatever the length")
    func base64() {
        #expect(Base64.encode(Array("foobar".utf8)) == "Zm9vYmFy")
        #expect(Base64.encode(Array("fooba".utf8)) == "Zm9vYmE=")
        #expect(Base64.encode(Array("foob".utf8)) == "Zm9vYg==")
        for length in 0..<70 {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 91 &+ 3) }
            #expect(Base64.decode(Base64.encode(bytes)[...]) == bytes)
        }
        for bad in ["Z", "Zm9", "Zm9vY===", "Zm9v Zm9", "=m9v", "Zm=v"] { #expect(Base64.decode(bad[...]) == nil) }
    }

    @Test(
        "what is no digest is no pin",
        arguments: ["", "sha256/", "abc", "sha1/2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "sha256/Zm9vYmFy"])
    func badPins(text: String) {
        let error = #expect(throws: WebSocketTLSError.self) { try WebSocketTLS.Pin(text) }
        #expect(error?.code == .invalidPin)
    }
}
