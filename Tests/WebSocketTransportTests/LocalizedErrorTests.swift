import Foundation
import NIOHTTP1
import StreamCore
import Testing

@testable import WebSocketTransport

@Suite("Errors as sentences")
struct LocalizedErrorTests {
    static let errors: [(any Error, String)] = [
        (WebSocketConnectError(.timedOut, "it took too long"), "it took too long"),
        (
            WebSocketUpgradeError(status: .unauthorized, headers: [:], body: ""),
            "the server refused the WebSocket: HTTP 401 Unauthorized"
        ),
        (WebSocketClosedError(), "the WebSocket connection is closed"),
        (WebSocketTLSError(.invalidPin, "not a pin"), "not a pin"),
        (
            ChannelRefused(key: ChannelKey(.orders), code: "forbidden", message: "not yours"),
            "orders: not yours (forbidden)"
        ),
        (WireError(.unknownSymbol, message: "There is no such symbol."), "There is no such symbol."),
        (JSONError(.tooDeep, at: 12), "nested too deeply at byte 12"),
    ]

    @Test("localizedDescription is the error's sentence", arguments: errors.indices)
    func sentence(index: Int) {
        let (error, sentence) = Self.errors[index]
        #expect(error.localizedDescription == sentence)
    }
}
