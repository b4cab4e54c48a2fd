import CandlewireSockets
import Foundation
import Testing

@Suite("Errors as sentences")
struct LocalizedErrorTests {
    static let errors: [(any Error, String)] = [
        (WSError(type: .serverError, message: "connection lost", code: 1006), "connection lost"),
        (ErrorType.securityError, "the server is not trusted"),
        (HTTPUpgradeError.notAnUpgrade(401, [:]), "the server refused the WebSocket: HTTP 401"),
        (HTTPUpgradeError.invalidData, "the server's answer to the handshake is not HTTP"),
    ]

    @Test("localizedDescription is the error's sentence", arguments: errors.indices)
    func sentence(index: Int) {
        let (error, sentence) = Self.errors[index]
        #expect(error.localizedDescription == sentence)
    }
}
