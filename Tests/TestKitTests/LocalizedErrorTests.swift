import Foundation
import Testing

@testable import TestKit

@Suite("Errors as sentences")
struct LocalizedErrorTests {
    static let errors: [(any Error, String)] = [
        (ScriptFailure(connection: 1, step: 2, what: "no message came"), "connection 1, step 2: no message came")
    ]

    @Test("localizedDescription is the error's sentence", arguments: errors.indices)
    func sentence(index: Int) {
        let (error, sentence) = Self.errors[index]
        #expect(error.localizedDescription == sentence)
    }
}
