import Foundation
import Testing

@testable import CandlewireServer

@Suite("API keys")
struct APIKeysTests {
    private func keys(_ text: String) throws -> APIKeys {
        try APIKeys(file: TestSecrets.file(text))
    }

    @Test("a key says whose it is; a user may have several, and a key may hold colons")
    func users() throws {
        let keys = try keys("# ours\n\nada:first-key-of-ada-1\nada:second:key:of:ada\n bob:the-key-of-bob-1234 \n")
        #expect(keys.user(of: "first-key-of-ada-1") == "ada")
        #expect(keys.user(of: "second:key:of:ada") == "ada")
        #expect(keys.user(of: "the-key-of-bob-1234") == "bob")
        for wrong in ["", "first-key-of-ada-2", "first-key-of-ada", "first-key-of-ada-11", "ada:first-key-of-ada-1"] {
            #expect(keys.user(of: wrong) == nil)
        }
        #expect(keys.description == "3 keys")
    }

    @Test(
        "What is wrong in a key file is named by its line, and no key is shown",
        arguments: [
            ("the-key-of-somebody", "line 1: it must be USER:KEY"), (":the-key-of-somebody", "line 1: it must be"),
            ("# a\nada:secret", "line 2: a key needs at least 16 bytes"),
            ("ada:the-key-of-somebody\nbob:the-key-of-somebody", "line 2: duplicate key"),
            ("# only this", "holds no key"),
            ("ada:the-key-of-ada-12345\nlocal:the-key-of-somebody", "line 2: the user name \"local\" is reserved"),
        ])
    func refused(text: String, expected: String) {
        let error = #expect(throws: ServerError.self) { try keys(text) }
        #expect(error?.description.contains(expected) == true)
        #expect(error?.description.contains("secret") == false && error?.description.contains("somebody") == false)
    }
}
