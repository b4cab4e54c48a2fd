import Foundation
import HistoryStore
import Testing

@testable import CandlewireServer

/// Tokens of RFC 7515, appendix A: signed by others, with a claim `exp` of 1300819380 and no `sub`.
private enum Standard {
    static let claims =
        "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
    static let elliptic =
        "eyJhbGciOiJFUzI1NiJ9.\(claims)."
        + "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
    static let rsa =
        "eyJhbGciOiJSUzI1NiJ9.\(claims)."
        + "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9"
        + "CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOL"
        + "n6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtV"
        + "rBp0igcN_IoypGlUPQGe77Rw"
    static let rsaModulus =
        "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2"
        + "lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTB"
        + "EMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kz"
        + "k2PAcDTW9gb54h4FRWyuXpoQ"
    static let keySet = """
        {"keys":[{"kty":"EC","crv":"P-256","kid":"curve","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
        "y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"},{"kty":"RSA","n":"\(rsaModulus)","e":"AQAB"}]}
        """
    static let ellipticPEM = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEf83OJ3D2xF1Bg8vub9tLe1gHMzV7
        6e8Tus9uPHvRVEXH8UTNG72bfocs3+257rn0s2ldbqkLJK2KRiMohYjlrQ==
        -----END PUBLIC KEY-----
        """
    static let rsaPEM = """
        -----BEGIN PUBLIC KEY-----
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAofgWCuLjybRlzo0tZWJj
        NiuSfb4p4fAkd/wWJcyQoTbji9k0l8W26mPddxHmfHQp+Vaw+4qPCJrcS2mJPMEz
        P1Pt0Bm4d4QlL+yRT+SFd2lZS+pCgNMsD1W/YpRPEwOWvG6b32690r2jZ47soMZo
        9wGzjb/7OMg0LOL+bSf63kpaSHSXndS5z5rexMdbBYUsLA9e+KXBdQOS+UTo7WTB
        EMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6/I5IhlJH7aGhyxX
        FvUK+DWNmoudF8NAco9/h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXp
        oQIDAQAB
        -----END PUBLIC KEY-----
        """
    /// Before it expires.
    static let time = 1_300_819_000.0
}

/// The elliptic key as openssl writes it with `-outform DER`.
private enum P256Key {
    static let der =
        Data(
            base64Encoded: Standard.ellipticPEM.split(separator: "\n").dropFirst().dropLast().joined()) ?? Data()
}

@Suite("JSON Web Tokens")
struct WebTokensTests {
    static let secret = TestSecrets.remember("an old secret of more than thirty-two bytes")
    static let publicKey = Standard.ellipticPEM
    static let now = 1_750_000_000.0
    static let good = #"{"sub":"ada","exp":1750000600}"#

    /// A token signed with the secret.
    static func signed(
        _ claims: String, header: String = #"{"alg":"HS256","typ":"JWT"}"#, secret: String = Self.secret
    ) async throws -> String {
        let text = Base64URL.text(Array(header.utf8)) + "." + Base64URL.text(Array(claims.utf8))
        return text + "." + Base64URL.text(HMACKey(Array(secret.utf8)).code(of: Array(text.utf8)))
    }

    private func tokens() async throws -> WebTokens {
        WebTokens(keys: [WebTokens.sharedSecret(Self.secret)])
    }

    private func refusal(_ tokens: WebTokens, _ token: String, now: Double = Self.now) -> WebTokenRefusal? {
        do throws(WebTokenRefusal) {
            _ = try tokens.claims(of: token, now: now)
            return nil
        } catch {
            return error
        }
    }

    @Test("a token names its bearer and its expiry")
    func user() async throws {
        let claims = try await tokens().claims(of: Self.signed(Self.good), now: Self.now)
        #expect(claims == WebTokens.Claims(user: "ada", expiresAt: 1_750_000_600))
    }

    @Test(
        "Tokens of RFC 7515 are checked with keys from a PEM file and from a key set",
        arguments: [
            (Standard.ellipticPEM, Standard.elliptic), (Standard.rsaPEM, Standard.rsa),
            (Standard.keySet, Standard.elliptic), (Standard.keySet, Standard.rsa),
        ])
    func standard(key: String, token: String) async throws {
        let tokens = try await WebTokens(file: try TestSecrets.file(key))
        // Their signature is right; they name no user.
        #expect(refusal(tokens, token, now: Standard.time) == .noSubject)
        #expect(refusal(tokens, token, now: Standard.time + 1000) == .expired(secondsAgo: 620))
        var letters = Array(token)
        letters[30] = letters[30] == "A" ? "B" : "A"
        #expect(refusal(tokens, String(letters), now: Standard.time) == .signature)
    }

    @Test(
        "A key is found behind a byte order mark and behind text, as tools write it",
        arguments: [
            ("\u{FEFF}" + Standard.ellipticPEM, Standard.elliptic), ("\u{FEFF}" + Standard.keySet, Standard.rsa),
            ("Issuer: CN=login.example.com\n\n" + Standard.rsaPEM + "\n", Standard.rsa),
        ])
    func dressedKeys(key: String, token: String) async throws {
        let tokens = try await WebTokens(file: try TestSecrets.file(key))
        #expect(refusal(tokens, token, now: Standard.time) == .noSubject)
    }

    @Test(
        "What others may know, a public key in another form or another user's answer, is never taken for a shared secret",
        arguments: [
            ("<html><head><title>502 Bad Gateway</title></head></html>", "is a page"),
            ("[" + Standard.keySet + "]", "not a JSON Web Key Set"),
            ("\"a text of JSON that is longer than thirty-two bytes\"", "not a JSON Web Key Set"),
            ("a first line of thirty-two bytes and more\nand a second one", "more than one line"),
            (
                "key: -----BEGIN PUBLIC KEY----- MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcD -----END PUBLIC KEY-----",
                "no public key"
            ),
            (Standard.ellipticPEM.replacingOccurrences(of: "\n", with: " "), "no public key"),
            (
                Standard.ellipticPEM.split(separator: "\n").dropFirst().dropLast().joined(),
                "without its lines -----BEGIN"
            ),
            (
                Standard.ellipticPEM.split(separator: "\n").dropFirst().dropLast().joined()
                    .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
                    .replacingOccurrences(of: "=", with: ""), "without its lines -----BEGIN"
            ),
            (P256Key.der.map { String(format: "%02x", $0) }.joined(), "without its lines -----BEGIN"),
            ("The requested resource /jwks was not found on this server.", "a sentence"),
            ("ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC7 ada@example.com", "SSH"),
            ("https://login.example.com/.well-known/jwks.json", "an address"),
            ("a secret of thirty-two bytes and\u{0} more", "control characters"),
        ])
    func noSecrets(text: String, what: String) async throws {
        let path = try TestSecrets.file(text)
        do throws(ServerError) {
            _ = try await WebTokens(file: path)
            Issue.record("taken: \(text)")
        } catch {
            #expect(error.description.contains(what), "\(error.description)")
        }
    }

    @Test("A key in bytes (DER) is refused, too")
    func binaryKey() async throws {
        let path = RunningServer.temporaryFolder() + ".der"
        try Data(P256Key.der).write(to: URL(fileURLWithPath: path))
        await #expect(throws: ServerError.self) { try await WebTokens(file: path) }
    }

    @Test("A token that another key of the same kind signed is refused; so are keys of an unknown name")
    func otherKeys() async throws {
        let tokens = try await WebTokens(file: try TestSecrets.file(Standard.keySet))
        let mine = try SigningKey("EC", curve: "P-256")
        func token(_ header: String) throws -> String {
            let text = Base64URL.text(Array(header.utf8)) + "." + Base64URL.text(Array(Self.good.utf8))
            return text + "." + Base64URL.text(try mine.sign(text, "ES256"))
        }
        #expect(refusal(tokens, try token(#"{"alg":"ES256","kid":"curve"}"#)) == .signature)
        #expect(refusal(tokens, try token(#"{"alg":"ES256","kid":"other"}"#)) == .unknownKey)
        // With the key in the file it is taken.
        let own = try await WebTokens(file: try TestSecrets.file(mine.pem))
        #expect(refusal(own, try token(#"{"alg":"ES256","kid":"any"}"#)) == nil)
    }

    @Test("tokens of each algorithm are checked with the key of a PEM file and of a key set, and with no other key")
    func algorithms() async throws {
        let rsa = try SigningKey("RSA", bits: 2048)
        let rows: [(name: String, key: SigningKey, hasPEM: Bool)] = [
            ("ES256", try SigningKey("EC", curve: "P-256"), true),
            ("ES384", try SigningKey("EC", curve: "P-384"), true),
            ("ES512", try SigningKey("EC", curve: "P-521"), true), ("EdDSA", try SigningKey("ED25519"), true),
            ("RS256", rsa, true), ("RS384", rsa, false), ("RS512", rsa, false), ("PS256", rsa, false),
            ("PS384", rsa, false), ("PS512", rsa, false),
        ]
        for row in rows {
            let header = #"{"alg":"\#(row.name)"}"#
            let text = Base64URL.text(Array(header.utf8)) + "." + Base64URL.text(Array(Self.good.utf8))
            let token = text + "." + Base64URL.text(try row.key.sign(text, row.name))
            let set = "{\"keys\":[{\(row.key.webKey),\"alg\":\"\(row.name)\"}]}"
            for key in [set] + (row.hasPEM ? [row.key.pem] : []) {
                let tokens = try await WebTokens(file: try TestSecrets.file(key))
                #expect(tokens.description == "1 key (\(row.name))")
                #expect(refusal(tokens, token) == nil, "\(row.name)")
                for wrong in [[], [UInt8](repeating: 0, count: 64), [UInt8](repeating: 255, count: 132)] {
                    #expect(refusal(tokens, text + "." + Base64URL.text(wrong)) == .signature, "\(row.name)")
                }
            }
        }
    }

    @Test(
        "keys that tokens must not be checked with are refused",
        arguments: [
            #"{"kty":"oct","k":"AAAA"}"#, #"{"kty":"RSA","alg":"RSA-OAEP","n":"AQAB","e":"AQAB"}"#,
            #"{"kty":"RSA","alg":"ES256","n":"AQAB","e":"AQAB"}"#,
            #"{"kty":"RSA","alg":"HS256","n":"AQAB","e":"AQAB"}"#,
            #"{"kty":"RSA","alg":"none","n":"AQAB","e":"AQAB"}"#, #"{"kty":"EC","crv":"secp256k1","x":"AA","y":"AA"}"#,
        ])
    func otherUses(key: String) async throws {
        let path = try TestSecrets.file("{\"keys\":[\(key)]}")
        await #expect { _ = try await WebTokens(file: path) } throws: {
            ($0 as? ServerError)?.description.contains("key 1 of a kind that is not supported") == true
        }
    }

    @Test("alg none, and a public key as a shared secret, are refused (RFC 8725)")
    func confusion() async throws {
        let none = Base64URL.text(Array(#"{"alg":"none"}"#.utf8)) + "." + Base64URL.text(Array(Self.good.utf8)) + "."
        #expect(refusal(try await tokens(), none) == .algorithm(allowed: "HS256"))
        let elliptic = try await WebTokens(file: try TestSecrets.file(Standard.ellipticPEM))
        #expect(refusal(elliptic, none) == .algorithm(allowed: "ES256"))
        let forged = try await Self.signed(Self.good, secret: Standard.ellipticPEM)
        #expect(refusal(elliptic, forged) == .algorithm(allowed: "ES256"))
        let upper = try await Self.signed(Self.good, header: #"{"alg":"hs256"}"#)
        #expect(refusal(try await tokens(), upper) == .algorithm(allowed: "HS256"))
        let critical = try await Self.signed(Self.good, header: #"{"alg":"HS256","crit":["exp"]}"#)
        #expect(refusal(try await tokens(), critical) == .extensions)
    }

    @Test(
        "What is wrong with the claims is said",
        arguments: [
            (#"{"sub":"ada"}"#, WebTokenRefusal.noExpiry), (#"{"sub":"ada","exp":"1750000600"}"#, .noExpiry),
            (#"{"sub":"ada","exp":1749999940}"#, .expired(secondsAgo: 60)), (#"{"sub":"ada","exp":1749999941}"#, nil),
            (#"{"sub":"ada","exp":253402300799}"#, nil), (#"{"sub":"ada","exp":253402300800}"#, .noTime("exp")),
            (#"{"sub":"ada","exp":-1e300}"#, .noTime("exp")), (#"{"sub":"ada","exp":1e308}"#, .noTime("exp")),
            (#"{"sub":"ada","exp":-1}"#, .noTime("exp")),
            (#"{"sub":"ada","exp":0}"#, .expired(secondsAgo: 1_750_000_000)),
            (#"{"sub":"ada","exp":NaN}"#, .malformed), (#"{"sub":"ada","exp":1e999}"#, .malformed),
            (#"{"sub":"ada","exp":1750000600,"nbf":-1e308}"#, .noTime("nbf")),
            (#"{"sub":"ada","exp":1750000600,"nbf":-1}"#, .noTime("nbf")),
            (#"{"sub":"ada","exp":1750000600,"nbf":1e308}"#, .noTime("nbf")),
            (#"{"sub":"ada","exp":1750000600,"nbf":null}"#, .noTime("nbf")),
            (#"{"sub":"ada","exp":1750000600,"nbf":1750000061}"#, .notYetValid),
            (#"{"sub":"ada","exp":1750000600,"nbf":1750000060}"#, nil),
            (#"{"sub":"ada","exp":1750000600,"nbf":"soon"}"#, .noTime("nbf")),
            (#"{"exp":1750000600}"#, .noSubject), (#"{"sub":"","exp":1750000600}"#, .noSubject),
            (#"{"sub":7,"exp":1750000600}"#, .noSubject), (#"{"sub":"a\nb","exp":1750000600}"#, .noSubject),
            (#"["sub"]"#, .malformed), ("", .malformed),
        ] as [(String, WebTokenRefusal?)])
    func claims(claims: String, expected: WebTokenRefusal?) async throws {
        #expect(refusal(try await tokens(), try await Self.signed(claims)) == expected)
    }

    @Test("Issuer and audience are checked where they are requested")
    func issuer() async throws {
        var tokens = try await tokens()
        tokens.issuer = "https://login.example.com"
        tokens.audience = "candlewire"
        func claims(_ more: String) async throws -> String {
            try await Self.signed(#"{"sub":"ada","exp":1750000600"# + more + "}")
        }
        let right = #","iss":"https://login.example.com""#
        #expect(refusal(tokens, try await claims("")) == .issuer(wanted: "https://login.example.com"))
        #expect(refusal(tokens, try await claims(right)) == .audience(wanted: "candlewire"))
        #expect(refusal(tokens, try await claims(right + #","aud":[]"#)) == .audience(wanted: "candlewire"))
        #expect(refusal(tokens, try await claims(right + #","aud":"other""#)) == .audience(wanted: "candlewire"))
        #expect(refusal(tokens, try await claims(right + #","aud":["other","candlewire"]"#)) == nil)
        #expect(refusal(tokens, try await claims(right + #","aud":"candlewire""#)) == nil)
    }

    @Test("What is no token is refused, and no byte of one can be changed")
    func damage() async throws {
        let tokens = try await tokens()
        for text in ["", ".", "..", "...", "a.b", "a.b.c.d", "é.é.é", String(repeating: "A", count: 9000)] {
            #expect(refusal(tokens, text) == .malformed)
        }
        let token = try await Self.signed(Self.good)
        #expect(refusal(tokens, token + "=") == .malformed)
        for (index, letter) in token.utf8.enumerated() {
            for replacement in "Aa0_.=".utf8 where replacement != letter {
                var bytes = Array(token.utf8)
                bytes[index] = replacement
                #expect(refusal(tokens, String(decoding: bytes, as: UTF8.self)) != nil)
            }
        }
    }

    @Test("A key file that cannot be used is named with what it may be, and nothing of it is shown")
    func files() async throws {
        let short = "short-secret-of-mine"
        let files = [
            (short, "at least 32 bytes"), ("{\"keys\":[]}", "not a JSON Web Key Set"),
            ("{\"k\":\"\(short)\"}", "not a JSON Web"),
            ("-----BEGIN PUBLIC KEY-----\n\(short)\n-----END PUBLIC KEY-----", "no public key for"),
            ("-----BEGIN EC PRIVATE KEY-----\n\(short)\n-----END EC PRIVATE KEY-----", "is a private key"),
            (#"{"keys":[{"kty":"EC","crv":"P-256","x":"short-secret-of-mine","y":"AA"}]}"#, "key 1, which is not"),
            (#"{"keys":[{"kty":"EC"}]}"#, "of a kind that is not supported"),
        ]
        for (text, what) in files {
            let path = try TestSecrets.file(text)
            do throws(ServerError) {
                _ = try await WebTokens(file: path)
                Issue.record("taken: \(text)")
            } catch {
                #expect(error.description.contains(what) && error.description.contains(path), "\(error.description)")
                #expect(!error.description.contains(short))
            }
        }
        await #expect(throws: ServerError.self) { try await WebTokens(file: "/nowhere/key") }
    }
}
