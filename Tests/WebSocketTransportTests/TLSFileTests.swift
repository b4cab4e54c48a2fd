import Foundation
import Testing
import WebSocketTransport

@Suite("Certificate files")
struct TLSFileTests {
    let certificates: TestCertificates
    let folder: TemporaryFolder

    init() throws {
        certificates = try TestCertificates.shared.get()
        folder = try TemporaryFolder()
    }

    func expect(
        _ code: WebSocketTLSError.Code, saying part: String, _ body: () throws -> Void
    ) {
        let error = #expect(throws: WebSocketTLSError.self) { try body() }
        #expect(error?.code == code)
        #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    }

    @Test("a certificate and its key load, from two files and from one")
    func loads() throws {
        let chain = try folder.write(certificates.certificate("server"), to: "chain.pem")
        let key = try folder.write(certificates.key("server"), to: "key.pem")
        let both = try folder.write(certificates.key("server") + certificates.certificate("server"), to: "both.pem")
        _ = try WebSocketServerTLS(certificateFile: chain, keyFile: key)
        _ = try WebSocketServerTLS(certificateFile: both, keyFile: both)
        _ = try WebSocketTLS.Identity(certificateFile: chain, keyFile: key)
        _ = try WebSocketTLS.Trust.authorities(file: chain)
    }

    @Test("a missing file is named")
    func missing() throws {
        let there = try folder.write(certificates.certificate("server"), to: "chain.pem")
        let gone = folder.path("gone.pem")
        expect(.unreadableFile, saying: "cannot read \(gone): No such file or directory") {
            _ = try WebSocketServerTLS(certificateFile: gone, keyFile: there)
        }
        expect(.unreadableFile, saying: gone) { _ = try WebSocketServerTLS(certificateFile: there, keyFile: gone) }
        expect(.unreadableFile, saying: gone) { _ = try WebSocketTLS.Trust.authorities(file: gone) }
        expect(.unreadableFile, saying: "Is a directory") { _ = try WebSocketTLS.Trust.authorities(file: "/tmp") }
    }

    @Test("a file with the wrong thing in it is named, and what should be there")
    func wrongContent() throws {
        let chain = try folder.write(certificates.certificate("server"), to: "chain.pem")
        let key = try folder.write(certificates.key("server"), to: "key.pem")
        let noise = try folder.write(Array("not PEM".utf8), to: "noise.pem")
        expect(.invalidCertificate, saying: "key.pem holds no certificate") {
            _ = try WebSocketServerTLS(certificateFile: key, keyFile: key)
        }
        expect(.invalidKey, saying: "chain.pem holds no private key") {
            _ = try WebSocketServerTLS(certificateFile: chain, keyFile: chain)
        }
        expect(.invalidCertificate, saying: "noise.pem") { _ = try WebSocketTLS.Trust.authorities(file: noise) }
        expect(.invalidCertificate, saying: "the authority") { _ = try WebSocketTLS.Trust.authorities(pem: []) }
    }

    @Test("a key of another certificate is refused")
    func mismatch() throws {
        expect(.keyMismatch, saying: "the private key in the key does not belong to the first certificate") {
            _ = try WebSocketServerTLS(
                certificates: certificates.certificate("server"), key: certificates.key("elsewhere"))
        }
    }

    @Test("a key with a passphrase is refused without a prompt")
    func passphrase() throws {
        _ = try folder.write(certificates.key("server"), to: "key.pem")
        try folder.openssl("pkcs8", "-topk8", "-in", "key.pem", "-passout", "pass:secret", "-out", "locked.pem")
        let chain = try folder.write(certificates.certificate("server"), to: "chain.pem")
        expect(.invalidKey, saying: "passphrase") {
            _ = try WebSocketServerTLS(certificateFile: chain, keyFile: folder.path("locked.pem"))
        }
    }

    @Test("the operator is warned about dates")
    func warnings() throws {
        let expired = try WebSocketServerTLS(
            certificates: certificates.certificate("expired"), key: certificates.key("expired"))
        #expect(expired.warning(now: 4e9)?.hasPrefix("the certificate expired on ") == true)
        #expect(expired.warning(now: 1e9)?.hasPrefix("the certificate is not valid before ") == true)
        let server = try WebSocketServerTLS(
            certificates: certificates.certificate("server"), key: certificates.key("server"))
        let made = Date.now.timeIntervalSince1970
        #expect(server.warning(now: made + 86_400) == nil)
        #expect(server.warning(now: made + 29 * 86_400)?.hasPrefix("the certificate expires on ") == true)
    }
}
