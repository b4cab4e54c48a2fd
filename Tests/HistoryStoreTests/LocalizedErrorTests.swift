import Foundation
import Testing

@testable import HistoryStore

@Suite("Errors as sentences")
struct LocalizedErrorTests {
    static let errors: [(any Error, String)] = [
        (StoreError(.full, "The disk is full."), "The disk is full.")
    ]

    @Test("localizedDescription is the error's sentence", arguments: errors.indices)
    func sentence(index: Int) {
        let (error, sentence) = Self.errors[index]
        #expect(error.localizedDescription == sentence)
    }
}
