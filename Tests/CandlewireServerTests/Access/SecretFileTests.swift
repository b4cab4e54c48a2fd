import Foundation
import MarketFeeds
import Testing

@testable import CandlewireServer

@Suite("Files of secrets")
struct SecretFileTests {
    private static let reads: [@Sendable (String) async throws -> Void] = [
        { _ = try StreamTokens(file: $0) }, { _ = try APIKeys(file: $0) }, { _ = try await WebTokens(file: $0) },
    ]

    @Test("that others may read, write or run are refused by name, also through a link", arguments: reads.indices)
    func modes(index: Int) async throws {
        let text = "ada:a-secret-of-at-least-thirty-two-bytes"
        try await Self.reads[index](TestSecrets.file(text, mode: 0o600))
        try await Self.reads[index](TestSecrets.file(text, mode: 0o400))
        for mode in [0o640, 0o604, 0o620, 0o602, 0o601, 0o777] {
            let path = try TestSecrets.file(text, mode: mode)
            let link = RunningServer.temporaryFolder()
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
            for name in [path, link] {
                let error = await #expect(throws: ServerError.self) { try await Self.reads[index](name) }
                let words = error?.description ?? ""
                #expect(words.contains(name) && words.contains("is open to others") && words.contains("chmod 600"))
            }
        }
    }

    @Test("others may read a public key, and not change it")
    func publicKey() async throws {
        _ = try await WebTokens(file: TestSecrets.file(WebTokensTests.publicKey, mode: 0o644))
        for mode in [0o664, 0o646] {
            let path = try TestSecrets.file(WebTokensTests.publicKey, mode: mode)
            let error = await #expect(throws: ServerError.self) { try await WebTokens(file: path) }
            #expect(error?.description.contains("is open to others") == true)
        }
    }
}
