import Foundation
import HTTPTransport
import Testing

@Suite("Errors as sentences")
struct LocalizedErrorTests {
    static let errors: [(any Error, String)] = [
        (HTTPTransportError.timedOut, "the server did not answer in time"),
        (HTTPTransportError.notConnected("refused"), "the server cannot be reached: refused"),
    ]

    @Test("localizedDescription is the error's sentence", arguments: errors.indices)
    func sentence(index: Int) {
        let (error, sentence) = Self.errors[index]
        #expect(error.localizedDescription == sentence)
    }
}
