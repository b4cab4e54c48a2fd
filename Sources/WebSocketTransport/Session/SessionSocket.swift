import NIOCore
import StreamCore

/// One socket of a session, from the first packet to the last: passes on what it hears, until it is let go.
final class SessionSocket: WebSocketHandlerDelegate {
    let number: SocketNumber
    private(set) var handler: WebSocketHandler?
    /// Nil once the session does not want to hear of it any more.
    private var driver: SessionDriver?

    init(_ number: SocketNumber, _ driver: SessionDriver) {
        self.number = number
        self.driver = driver
    }

    /// The handshake is done.
    func attach(_ handler: WebSocketHandler) {
        handler.delegate = self
        guard let driver else {
            // Let go while it was being opened: connecting cannot be taken back before.
            handler.terminate()
            return
        }
        self.handler = handler
        driver.opened(number)
    }

    /// From here on nothing of it is reported.
    func letGo() {
        driver = nil
    }

    func webSocketText(_ text: UnsafeRawBufferPointer, on socket: WebSocketHandler) {
        driver?.received(text, on: number)
    }

    /// The same as text, as some venues send it. What is no message is counted as malformed and costs nothing else.
    func webSocketBinary(_ bytes: UnsafeRawBufferPointer, on socket: WebSocketHandler) {
        driver?.received(bytes, on: number)
    }

    func webSocketPong(_ payload: UnsafeRawBufferPointer, on socket: WebSocketHandler) {
        driver?.pong(on: number)
    }

    func webSocketClosed(_ code: WebSocketCloseCode, reason: String, on socket: WebSocketHandler) {
        handler = nil
        driver?.closed(number, code: code, reason: reason, detectedHere: socket.ending == .violation)
    }
}
