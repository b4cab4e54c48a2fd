import Foundation
import Testing

@testable import VenueSimulation

@Suite("Errors as sentences")
struct LocalizedErrorTests {
    static let errors: [(any Error, String)] = [
        (VenueWaitError(log: VenueLog()), VenueWaitError(log: VenueLog()).description)
    ]

    @Test("localizedDescription is the error's sentence", arguments: errors.indices)
    func sentence(index: Int) {
        let (error, sentence) = Self.errors[index]
        #expect(error.localizedDescription == sentence)
    }
}
