import Foundation

/// Certificates made by the `openssl` command when the tests start: none lies in the repository, none can expire there.
///
/// ```
///   ca ── intermediate ── server (localhost, 127.0.0.1), elsewhere (other.example), expired, client
///   stranger signs itself (localhost)
/// ```
struct TestCertificates {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static let shared = Result { try TestCertificates() }

    /// Name to PEM; a server's is its whole chain without the root.
    private var certificates: [String: [UInt8]] = [:]
    private var keys: [String: [UInt8]] = [:]

    func certificate(_ name: String) -> [UInt8] { certificates[name] ?? [] }
    func key(_ name: String) -> [UInt8] { keys[name] ?? [] }

    private init() throws {
        let folder = try TemporaryFolder()
        let names = "subjectAltName=DNS:localhost,IP:127.0.0.1"
        try folder.selfSigned("ca", extensions: ["basicConstraints=critical,CA:TRUE"])
        try folder.selfSigned("stranger", extensions: [names])
        try folder.signed("intermediate", by: "ca", extensions: "basicConstraints=critical,CA:TRUE")
        try folder.signed("server", by: "intermediate", extensions: names)
        try folder.signed("elsewhere", by: "intermediate", extensions: "subjectAltName=DNS:other.example")
        try folder.signed("expired", by: "intermediate", extensions: names, days: -1)
        try folder.signed("client", by: "intermediate", extensions: "extendedKeyUsage=clientAuth")
        for name in ["ca", "stranger", "intermediate", "server", "elsewhere", "expired", "client"] {
            certificates[name] = try folder.read("\(name).pem")
            keys[name] = try folder.read("\(name).key")
        }
        for name in ["server", "elsewhere", "expired", "client"] {
            certificates[name] = certificate(name) + certificate("intermediate")
        }
    }
}

/// A folder that is gone with its last reference.
final class TemporaryFolder: Sendable {
    private let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "candlewire-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func path(_ name: String) -> String { url.appending(path: name).path }

    func write(_ bytes: [UInt8], to name: String) throws -> String {
        try Data(bytes).write(to: url.appending(path: name))
        return path(name)
    }

    func read(_ name: String) throws -> [UInt8] { try Array(Data(contentsOf: url.appending(path: name))) }

    /// Runs `openssl` in this folder and returns what it prints.
    @discardableResult
    func openssl(_ arguments: String...) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        process.currentDirectoryURL = url
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let printed = try output.fileHandleForReading.readToEnd() ?? Data()
        let errorMessage = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw TestCertificates.Failure(
                description:
                    "openssl \(arguments.joined(separator: " ")): \(String(decoding: errorMessage, as: UTF8.self))")
        }
        return Array(printed)
    }

    fileprivate func selfSigned(_ name: String, extensions: [String]) throws {
        try makeKey(name)
        try openssl(
            "req", "-x509", "-new", "-key", "\(name).key", "-subj", "/CN=\(name)", "-days", "30", "-out",
            "\(name).pem", "-addext", extensions[0])
    }

    fileprivate func signed(_ name: String, by authority: String, extensions: String, days: Int = 30) throws {
        try makeKey(name)
        let file = try write(Array(extensions.utf8), to: "\(name).ext")
        try openssl("req", "-new", "-key", "\(name).key", "-subj", "/CN=\(name)", "-out", "\(name).csr")
        try openssl(
            "x509", "-req", "-in", "\(name).csr", "-CA", "\(authority).pem", "-CAkey", "\(authority).key",
            "-CAcreateserial", "-days", "\(days)", "-extfile", file, "-out", "\(name).pem")
    }

    private func makeKey(_ name: String) throws {
        try openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", "\(name).key")
    }
}
